"""Dutch as it declares itself."""

from domain.dutch.hidden import hidden
from domain.dutch.rules import Dutch
from domain.table.manifest import Manifest

MANIFEST = Manifest(
    rules=Dutch(),
    hidden=hidden,
    private={"look": "cards", "draw": "card", "peek": "card"},
    hand_seen=False,
)
