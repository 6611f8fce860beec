"""Registry of the games: ruleset name to manifest (`domain/<game>/manifest.py`)."""

from domain.table.manifest import Manifest
from schemas.catalogue import SHAPES, part

GAMES: dict[str, Manifest] = {name: part(f"domain.{name}.manifest", "MANIFEST") for name in SHAPES}
