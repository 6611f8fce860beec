"""How the service logs: one event a line, facts as fields."""

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


# What is known of the request by now: asked for by each line, as it is learnt on the way, and since
# to bind every fact anew when it is learnt would cost requests that log nothing.
request_facts: ContextVar[Callable[[], Mapping[str, object]] | None] = ContextVar(
    "request_facts", default=None
)
# The version of the game that is appended to: the one that was known, then the one that it has.
request_version: ContextVar[int | None] = ContextVar("request_version", default=None)


class PatientHandler(_StreamHandler):
    """Writes what is logged; one that waits, from the first warning or `let_through` on."""

    def __init__(self, stream: TextIO, *, waits: bool) -> None:
        super().__init__(stream)
        self._waiting: list[str] | None = [] if waits else None

    def emit(self, record: logging.LogRecord) -> None:
        """Write an event, or keep it."""
        self.write(record.levelno, self.format(record))

    def write(self, level: int, line: str) -> None:
        """Write a line, or keep it."""
        if self._waiting is not None:
            if level < logging.WARNING:
                self._waiting.append(line)
                return
            self.let_through()
        with self.lock or contextlib.nullcontext(), _unheard():
            self.stream.write(line + self.terminator)
            self.stream.flush()

    def let_through(self) -> None:
        """Write what was kept, and wait no more."""
        with self.lock or contextlib.nullcontext():
            kept, self._waiting = self._waiting or [], None
            with _unheard():
                self.stream.writelines(line + self.terminator for line in kept)
                self.stream.flush()


def log_unraisable(ignored: "sys.UnraisableHookArgs") -> None:
    """Log an error that nobody could catch, as `sys.unraisablehook`: a finaliser's, most often.

    Python would write it as text of several lines, which no reader of JSON lines knows.
    """
    error = ignored.exc_value or ignored.exc_type()
    log = structlog.get_logger(__name__)
    log.warning("exception.ignored", where=repr(ignored.object), exc_info=error)


def _unheard() -> contextlib.suppress:
    return contextlib.suppress(OSError, ValueError)


class _Lines:
    """A logger of structlog's: what it is given is written as it stands."""

    def __init__(self, handler: PatientHandler, name: str = "") -> None:
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
    stream: TextIO, level: int = logging.INFO, *, waits: bool = False
) -> PatientHandler:
    """Send structlog's and the standard library's events of `level` and above to `stream`.

    `waits`: what is less than a warning is written once the returned handler lets it through.
    """
    shared: list[Processor] = [
        _of_the_request,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    rendering = _rendering(terminal=stream.isatty())
    handler = PatientHandler(stream, waits=waits)
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
        # Our own events do not go through `logging`, which takes as long as writing them.
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
        # Without the values of variables: keys are among them.
        structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        ),
        structlog.processors.JSONRenderer(_as_json),
    ]


def _as_json(event: EventDict, **_: object) -> str:
    try:
        # Spaced as the standard library does it: people search for `"status": 500`.
        return msgspec.json.format(msgspec.json.encode(event, enc_hook=repr), indent=0).decode()
    except (UnicodeEncodeError, OverflowError, TypeError):  # half a character, a number too large
        return json.dumps(event, default=repr, skipkeys=True)
