"""Speed of our rules beside other game engines: judging an action, and listing and choosing one.

Measured in CPU time, alternating, the best of all rounds. A step of a playout lists the legal
actions and takes one. python-chess and pokerkit are Python, OpenSpiel's gin rummy is C++; all of
them see every card, while our rules prove an entry over all deals of the hidden hands.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module, util

import chess

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from tests.bench import games, holdem
from tests.bench.table import Line, Size, Table
from tests.generation.makers import MAKERS

PLIES, PLAYOUTS = 400, 12

Measure = Callable[[], int]


def chess_played() -> int:
    """List the legal moves and make one, again and again; return how many."""
    chance = random.Random(1)  # noqa: S311 -- games, not secrets
    board, made = chess.Board(), 0
    while made < PLIES and not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
        made += 1
    return made


def gin_rummy_played(number: int) -> int:
    """List the legal actions of gin rummy and take one, again and again; return how many."""
    spiel = import_module("pyspiel")
    chance = random.Random(1)  # noqa: S311 -- games, not secrets
    game, steps = spiel.load_game("gin_rummy"), 0
    for _ in range(number):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            steps += 1
    return steps


def listed_and_judged(material: games.Games, number: int) -> int:
    """List the choices and judge the next entry, entry by entry; return the number of entries."""
    entries = 0
    for record, seats in list(zip(material.records, material.seats, strict=True))[:number]:
        history = History(opening(material.ruleset, record.options, seats))
        for entry in record.log:
            judgement.choices(history.game)
            history.judge(entry)
            entries += 1
    return entries


def measures(size: Size) -> dict[str, dict[str, Measure]]:
    found: dict[str, dict[str, Measure]] = {}
    for kind in MAKERS:
        material = games.generated(kind, size.share)
        found[f"carnet: {kind}"] = {
            "by sight": partial(games.folded, material, exact=False),
            "judged": partial(games.folded, material, exact=True),
            "listed+judged": partial(listed_and_judged, material, size.of(20)),
        }
    found["pokerkit: hold'em"] = {"judged": holdem.pokerkit_hands}
    found["python-chess"] = {"listed+judged": chess_played}
    if util.find_spec("pyspiel"):  # it has wheels for Linux on x86-64 alone
        playouts = partial(gin_rummy_played, size.of(PLAYOUTS))
        found["OpenSpiel: gin rummy (C++)"] = {"listed+judged": playouts}
    return found


def measure(size: Size) -> Iterator[Table]:
    measured = measures(size)
    best: dict[tuple[str, str], float] = {}
    for _ in range(size.rounds + 1):
        for engine, columns in measured.items():
            for column, one in columns.items():
                began = time.process_time()
                rate = one() / (time.process_time() - began)
                best[engine, column] = max(rate, best.get((engine, column), 0))
    yield Table(
        "actions a second, one core: judged by what all see, by all deals that fit, chosen of all",
        tuple(
            Line(engine, {column: best[engine, column] for column in columns})
            for engine, columns in measured.items()
        ),
    )
