"""DECISIONS.md says what was replaced by what, and both are there."""

import re

from tests.documents.blocks import ROOT

PAPER = (ROOT / "DECISIONS.md").read_text("utf-8")
TITLES = re.findall(r"^## (\d{4}-\d\d-\d\d) · (.+)$", PAPER, re.MULTILINE)
_MARK = r"^\*((?:Partly replaced|Replaced|Gone on with) (?:by|in) .+?)\*$"
MARKS = re.findall(_MARK, PAPER, re.MULTILINE | re.DOTALL)


def test_what_replaces_something_is_there() -> None:
    named = [name for mark in MARKS for name in re.findall("“(.+?)”", " ".join(mark.split()))]
    assert len(named) >= len(MARKS) > 10
    assert set(named) <= {title for _, title in TITLES}


def test_decisions_are_in_the_order_of_their_days() -> None:
    days = [day for day, _ in TITLES]
    assert days == sorted(days)


def test_no_two_decisions_have_one_title() -> None:
    titles = [title for _, title in TITLES]
    assert len(titles) == len(set(titles))
