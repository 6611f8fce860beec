"""Excerpts of a record around a problem, with the faulty part marked."""

import json
import re
from bisect import bisect_right
from functools import lru_cache

from msgspec import Struct

from service.transfer.upload_problems import ProblemView

_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANK = re.compile(r"[ \t\r\n]*")
_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]")
_BYTE = re.compile(r"\(byte (\d+)\)")
_CLOSING = re.compile(r"[ \t\r\n]*[\]}]")
_AROUND = 32  # characters shown before and after the mark
_MARKED_MAX = 48


class Excerpt(Struct, frozen=True, kw_only=True):
    """A line of a record in three parts; `marked` is empty where something is missing."""

    line: int
    column: int
    before: str
    marked: str
    after: str


class ExcerptFinder:
    """Finds the places of problems in one record, text or JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        self._json = _JsonPositions(text)

    def mark(self, problem: ProblemView) -> Excerpt | None:
        """Return the excerpt for a problem; None if it has no place."""
        if problem.line is not None:
            return self._on_line(problem.line, problem.column, problem.found)
        if problem.path is None and problem.index is None:
            return None
        byte = _syntax_error_byte(problem)
        if byte is not None:
            at = len(self._text.encode()[:byte].decode(errors="ignore"))
            return self._span(at, at + 1)
        path = f"$.log[{problem.index}]" if problem.path is None else problem.path
        place = self._json.place(path)
        return None if place is None else self._span(*place)

    def _on_line(self, line: int, column: int | None, found: str | None) -> Excerpt | None:
        if line > len(self._starts):
            return None
        begin, end = self._line_bounds(line)
        if column is None:
            line_text = self._text[begin:end]
            return self._span(
                begin + len(line_text) - len(line_text.lstrip()), begin + len(line_text.rstrip())
            )
        at = min(begin + column - 1, end)
        return self._span(at, at + len((found or "").removesuffix("…")))

    def _span(self, at: int, until: int) -> Excerpt:
        line = bisect_right(self._starts, at)
        begin, end = self._line_bounds(line)
        until = min(until, end, at + _MARKED_MAX)
        first, last = max(begin, at - _AROUND), min(end, until + _AROUND)
        return Excerpt(
            line=line,
            column=at - begin + 1,
            before=("…" if first > begin else "") + self._text[first:at],
            marked=self._text[at:until],
            after=self._text[until:last] + ("…" if last < end else ""),
        )

    def _line_bounds(self, line: int) -> tuple[int, int]:
        begin = self._starts[line - 1]
        end = _LINE_END.search(self._text, begin)
        return begin, end.start() if end else len(self._text)


def _syntax_error_byte(problem: ProblemView) -> int | None:
    # msgspec reports the byte of a syntax error only within its message.
    reported = _BYTE.search(problem.expected or "")
    return int(reported[1]) if reported else None


class _JsonPositions:
    """Positions of values in a JSON document, parsed only along the requested paths."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decoder = json.JSONDecoder()
        self._parts = lru_cache(self._read_parts)

    def place(self, path: str) -> tuple[int, int] | None:
        """Return start and end of a value; for a missing one, of its parent."""
        steps = [name or int(number) for name, number in _STEP.findall(path)]
        at = self._skip_blank(0)
        try:
            for step in steps:
                parts = self._parts(at)
                if step not in parts:
                    break
                at = parts[step]
            return at, self._value_end(at) if steps else at + 1
        except (ValueError, RecursionError):
            return None

    def _read_parts(self, at: int) -> dict[str | int, int]:
        """Return the start of each item of an object or list; empty for other values."""
        opening = self._text[at : at + 1]
        parts: dict[str | int, int] = {}
        while opening in {"{", "["}:
            if _CLOSING.match(self._text, at + 1):
                break
            at = self._skip_blank(at + 1)
            key: str | int = len(parts)
            if opening == "{":
                key, at = self._decoder.raw_decode(self._text, at)
                at = self._skip_blank(self._skip_blank(at) + 1)
            parts[key] = at
            at = self._skip_blank(self._value_end(at))
            if self._text[at : at + 1] != ",":
                break
        return parts

    def _value_end(self, at: int) -> int:
        return self._decoder.raw_decode(self._text, at)[1]

    def _skip_blank(self, at: int) -> int:
        blank = _BLANK.match(self._text, at)
        return blank.end() if blank else at
