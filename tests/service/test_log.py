import io
import json
import logging
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import structlog

from service.log import BufferingHandler, configure_logging, log_unraisable, request_facts


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    written = io.StringIO()
    configure_logging(written)
    yield written
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def test_an_event_is_one_line_of_json(stream: io.StringIO) -> None:
    structlog.get_logger("carnet").info("game.started", ruleset="euchre", name="Zoë")
    (line,) = stream.getvalue().splitlines()
    event = json.loads(line)
    assert (event["event"], event["ruleset"], event["level"]) == ("game.started", "euchre", "info")
    assert '"name": "Zoë", ' in line


def test_libraries_events_have_the_same_shape(stream: io.StringIO) -> None:
    logging.getLogger("library").warning("shutting %s", "down")
    event = json.loads(stream.getvalue())
    assert (event["event"], event["logger"]) == ("shutting down", "library")


def test_an_error_carries_its_trace_as_facts(stream: io.StringIO) -> None:
    try:
        raise LookupError("gone")  # noqa: TRY301 -- the test is the error
    except LookupError:
        structlog.get_logger("carnet").exception("request.failed")
    event = json.loads(stream.getvalue())
    assert event["exception"][0]["exc_type"] == "LookupError"


def test_an_error_that_nobody_can_catch_is_a_line_of_json(
    stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Leaves:
        def __del__(self) -> None:
            raise LookupError("gone")

    monkeypatch.setattr(sys, "unraisablehook", log_unraisable)
    leaving = Leaves()
    del leaving
    (line,) = stream.getvalue().splitlines()
    event = json.loads(line)
    assert (event["event"], event["level"]) == ("exception.ignored", "warning")
    assert "Leaves.__del__" in event["where"]
    assert event["exception"][0]["exc_value"] == "gone"


def test_what_json_has_no_word_for_is_told_as_python_does(stream: io.StringIO) -> None:
    structlog.get_logger("carnet").info("file.kept", where=Path("kept"))
    event = json.loads(stream.getvalue())
    assert event["where"] == repr(Path("kept"))


def test_half_a_character_is_logged(stream: io.StringIO) -> None:
    structlog.get_logger("carnet").info("file.kept", name="a\udcff", size=2**70)
    event = json.loads(stream.getvalue())
    assert (event["name"], event["size"]) == ("a\udcff", 2**70)


def test_what_is_below_the_level_is_not_written(stream: io.StringIO) -> None:
    structlog.get_logger("carnet").debug("noise")
    assert stream.getvalue() == ""


def test_a_terminal_gets_words_not_json() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    written = Terminal()
    configure_logging(written)
    structlog.get_logger("carnet").info("game.started")
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()
    assert "game.started" in written.getvalue()
    assert not written.getvalue().startswith("{")


def test_a_log_that_waits_is_written_in_order_once_it_is_released() -> None:
    with _waiting() as (written, logs):
        structlog.get_logger("carnet").info("first")
        logging.getLogger("library").info("second")
        assert written.getvalue() == ""
        logs.flush_buffer()
        logging.getLogger("library").info("third")
        assert _events(written) == ["first", "second", "third"]


def test_a_log_that_waits_does_not_wait_with_a_warning() -> None:
    with _waiting() as (written, _):
        structlog.get_logger("carnet").info("first")
        logging.getLogger("library").warning("second")
        assert _events(written) == ["first", "second"]


def test_work_goes_on_where_its_log_is_closed() -> None:
    with _waiting() as (written, logs):
        written.close()
        structlog.get_logger("carnet").warning("store.not_durable")
        logging.getLogger("library").error("stopped")
        logs.flush_buffer()


@contextmanager
def _waiting() -> Generator[tuple[io.StringIO, BufferingHandler]]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    written = io.StringIO()
    yield written, configure_logging(written, buffered=True)
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def _events(written: io.StringIO) -> list[str]:
    return [json.loads(line)["event"] for line in written.getvalue().splitlines()]


def test_a_line_says_what_is_known_of_its_request_by_now(stream: io.StringIO) -> None:
    known: dict[str, object] = {"request_id": "1"}
    before = request_facts.set(lambda: known)
    try:
        structlog.get_logger("carnet").info("early")
        known["club"] = "home"
        structlog.get_logger("carnet").info("late", club="said")
    finally:
        request_facts.reset(before)
    structlog.get_logger("carnet").info("after")
    early, late, after = map(json.loads, stream.getvalue().splitlines())
    assert (early["request_id"], "club" in early) == ("1", False)
    assert (late["request_id"], late["club"]) == ("1", "said")
    assert "request_id" not in after


def test_libraries_lines_say_the_request_too(stream: io.StringIO) -> None:
    before = request_facts.set(lambda: {"request_id": "1"})
    try:
        logging.getLogger("library").warning("lost")
    finally:
        request_facts.reset(before)
    assert json.loads(stream.getvalue())["request_id"] == "1"
