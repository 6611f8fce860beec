"""Dutch as it declares itself."""

from domain.dutch.rules import Dutch
from domain.table.manifest import Manifest

MANIFEST = Manifest(rules=Dutch())
