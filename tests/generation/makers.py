"""The generators of true games, by game; a new game is found by its name.

A generator has `PROFILES` (habits of recorders, by name) and `true_game(seed, habits)`. For a game
that is recorded card by card it also declares, from the rules: `OPEN` and `HIDDEN`, the profiles
with all hands given or none; `TIMED`, those that are slow to judge; `PRIVATE`, the private field by
entry type; `HAND_SEEN`, whether players see the hand dealt to them; `ALIKE`, the suits that the
rules do not distinguish.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from domain.games import GAMES

MAKERS: Mapping[str, Any] = {game: import_module(f"tests.generation.{game}") for game in GAMES}
# Games whose unseen cards are followed: they are recorded card by card.
FOLLOWED = tuple(game for game, manifest in GAMES.items() if manifest.tracks_cards)
