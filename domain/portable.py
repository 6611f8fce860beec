"""Judge a complete portable record, including the derived entries it contains."""

from collections import deque
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from domain.replay import opening
from domain.table.history import History, Line
from domain.table.refusal import Refusal
from schemas.entries import DERIVED, Entry
from schemas.record import PortableRecord


class RefusedEntry(Struct, frozen=True):
    """The rules refuse the entry at `index` of the log."""

    index: int
    refusal: Refusal


class WrongDerivedEntry(Struct, frozen=True):
    """The derived entry at `index` of the log is wrong; `due` is the right one or None.

    `index` is the length of the log if an entry is missing at its end.
    """

    index: int
    due: Entry | None


class WrongNumber(Struct, frozen=True):
    """The number written before the entry at `index` is not its `version`."""

    index: int
    version: int


Fault = RefusedEntry | WrongDerivedEntry | WrongNumber


class JudgedRecord(Struct, frozen=True):
    """The history up to the first refusal, and its lines after `started`."""

    history: History
    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]


def judge_record(record: PortableRecord, numbers: Sequence[int | None] = ()) -> JudgedRecord:
    """Judge a record; `numbers` are the entry numbers written in its text form, None if omitted."""
    judge = _Judge(record, numbers)
    for index, entry in enumerate(record.log):
        if judge.add(index, entry) == "ends":
            return judge.judged()
    judge.expect_no_derived(len(record.log))
    return judge.judged()


class _Judge:
    def __init__(self, record: PortableRecord, numbers: Sequence[int | None]) -> None:
        start = opening(
            record.ruleset, record.options, record.seats, rules_version=record.rules_version
        )
        self._history = History(start)
        self._numbers = numbers
        self._has_derived = any(type(entry) in DERIVED for entry in record.log)
        self._due: deque[Line] = deque()
        self._lines: list[Line] = []
        self._faults: list[Fault] = []

    def judged(self) -> JudgedRecord:
        return JudgedRecord(self._history, tuple(self._lines), tuple(self._faults))

    def add(self, index: int, entry: Entry) -> Literal["goes on", "ends"]:
        if type(entry) in DERIVED:
            line = self._due.popleft() if self._due else None
            if line is None or line.entry != entry:
                self._faults.append(WrongDerivedEntry(index, line.entry if line else None))
            else:
                self._check_number(index, line.version)
            return "goes on"
        self.expect_no_derived(index)
        version = self._history.version + 1
        self._check_number(index, version)
        judged = self._history.judge(entry)
        if isinstance(judged, Refusal):
            self._faults.append(RefusedEntry(index, judged))
            return "ends"
        self._lines.extend(judged)
        self._due.extend(judged[1:])
        return "goes on"

    def expect_no_derived(self, index: int) -> None:
        if self._due and self._has_derived:
            self._faults.append(WrongDerivedEntry(index, self._due[0].entry))
        self._due.clear()

    def _check_number(self, index: int, version: int) -> None:
        number = self._numbers[index] if index < len(self._numbers) else None
        if number is not None and number != version:
            self._faults.append(WrongNumber(index, version))
