from datetime import UTC, datetime

import pytest
from msgspec import json

from domain.notation import read
from service.transfer.error_excerpts import ExcerptFinder
from service.transfer.upload_problems import ProblemView, describe
from service.transfer.uploads import assess

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
DOCUMENT = """{
  "ruleset": "euchre", "seats": 2,
  "options": {"deck": 52},
  "log": [
    {"type": "note", "text": "a, ] } \\" b"},
    {"type": "play", "seat": 1, "card": "AX"},
    {"type": "pass"}
  ]
}"""


def _mark(text: str, **facts: object) -> tuple[int, int, str]:
    place = ExcerptFinder(text).mark(ProblemView(message="", **facts))  # type: ignore[arg-type] # some of its fields
    assert place is not None
    return place.line, place.column, place.marked


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_what_was_found_is_marked_whatever_ends_the_lines(end: str) -> None:
    text = end.join(["[Ruleset euchre]", "[Seats 2]", "", "2. 1 pas ; so", ""])
    (problem,) = read(text).problems
    place = ExcerptFinder(text).mark(describe(problem, "en"))
    assert place is not None
    assert (place.line, place.before, place.marked, place.after) == (4, "2. 1 ", "pas", " ; so")


def test_what_is_missing_is_marked_where_it_should_stand() -> None:
    text = "[Ruleset euchre]\n[Seats 2]\n\n1 play"
    (problem,) = read(text).problems
    place = ExcerptFinder(text).mark(describe(problem, "en"))
    assert place is not None
    assert (place.line, place.before, place.marked, place.after) == (4, "1 play", "", "")


def test_entry_that_the_rules_refuse_is_marked_whole() -> None:
    assert _mark("[Ruleset euchre]\n  2. 1 pass  \n", line=2) == (2, 3, "2. 1 pass")


def test_line_after_the_last_one_has_no_place() -> None:
    assert ExcerptFinder("1 pass").mark(ProblemView(message="", line=2)) is None


@pytest.mark.parametrize(
    ("path", "line", "marked"),
    [
        ("$.options.deck", 3, "52"),
        ("$.log[1].card", 6, '"AX"'),
        ("$.log[2].seat", 7, '{"type": "pass"}'),
        ("$.log[9]", 4, "["),
        ("$.nowhere", 1, "{"),
        ("$", 1, "{"),
    ],
)
def test_path_leads_to_its_value_or_to_where_it_is_missing(
    path: str, line: int, marked: str
) -> None:
    assert _mark(DOCUMENT, path=path, expected="")[::2] == (line, marked)


def test_entry_of_a_document_is_found_by_its_index() -> None:
    assert _mark(DOCUMENT, index=0)[0] == 5


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [('{"seats": 2,\n "log": é]}', 2, 9), ('{"ruleset":"é"\n, ]', 2, 3)],
)
def test_fault_of_json_itself_is_found_by_its_byte(text: str, line: int, column: int) -> None:
    (fault,) = assess(text.encode(), NOW, "json").faults
    place = ExcerptFinder(text).mark(describe(fault, "en"))
    assert place is not None
    assert (place.line, place.column) == (line, column)


def test_json_that_ends_too_early_has_a_place_all_the_same() -> None:
    text = json.encode({"ruleset": "euchre"}).decode()[:-1]
    (fault,) = assess(text.encode(), NOW).faults
    assert ExcerptFinder(text).mark(describe(fault, "en")) is not None


def test_long_line_is_cut_to_what_stands_around_the_mark() -> None:
    text = "a" * 500 + "bad" + "c" * 500
    place = ExcerptFinder(text).mark(ProblemView(message="", line=1, column=501, found="bad"))
    assert place is not None
    assert place.marked == "bad"
    assert (place.before[0], place.after[-1]) == ("…", "…")
    assert len(place.before + place.marked + place.after) < 80


def test_what_is_wrong_nowhere_in_particular_has_no_place() -> None:
    assert ExcerptFinder("x").mark(ProblemView(message="")) is None
    assert (
        ExcerptFinder("no JSON").mark(ProblemView(message="", path="$.log[0]", expected="")) is None
    )
