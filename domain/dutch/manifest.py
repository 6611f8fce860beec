"""Dutch as it declares itself."""

from domain.dutch.hidden import hidden
from domain.dutch.parts import begins
from domain.dutch.rules import RULES
from domain.table.manifest import Manifest

MANIFEST = Manifest(
    rules=RULES,
    hidden=hidden,
    locations=("slot", "drawn"),
    begins=begins,
    private={"look": "cards", "draw": "card", "peek": "card"},
    hand_seen=False,
)
