"""Why a text is no record: a value that says where, what stands there, and what was expected."""

from msgspec import Struct

SHOWN_MAX = 40  # characters of what was found


class Problem(Struct, frozen=True, kw_only=True):
    """One fault. `line` and `column` count from 1, columns in characters.

    `found` is the text that stands there, empty at the end of a line.
    """

    line: int
    column: int
    found: str
    expected: str


class Unreadable(Exception):  # noqa: N818 -- it ends the reading of one line and never leaves here
    """Where one line stops making sense."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.expected)
        self.problem = problem


def shown(text: str) -> str:
    """Shorten what was found."""
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"
