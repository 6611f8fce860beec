"""How the service logs: one event a line, facts as fields.

Promises: JSON lines where the stream is a file or a pipe, colours on a terminal; what libraries
log through `logging` comes out in the same shape. Assumes to be called once, by the composition
root, before anything logs; nothing is set up at import time.
"""

import logging
from typing import TextIO

import structlog
from structlog.types import Processor


def configure_logging(stream: TextIO, level: int = logging.INFO) -> None:
    """Send structlog's and the standard library's events of `level` and above to `stream`."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *shared],
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
