"""A progress bar on a terminal."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


class Progress:
    """Progress towards `total` in the unit of `advance`; None: unknown.

    The bar appears for more than `much` units.
    """

    def __init__(self, what: str, total: int | None, *, much: int, silent: bool = False) -> None:
        self._what = what
        self._total = total
        self._much = much
        self._done = 0
        self._bar: Bar | None = None
        self._silent = silent or not sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, done: int = 1) -> None:
        self._done += done
        if self._silent or max(self._total or 0, self._done) < self._much:
            return
        if self._bar is None:
            from rich.console import Console  # noqa: PLC0415 -- optional
            from rich.progress import Progress as Bar  # noqa: PLC0415 -- optional

            bar = Bar(console=Console(stderr=True), transient=True)
            bar.add_task(self._what, total=self._total)
            bar.start()
            self._bar = bar
        self._bar.update(self._bar.task_ids[0], completed=self._done)
