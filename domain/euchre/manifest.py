"""Euchre as it declares itself."""

from domain.euchre.hidden import hidden
from domain.euchre.last_trick import took
from domain.euchre.parts import begins
from domain.euchre.rules import RULES
from domain.table.manifest import Manifest

MANIFEST = Manifest(
    rules=RULES,
    hidden=hidden,
    locations=("away",),
    begins=begins,
    private={"exchange": "discard", "accept": "discard"},
    took=took,
)
