"""What makes true games at random, by game: found by the registry, as a new game is.

A maker has `PROFILES` (habits of recorders, by name) and `true_game(seed, habits)`. One of a game
that is recorded card by card also says, from the rules and not from the game's code: `OPEN` and
`HIDDEN`, the profiles in which all hands are given and none is; `TIMED`, those that are slow to
judge; `PRIVATE`, by type of entry the field that only its seat saw; `HAND_SEEN`, whether players
look at the hand dealt to them; `ALIKE`, the suits that the rules do not tell apart.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from domain.games import GAMES

MAKERS: Mapping[str, Any] = {game: import_module(f"tests.generation.{game}") for game in GAMES}
# Games whose unseen cards are followed: they are recorded card by card.
FOLLOWED = tuple(game for game, manifest in GAMES.items() if manifest.follows)
