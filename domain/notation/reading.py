"""Parse a whole text as a record, or return its problems."""

from msgspec import Struct

from domain.notation.entries import NumberedEntry, read_line
from domain.notation.problem import Problem
from domain.notation.scan import Token, scan
from domain.notation.tags import Header, Tags
from domain.notation.writing import digest
from schemas.catalogue import Shapes
from schemas.record import PortableRecord

FIRST_NUMBER = 2  # `started`, version 1, is written as tags
PROBLEMS_MAX = 100  # a file that is no record has one per line


class Reading(Struct, frozen=True, kw_only=True):
    """A record, or the problems that prevent it.

    `lines` are the lines of the entries; `numbers` the numbers written before them.
    """

    record: PortableRecord | None
    problems: tuple[Problem, ...] = ()
    lines: tuple[int, ...] = ()
    numbers: tuple[int | None, ...] = ()


def read(data: bytes | str) -> Reading:
    """Parse a text; at most `PROBLEMS_MAX` problems are returned.

    The rules of the game are not applied.

    A `Hash` tag that differs from the record's own hash is a problem: the text was changed.

    >>> read(b'[Ruleset "chess"]').record is None
    True
    """
    text = data if isinstance(data, str) else _decode(data)
    if isinstance(text, Problem):
        return Reading(record=None, problems=(text,))
    lines, problems = scan(text)
    begin = lines[0][0] if lines else Token("end", "", 1, 1)
    split = next((n for n, line in enumerate(lines) if not line[0].is_sign("[")), len(lines))
    tags = Tags(lines[:split], begin)
    header = tags.header()
    problems += tags.problems
    if header.of is None:
        return Reading(record=None, problems=_in_order(problems))
    entries = _entries(lines[split:], header.of, problems)
    _check_numbers(entries, problems)
    record = None if problems else _record(header, entries, problems)
    return Reading(
        record=None if problems else record,
        problems=_in_order(problems),
        lines=tuple(line.at.line for line in entries),
        numbers=tuple(line.number for line in entries),
    )


def _decode(data: bytes) -> str | Problem:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        before = data[: fault.start].decode("utf-8-sig")
        column = len(before) - before.rfind("\n")
        found = f"0x{data[fault.start]:02x}"
        line = before.count("\n") + 1
        return Problem(line=line, column=column, found=found, expected="UTF-8 text")


def _entries(lines: list[list[Token]], of: Shapes, problems: list[Problem]) -> list[NumberedEntry]:
    entries: list[NumberedEntry] = []
    for tokens in lines:
        if len(problems) >= PROBLEMS_MAX:
            break
        if tokens[0].is_sign("["):
            problems.append(tokens[0].problem("tags above the first entry"))
            continue
        line = read_line(tokens, of)
        if isinstance(line, Problem):
            problems.append(line)
        else:
            entries.append(line)
    return entries


def _check_numbers(entries: list[NumberedEntry], problems: list[Problem]) -> None:
    last = FIRST_NUMBER - 1
    for line in entries:
        if line.number is None:
            last += 1
            continue
        if line.number <= last:
            problems.append(line.at.problem(f"a number of at least {last + 1}"))
        last = max(last + 1, line.number)


def _record(
    header: Header, entries: list[NumberedEntry], problems: list[Problem]
) -> PortableRecord | None:
    if header.of is None or header.options is None or header.seats is None:
        return None
    record = PortableRecord(
        ruleset=header.of.name,
        rules_version=header.rules_version,
        options=header.options,
        seats=header.seats,
        log=tuple(line.entry for line in entries),
        players=header.players,
        date=header.date,
        title=header.title,
        place=header.place,
    )
    if header.hash is not None and header.hash_at is not None and header.hash != digest(record):
        problems.append(header.hash_at.problem(f"{digest(record)}, the hash of what stands here"))
    return record


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(
        sorted(problems, key=lambda problem: (problem.line, problem.column))[:PROBLEMS_MAX]
    )
