"""`carnet rules`: print the games, or the clauses of a game."""

import sys
from argparse import Namespace
from textwrap import fill

from schemas.catalogue import SHAPES
from service.language.texts import texts

WIDTH = 88


def run(arguments: Namespace) -> int:
    if arguments.game is None:
        sys.stdout.write("".join(f"{name}\n" for name in SHAPES))
        return 0
    if arguments.game not in SHAPES:
        known = ", ".join(SHAPES)
        sys.stderr.write(f"carnet rules: no game is called {arguments.game!r}; known: {known}\n")
        return 2
    for rule, clause in texts().of_game(arguments.game).items():
        sentence = fill(
            clause.of(arguments.lang), WIDTH, initial_indent="  ", subsequent_indent="  "
        )
        sys.stdout.write(f"{rule}  [{clause.kind}]\n{sentence}\n  ({clause.source})\n\n")
    return 0
