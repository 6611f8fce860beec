"""Buttons of the dialogs about taps: each has a handler in the script that shows it."""

import re

from service.web.format.environments import PAGES

SCRIPT = (PAGES / "recorder" / "static" / "questions.js").read_text("utf-8")
# A dialog about taps that are not sent yet: it closes, whatever its way.
CLOSES = "close"


def handled() -> set[str]:
    """Return the ways that have a branch of their own when a dialog is answered."""
    (body,) = re.findall(r"async function answered\(.*?\n  }\n", SCRIPT, re.DOTALL)
    return set(re.findall(r"\bway === '(\w+)'", body))


def test_each_way_that_a_dialog_can_show_has_a_handler() -> None:
    pages = "".join(path.read_text("utf-8") for path in PAGES.rglob("*.html"))
    made = set(re.findall(r"\bchoice\('(\w+)'", SCRIPT))
    sent = set(re.findall(r'\bdata-way="(\w+)"', pages))
    # Every way is written out, but in the function that makes the button.
    assert SCRIPT.count("choice(") - 1 == len(re.findall(r"\bchoice\('", SCRIPT))
    assert made
    assert sent
    assert (made - {CLOSES}) | sent <= handled()
