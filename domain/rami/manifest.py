"""Rami as it declares itself."""

from domain.rami.rules import Rami
from domain.table.manifest import Manifest

MANIFEST = Manifest(rules=Rami())
