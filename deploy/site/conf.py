"""Settings of Sphinx for the site that `deploy/dev.py docs` builds from the documents.

The documents stay as a forge shows them. Reading adds what only a site needs: the order of pages,
titles of guides, cards as signs, and line numbers of records.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pygments.lexers.data import JsonLexer
from pygments.lexers.special import TextLexer

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from service.language.french import french_spacing  # noqa: E402 -- found by the line above
from service.language.sentence import LANGUAGES  # noqa: E402 -- as above
from service.language.texts import texts  # noqa: E402 -- as above

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

project = html_title = "Carnet"
language = "en"
extensions = ["myst_parser"]
root_doc = "README"
source_suffix = {".md": "markdown", ".carnet": "markdown"}
include_patterns = ["*.md", "deploy/*.md", "docs/**.md", "docs/games/*.carnet", "domain/**.md"]
# Folders that are not searched for documents.
exclude_patterns = [".*", "build", "dist", "projections", "schemas", "service", "tests"]

smartquotes = False

myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4  # as a forge names them

html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_favicon = "../../service/web/format/static/icon.svg"
html_use_index = False

GAMES = ("euchre", "durak", "rami", "dutch", "scores")
NAMES = {"en": "English", "fr": "Français", "de": "Deutsch"}
RULES = {"en": "every rule", "fr": "toutes les règles", "de": "alle Regeln"}
SIGNS = str.maketrans({"T": "10", "S": "♠", "H": "♥", "D": "♦", "C": "♣"})
# Captions of the navigation with their pages, * for all of a folder.
PAGES = {
    "At the table": ("docs/tutorial", "docs/any-other-game", "docs/taps"),
    "Games": tuple(f"domain/{game}/guide.en" for game in GAMES),
    "Your own Carnet": (
        *(f"docs/operating/{page}" for page in ("install", "home-network", "backup")),
        *(f"docs/operating/{page}" for page in ("new-machine", "upgrades", "monitoring")),
        *("docs/operating/scaling", "deploy/RELIABILITY", "SECURITY", "CHANGELOG"),
    ),
    "Programs": (
        "docs/programs",
        *(f"docs/reference/{page}" for page in ("api", "entries", "command-line", "settings")),
        *("domain/notation/NOTATION", "docs/games/collection/README"),
    ),
    "How it works": (
        *("docs/architecture", "docs/glossary", "docs/inference", "docs/what-the-record-proves"),
        *("docs/games/*", "docs/benchmarks"),
    ),
    "Contribute": (
        *("CONTRIBUTING", "docs/adding-a-game", "docs/testing", "docs/release", "docs/decisions"),
    ),
}
CARDS = re.compile(r"`((?:[2-9TJQKA][SHDC] ?)+)`")


def toctree(pages: Iterable[str], caption: str = "", *, shown: bool = False) -> str:
    options = [f":caption: {caption}"] if caption else []
    options += [":glob:", ":maxdepth: 1"] if shown else [":glob:", ":hidden:"]
    return "\n".join(["", "```{toctree}", *options, "", *pages, "```", ""])


def readme(text: str) -> str:
    parts = (toctree((f"/{page}" for page in pages), name) for name, pages in PAGES.items())
    return text + "".join(parts)


def guide(game: str, lang: str, text: str) -> str:
    """Add title, languages and rules to a guide, and write its cards as signs."""
    others = (NAMES[one] if one == lang else f"[{NAMES[one]}](guide.{one}.md)" for one in LANGUAGES)
    head = f"# {texts().game(game, lang)}\n\n{' · '.join(others)} · [{RULES[lang]}](RULES.md)\n\n"
    words = french_spacing(text) if lang == "fr" else text
    below = [f"guide.{one}" for one in LANGUAGES[1:]] + ["RULES"]
    cards = CARDS.sub(lambda found: found[0].translate(SIGNS), words)
    return head + cards + (toctree(below) if lang == LANGUAGES[0] else "")


def record(name: str, text: str) -> str:
    title = f"# A game of {texts().game(name, 'en')}\n\n"
    return f"{title}```{{code-block}} text\n:linenos:\n\n{text}```\n"


def add_for_site(_app: Sphinx | None, name: str, source: list[str]) -> None:
    """Change the text of a document for the site, in place, as Sphinx wants it."""
    text = re.sub(r"(\.carnet)#L\d+\)", r"\1)", source[0])
    text = re.sub(r"\((docs/)?decisions\)", r"(\1decisions.md)", text)
    match name.split("/"):
        case ["README"]:
            text = readme(text)
        case ["docs", "decisions"]:
            text += toctree(["decisions/*"], shown=True)
        case ["docs", "games", "collection", _]:
            text = re.sub(r"\[(\d+)\]\(([\w-]+\.carnet)\)", r"{download}`\1 <\2>`", text)
        case ["docs", "games", game]:
            text = record(game, text)
        case ["domain", game, page] if page.startswith("guide."):
            text = guide(game, page.removeprefix("guide."), text)
    source[0] = text


def set_language(
    _app: Sphinx, name: str, _template: str, context: dict[str, object], _tree: object
) -> None:
    lang = name.rpartition("guide.")[2]
    if lang in LANGUAGES:
        context["language"] = lang


def setup(app: Sphinx) -> None:
    app.add_lexer("edit", TextLexer)
    app.add_lexer("record", TextLexer)
    app.add_lexer("answer", JsonLexer)
    app.connect("source-read", add_for_site)
    app.connect("html-page-context", set_language)
