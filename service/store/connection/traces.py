"""OpenTelemetry spans of database calls."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from opentelemetry.trace import SpanKind, StatusCode, Tracer, get_current_span
from psycopg import Error
from psycopg.sql import Composable

# The verb of a statement and the first object of ours in it.
_VERB, _NAMED = re.compile(r"\w+"), re.compile(r"\bcarnet\.(\w+)")


@contextmanager
def store_span(tracer: Tracer, name: str) -> Generator[None]:
    """Trace a database call of a request."""
    if not get_current_span().is_recording():
        yield
        return
    attributes = {"db.system.name": "postgresql", "db.operation.name": name}
    with tracer.start_as_current_span(
        name,
        kind=SpanKind.CLIENT,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield
        except Exception as error:
            span.set_status(StatusCode.ERROR)
            span.set_attribute("error.type", type(error).__name__)
            if isinstance(error, Error) and error.sqlstate:
                span.set_attribute("db.response.status_code", error.sqlstate)
            raise


def traced_cursor(tracer: Tracer, cursor: Any) -> Any:  # noqa: ANN401 -- a class made of a class
    """Return a cursor class whose statements are spans."""

    class TracedCursor(cursor):  # type: ignore[misc] # a class in a variable
        async def execute(self, query: Any, *given: Any, **more: Any) -> Any:  # noqa: ANN401 -- as psycopg has it
            text = query.as_string(self) if isinstance(query, Composable) else query
            with store_span(tracer, summary(text)):
                parent: Any = super()
                return await parent.execute(query, *given, **more)

    return TracedCursor


@lru_cache(maxsize=512)
def summary(statement: bytes | str) -> str:
    """Summarise a statement by its verb and its table or function: `SELECT append`."""
    text = statement.decode(errors="replace") if isinstance(statement, bytes) else statement
    verb, named = _VERB.search(text), _NAMED.search(text)
    words = (found[found.re.groups] for found in (verb, named) if found)
    return " ".join(words) or "statement"
