"""Euchre as it declares itself."""

from domain.euchre.hidden import hidden
from domain.euchre.rules import Euchre
from domain.table.manifest import Manifest

MANIFEST = Manifest(
    rules=Euchre(), hidden=hidden, private={"exchange": "discard", "accept": "discard"}
)
