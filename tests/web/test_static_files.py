"""Scripts and style sheets are sent without what only their readers need."""

import re
from pathlib import Path

import pytest

from service.web.format.static_files import stripped

PAGES = Path(__file__).parent.parent.parent / "service" / "web"
SCRIPTS = sorted([*PAGES.glob("*/static/*.js"), *PAGES.glob("games/*.js")])
SHEETS = sorted([*PAGES.glob("*/static/*.css"), *PAGES.glob("games/*.css")])
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
    assert stripped(written, ".js") == b"\nconst f = (a) => {\nreturn a + 'https://x';\n};\n"


def test_comments_of_a_style_sheet_are_not_sent() -> None:
    written = b"""/* What it is,
   in two lines. */
.a {
  color: red; /* why */
  content: "b  c";
}
"""
    assert stripped(written, ".css") == b'.a {\ncolor: red; \ncontent: "b  c";\n}\n'
    assert stripped(written, ".svg") == written


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_no_text_of_a_style_sheet_is_taken_for_a_comment(sheet: Path) -> None:
    assert not re.search(rb"""(["'])[^"'\n]*/\*[^"'\n]*\1""", sheet.read_bytes())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_text_of_a_script_is_taken_for_a_comment(script: Path) -> None:
    assert not OPENED_IN_TEXT.search(script.read_bytes())
