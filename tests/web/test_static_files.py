import re
from pathlib import Path

import pytest

from service.web.format.static_files import static_files, strip_comments

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
    assert strip_comments(written, ".js") == b"\nconst f = (a) => {\nreturn a + 'https://x';\n};\n"


def test_comments_of_a_style_sheet_are_not_sent() -> None:
    written = b"""/* What it is,
   in two lines. */
.a > .b {
  color: red; /* why */
  content: "b  c";
}
"""
    assert strip_comments(written, ".css") == b'.a>.b{color:red;content:"b  c"}'
    assert strip_comments(written, ".svg") == written


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_no_text_of_a_style_sheet_is_taken_for_a_comment(sheet: Path) -> None:
    assert not re.search(rb"""(["'])[^"'\n]*/\*[^"'\n]*\1""", sheet.read_bytes())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_text_of_a_script_is_taken_for_a_comment(script: Path) -> None:
    assert not OPENED_IN_TEXT.search(script.read_bytes())


def test_the_style_sheets_of_a_page_are_one_file_in_their_order() -> None:
    files = static_files()
    address = files.sheets("board", None, "dutch", files.own_sheet("dutch-of-tomorrow"), "narrow")
    assert address == f"/static/{files.digest}/board+dutch+narrow.css"
    content = [files.content[f"{name}.css"] for name in ("board", "dutch", "narrow")]
    assert files.read("board+dutch+narrow.css") == b"".join(content)


@pytest.mark.parametrize(
    "name", ["none.css", "board+none.css", "board+board.css", "zone+menu.js", "board", ""]
)
def test_what_is_no_file_is_not_found(name: str) -> None:
    with pytest.raises(KeyError):
        static_files().read(name)


def test_a_page_cannot_name_a_style_sheet_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        static_files().sheets("board", "none")
