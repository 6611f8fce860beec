"""Ruleset name → what the game says of itself, its rules among it.

The games are those of `schemas.catalogue`; each is found by its name, in `domain/<game>/`.
"""

from domain.table.manifest import Manifest
from schemas.catalogue import SHAPES, part

GAMES: dict[str, Manifest] = {name: part(f"domain.{name}.manifest", "MANIFEST") for name in SHAPES}
