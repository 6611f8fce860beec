"""Rami as it declares itself."""

from domain.rami.hidden import hidden
from domain.rami.parts import begins
from domain.rami.rules import RULES
from domain.table.manifest import Manifest

MANIFEST = Manifest(rules=RULES, hidden=hidden, begins=begins, private={"draw": "card"})
