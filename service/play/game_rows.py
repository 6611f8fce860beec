"""The rows of a log up to a version, shared by all cached versions."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import overload
from uuid import UUID

from service.store.records import StoredEntry


class Rows(Sequence[StoredEntry]):
    __slots__ = ("_commands", "_ends", "_erased", "_length", "_rows")

    def __init__(
        self,
        rows: list[StoredEntry],
        commands: dict[UUID, int],
        ends: list[int],
        erased: list[StoredEntry],
        length: int,
    ) -> None:
        # All versions share the longest list `rows` and use its first `length` elements.
        # `commands`: the first version of each command. `ends`: the total bytes up to each version,
        # from version 0 on. `erased`: the rows whose text was erased.
        self._rows = rows
        self._commands = commands
        self._ends = ends
        self._erased = erased
        self._length = length

    @classmethod
    def of(cls, rows: Iterable[StoredEntry]) -> "Rows":
        return cls([], {}, [0], [], 0).extend(rows)

    def __len__(self) -> int:
        return self._length

    @property
    def size(self) -> int:
        return self._ends[self._length]

    @property
    def erased(self) -> list[StoredEntry]:
        return [row for row in self._erased if row.version <= self._length]

    def __iter__(self) -> Iterator[StoredEntry]:
        return islice(self._rows, self._length)

    @overload
    def __getitem__(self, index: int) -> StoredEntry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[StoredEntry, ...]: ...
    def __getitem__(self, index: int | slice) -> StoredEntry | tuple[StoredEntry, ...]:
        """Return the row of version `index` + 1, or a slice."""
        if isinstance(index, slice):
            return tuple(self._rows[number] for number in range(*index.indices(self._length)))
        return self._rows[range(self._length)[index]]

    def extend(self, rows: Iterable[StoredEntry]) -> "Rows":
        if len(self._rows) > self._length:  # another version has extended the list already
            return Rows.of((*self, *rows))
        end = self._ends[-1]
        for row in rows:
            self._rows.append(row)
            self._commands.setdefault(row.command_id, row.version)
            end += len(row.data)
            if row.text is not None:
                end += len(row.text)
            elif row.erased:
                self._erased.append(row)
            self._ends.append(end)
        return Rows(self._rows, self._commands, self._ends, self._erased, len(self._rows))

    def until(self, version: int) -> "Rows":
        return Rows(self._rows, self._commands, self._ends, self._erased, version)

    def continues(self, earlier: "Rows") -> bool:
        """Return whether these are `earlier` or an extension of the same objects."""
        return self._rows is earlier._rows and len(self) >= len(earlier)  # noqa: SLF001 -- own class

    def of_command(self, command_id: UUID) -> tuple[StoredEntry, ...]:
        """Return the rows that a command wrote; none if it is unknown."""
        began = self._commands.get(command_id)
        if began is None or began > self._length:
            return ()
        end = began
        while end < self._length and self._rows[end].command_id == command_id:
            end += 1
        return self[began - 1 : end]
