"""Registry of the games: ruleset name to manifest (`domain/<game>/manifest.py`)."""

from domain.table.history import Step
from domain.table.manifest import Manifest
from schemas.catalogue import SHAPES, game_attribute, shapes

GAMES: dict[str, Manifest] = {
    name: game_attribute(f"domain.{name}.manifest", "MANIFEST") for name in SHAPES
}

TITLED = next(name for name in SHAPES if shapes(name).titled)


def ruleset_of(title: str) -> str:
    """Return the ruleset of a title: itself, or the one whose games belong to titles.

    >>> ruleset_of("euchre")
    'euchre'
    """
    return title if title in GAMES else TITLED


def records_mistake(step: Step) -> bool:
    """Return whether a step records a mistake that its game punishes (`Manifest.is_mistake`)."""
    mistaken = GAMES[step.game.rules.name].is_mistake
    return bool(mistaken and step.before and mistaken(step.before.game, step.entry))
