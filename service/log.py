"""Logging: one event per line, with facts as fields."""

import contextlib
import json
import logging
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, TextIO

import msgspec
import structlog
from structlog.types import EventDict, Processor

if TYPE_CHECKING:
    _StreamHandler = logging.StreamHandler[TextIO]
else:
    _StreamHandler = logging.StreamHandler


# The facts of the current request. A callable, because facts are added during the request and most
# requests log nothing that would need them.
request_facts: ContextVar[Callable[[], Mapping[str, object]] | None] = ContextVar(
    "request_facts", default=None
)
# The version of the game that is appended to: first the expected one, then the stored one.
request_version: ContextVar[int | None] = ContextVar("request_version", default=None)


class BufferingHandler(_StreamHandler):
    """Writes log lines; a `buffered` handler starts at the first warning or `flush_buffer`."""

    def __init__(self, stream: TextIO, *, buffered: bool) -> None:
        super().__init__(stream)
        self._buffer: list[str] | None = [] if buffered else None

    def emit(self, record: logging.LogRecord) -> None:
        self.write(record.levelno, self.format(record))

    def write(self, level: int, line: str) -> None:
        if self._buffer is not None:
            if level < logging.WARNING:
                self._buffer.append(line)
                return
            self.flush_buffer()
        with self.lock or contextlib.nullcontext(), _ignore_closed_stream():
            self.stream.write(line + self.terminator)
            self.stream.flush()

    def flush_buffer(self) -> None:
        """Write the buffered lines, and buffer no more."""
        with self.lock or contextlib.nullcontext():
            lines, self._buffer = self._buffer or [], None
            with _ignore_closed_stream():
                self.stream.writelines(line + self.terminator for line in lines)
                self.stream.flush()


def log_unraisable(ignored: "sys.UnraisableHookArgs") -> None:
    """Log an unraisable exception, usually a finalizer's, as `sys.unraisablehook`.

    Python would print several lines of text between lines of JSON.
    """
    error = ignored.exc_value or ignored.exc_type()
    log = structlog.get_logger(__name__)
    log.warning("exception.ignored", where=repr(ignored.object), exc_info=error)


def _ignore_closed_stream() -> contextlib.suppress:
    return contextlib.suppress(OSError, ValueError)


class _Lines:
    def __init__(self, handler: BufferingHandler, name: str = "") -> None:
        self.name = name
        self._handler = handler

    def debug(self, line: str) -> None:
        self._handler.write(logging.DEBUG, line)

    def info(self, line: str) -> None:
        self._handler.write(logging.INFO, line)

    def warning(self, line: str) -> None:
        self._handler.write(logging.WARNING, line)

    def error(self, line: str) -> None:
        self._handler.write(logging.ERROR, line)

    critical = fatal = exception = error


def configure_logging(
    stream: TextIO, level: int = logging.INFO, *, buffered: bool = False, as_json: bool = False
) -> BufferingHandler:
    """Send events of structlog and `logging` at `level` and above to `stream`.

    `buffered`: hold back lines below warning until the returned handler is flushed. `as_json`: also
    on a terminal.
    """
    shared: list[Processor] = [
        _of_the_request,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    rendering = _rendering(terminal=stream.isatty() and not as_json)
    handler = BufferingHandler(stream, buffered=buffered)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *rendering,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    structlog.configure(
        # Events of structlog bypass `logging`, which would double their cost.
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=partial(_Lines, handler),
        cache_logger_on_first_use=True,
    )
    return handler


def _of_the_request(logger: object, name: str, event: EventDict) -> EventDict:
    del logger, name
    facts = request_facts.get()
    if facts is None:
        return event
    version = request_version.get()
    return {**facts(), **({} if version is None else {"version": version}), **event}


def _rendering(*, terminal: bool) -> list[Processor]:
    if terminal:
        formatter = structlog.dev.RichTracebackFormatter(show_locals=False)
        return [structlog.dev.ConsoleRenderer(exception_formatter=formatter)]
    return [
        # Without local variables, which may contain keys.
        structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        ),
        structlog.processors.JSONRenderer(_as_json),
    ]


def _as_json(event: EventDict, **_: object) -> str:
    try:
        # Spaces as in the standard library: people search for `"status": 500`.
        return msgspec.json.format(msgspec.json.encode(event, enc_hook=repr), indent=0).decode()
    except (UnicodeEncodeError, OverflowError, TypeError):  # half a character, a number too large
        return json.dumps(event, default=repr, skipkeys=True)
