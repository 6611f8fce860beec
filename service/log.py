"""How the service logs: one event a line, facts as fields.

Promises: JSON lines where the stream is a file or a pipe, colours on a terminal; what libraries
log through `logging` comes out in the same shape, without their own colours. Assumes to be called
once, by the composition root, before anything logs; nothing is set up at import time.
"""

import contextlib
import logging
from typing import TYPE_CHECKING, TextIO

import structlog
from structlog.types import EventDict, Processor

if TYPE_CHECKING:
    _StreamHandler = logging.StreamHandler[TextIO]
else:
    _StreamHandler = logging.StreamHandler


class PatientHandler(_StreamHandler):
    """Writes what is logged; one that waits, from the first warning or `let_through` on."""

    def __init__(self, stream: TextIO, *, waits: bool) -> None:
        super().__init__(stream)
        self._waiting: list[str] | None = [] if waits else None

    def emit(self, record: logging.LogRecord) -> None:
        """Write an event, or keep it."""
        if self._waiting is not None and record.levelno < logging.WARNING:
            self._waiting.append(self.format(record))
            return
        self.let_through()
        super().emit(record)

    def let_through(self) -> None:
        """Write what was kept, and wait no more."""
        with self.lock or contextlib.nullcontext():
            kept, self._waiting = self._waiting or [], None
            self.stream.writelines(line + self.terminator for line in kept)
            self.flush()


def configure_logging(
    stream: TextIO, level: int = logging.INFO, *, waits: bool = False
) -> PatientHandler:
    """Send structlog's and the standard library's events of `level` and above to `stream`.

    `waits`: what is less than a warning is written once the returned handler lets it through.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    handler = PatientHandler(stream, waits=waits)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), _without_colours, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_rendering(terminal=stream.isatty()),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return handler


def _without_colours(logger: object, name: str, event: EventDict) -> EventDict:
    """Leave out what uvicorn says a second time, with the codes of a terminal's colours."""
    del logger, name
    event.pop("color_message", None)
    return event


def _rendering(*, terminal: bool) -> list[Processor]:
    if terminal:
        formatter = structlog.dev.RichTracebackFormatter(show_locals=False)
        return [structlog.dev.ConsoleRenderer(exception_formatter=formatter)]
    return [
        # Without the values of variables: keys are among them.
        structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        ),
        structlog.processors.JSONRenderer(ensure_ascii=False),
    ]
