"""Why a correction cannot name an entry, for those who read of it."""

from collections.abc import Collection, Iterable
from typing import Protocol


class _Numbered(Protocol):
    @property
    def version(self) -> int: ...


class _Stands(_Numbered, Protocol):
    @property
    def derived(self) -> Iterable[_Numbered]: ...


def why_not(
    version: int,
    *,
    last: int,
    standing: Collection[int],
    steps: Iterable[_Stands],
    then: Iterable[_Numbered] = (),
) -> str:
    """Say why an entry can be neither corrected nor gone back to.

    `steps` stand now, `then` stood when `version` was the last. A version that a `take_back` may
    name and that stands no more was dropped by a splice, or is a correction.
    """
    if not 1 <= version <= last:
        return "unknown"
    if version == 1:
        return "first"
    parts = False
    for step in steps:
        if any(line.version == version for line in step.derived):
            return "derived"
        parts = parts or step.version == version
    if version not in standing:
        return "gone"
    if parts:
        return "part"
    return "gone" if any(step.version == version for step in then) else "correction"
