"""The rows of a game's log up to a version, kept once however many versions are in use."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import overload
from uuid import UUID

from service.store.records import StoredEntry


class Rows(Sequence[StoredEntry]):
    """Rows, version 1 first."""

    __slots__ = ("_commands", "_ends", "_length", "_rows")

    def __init__(
        self, rows: list[StoredEntry], commands: dict[UUID, int], ends: list[int], length: int
    ) -> None:
        # `rows` are those of the longest that shares them; of these, the first `length` are its
        # own. `commands`: the version each began at, likewise. `ends`: the bytes of the rows up to
        # each version, from version 0 on.
        self._rows = rows
        self._commands = commands
        self._ends = ends
        self._length = length

    @classmethod
    def of(cls, rows: Iterable[StoredEntry]) -> "Rows":
        """Begin with these, which nobody shares yet."""
        return cls([], {}, [0], 0).grown(rows)

    def __len__(self) -> int:
        """Return the last version."""
        return self._length

    @property
    def size(self) -> int:
        """How many bytes entries and texts have."""
        return self._ends[self._length]

    def __iter__(self) -> Iterator[StoredEntry]:
        """Return them in order."""
        return islice(self._rows, self._length)

    @overload
    def __getitem__(self, index: int) -> StoredEntry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[StoredEntry, ...]: ...
    def __getitem__(self, index: int | slice) -> StoredEntry | tuple[StoredEntry, ...]:
        """Return the row of version `index` + 1, or some of them."""
        if isinstance(index, slice):
            return tuple(self._rows[one] for one in range(*index.indices(self._length)))
        return self._rows[range(self._length)[index]]

    def grown(self, rows: Iterable[StoredEntry]) -> "Rows":
        """Return these and the rows that follow."""
        if len(self._rows) > self._length:  # somebody has gone on from here before
            return Rows.of((*self, *rows))
        for row in rows:
            self._rows.append(row)
            self._commands.setdefault(row.command_id, row.version)
            self._ends.append(self._ends[-1] + len(row.data) + len(row.text or b""))
        return Rows(self._rows, self._commands, self._ends, len(self._rows))

    def until(self, version: int) -> "Rows":
        """Return those up to a version."""
        return Rows(self._rows, self._commands, self._ends, version)

    def continues(self, earlier: "Rows") -> bool:
        """Tell whether these are the same rows and perhaps more: none was read anew since."""
        return self._rows is earlier._rows and len(self) >= len(earlier)  # noqa: SLF001 -- its own

    def of_command(self, command_id: UUID) -> tuple[StoredEntry, ...]:
        """Return what a command wrote: nothing, if none of these is of it."""
        began = self._commands.get(command_id)
        if began is None or began > self._length:
            return ()
        end = began
        while end < self._length and self._rows[end].command_id == command_id:
            end += 1
        return self[began - 1 : end]
