"""Scripts are sent without what only their readers need."""

import re
from pathlib import Path

import pytest

from service.web.format.static_files import stripped

PAGES = Path(__file__).parent.parent.parent / "service" / "web"
SCRIPTS = sorted([*PAGES.glob("*/static/*.js"), *PAGES.glob("games/*.js")])
OPENED_IN_TEXT = re.compile(rb"""(['"])(?:(?!\1|\$\{).)*/\*\*(?:(?!\1).)*\1""")


def test_comments_types_and_indentation_are_not_sent() -> None:
    written = b"""// What it is.
/**
 * @param {string} a
 */
const f = (/** @type {string} */ a) => {
  // why
  return a + 'https://x';
};
"""
    assert stripped(written) == b"\nconst f = (a) => {\nreturn a + 'https://x';\n};\n"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_text_of_a_script_is_taken_for_a_comment(script: Path) -> None:
    assert not OPENED_IN_TEXT.search(script.read_bytes())
