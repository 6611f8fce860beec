"""A problem in a text record: its position, the text found and what was expected."""

from msgspec import Struct

SHOWN_MAX = 40  # characters of what was found


class Problem(Struct, frozen=True, kw_only=True):
    line: int
    column: int
    found: str
    expected: str


class Unreadable(Exception):  # noqa: N818 -- internal: it ends the parsing of one line
    """Raised inside the parser at the first problem of a line."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.expected)
        self.problem = problem


def printable(text: str) -> str:
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"
