"""Reason why a correction cannot refer to a version."""

from collections.abc import Collection, Iterable
from typing import Protocol


class _HasVersion(Protocol):
    @property
    def version(self) -> int: ...


class _Stands(_HasVersion, Protocol):
    @property
    def derived(self) -> Iterable[_HasVersion]: ...


def explain_no_target(
    version: int,
    *,
    last: int,
    take_back_targets: Collection[int],
    steps: Iterable[_Stands],
    then: Iterable[_HasVersion] = (),
) -> str:
    """Return the reason why an entry can be neither corrected nor taken back to.

    `steps` is the effective history now, `then` the one at `version`. A version that a `take_back`
    may name and that is in no step was dropped by a splice, or is a correction.

    >>> explain_no_target(7, last=3, take_back_targets=(1, 2, 3), steps=())
    'unknown'
    >>> explain_no_target(2, last=3, take_back_targets=(1, 3), steps=())
    'gone'
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
    if version not in take_back_targets:
        return "gone"
    if parts:
        return "part"
    return "gone" if any(step.version == version for step in then) else "correction"
