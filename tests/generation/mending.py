"""Corrections of a record after the fact: splices, and setting a game aside.

All of it is written into the reference log (`GameLog`), which computes the effective history.
"""

from collections.abc import Callable
from random import Random

from tests.generation.game_log import NOTE, Effect, Entry, GameLog, never

FORGOTTEN = 0.01
MENDED = 0.35
SPLICED_MAX = 100
REMARK = Effect(remark=True)
Moves = list[tuple[Entry, Effect]]


def forgetful(chance: Random | None) -> Callable[[], bool]:
    if chance is None:
        return never
    share = chance.choice([0.0, 0.0, FORGOTTEN, 4 * FORGOTTEN])
    return lambda: share > 0 and chance.random() < share


def insert_corrections(chance: Random | None, game: GameLog) -> None:
    while chance and game.steps and chance.random() < MENDED:
        place = chance.randrange(len(game.steps))
        left = min(len(game.steps) - place, SPLICED_MAX)
        drop = chance.randint(1, chance.choice([1, min(3, left), left]))
        chance.choice([repeat_entries, insert_remark, remove_remarks, replace_last_entries])(
            chance, game, place, drop
        )
    if chance and chance.random() < MENDED / 4:
        set_game_aside(chance, game)


def moves_at(game: GameLog, place: int, drop: int) -> Moves:
    return [(step.entry, step.effect) for step in game.steps[place : place + drop]]


def try_splice(game: GameLog, place: int, drop: int, moves: Moves) -> None:
    """Splice, unless the table would change or an entry would follow the end."""
    moves = moves[:SPLICED_MAX]
    if (drop or moves) and not game.fold(game.spliced(place, drop, moves)).broken:
        game.splice(place, drop, moves)


def repeat_entries(_chance: Random, game: GameLog, place: int, drop: int) -> None:
    try_splice(game, place, drop, moves_at(game, place, drop))


def insert_remark(chance: Random, game: GameLog, place: int, drop: int) -> None:
    moves: Moves = [(NOTE, REMARK), *moves_at(game, place, drop - 1)]
    if chance.random() < 0.5:
        entry = {"type": "adjust", "seat": game.seats - 1, "points": 1, "reason": "accord"}
        moves.insert(0, (entry, Effect(awarded=(game.seats - 1, 1))))
    try_splice(game, place, drop - 1, moves)


def remove_remarks(_chance: Random, game: GameLog, place: int, drop: int) -> None:
    kept = [move for move in moves_at(game, place, drop) if not optional(move[1])]
    try_splice(game, place, drop, kept)


def optional(effect: Effect) -> bool:
    return effect.remark or effect.awarded is not None


def replace_last_entries(chance: Random, game: GameLog, _place: int, _drop: int) -> None:
    """Remove the last entries, or some of them."""
    drop = chance.randint(1, min(len(game.steps), 6))
    place = len(game.steps) - drop
    try_splice(game, place, drop, moves_at(game, place, chance.randrange(drop)))


def set_game_aside(chance: Random, game: GameLog) -> None:
    """Set the game aside; bring it back by a splice or by taking that back, or leave it so."""
    before = game.standing_versions[-1]
    game.write({"type": "set_aside", "reason": "a trial"}, REMARK)
    place = len(game.steps) - 1
    if chance.random() < 0.5:
        game.write(NOTE, REMARK)
    back = chance.random()
    if back < 0.3:
        game.splice(place, 1, [])
    elif back < 0.6:
        game.take_back(before)
