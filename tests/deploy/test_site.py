"""What the site adds to the documents; `check` builds it whole."""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from deploy.site import conf
from tests.documents.blocks import ROOT
from tests.documents.test_links import DOCUMENTS

LISTED = [page for pages in conf.PAGES.values() for page in pages]
# Listed by these pages, not by README.
BELOW = ["README", "docs/decisions/*", "domain/*/guide.*", "domain/*/RULES"]


def read(name: str, text: str) -> str:
    source = [text]
    conf.add_for_site(None, name, source)
    return source[0]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_document_has_a_place_in_the_navigation(document: Path) -> None:
    name = str(document.relative_to(ROOT).with_suffix(""))
    assert any(fnmatchcase(name, page) for page in [*LISTED, *BELOW])


def test_the_navigation_has_no_page_twice_and_none_that_is_not_there() -> None:
    assert len({*LISTED}) == len(LISTED)
    missing = [page for page in LISTED if "*" not in page and not (ROOT / f"{page}.md").is_file()]
    assert missing == []


def test_a_guide_has_a_title_its_other_languages_and_cards_as_signs() -> None:
    shown = read("domain/durak/guide.fr", "## Le but\n\nL’as `AS TH`: `carnet`\n")
    assert shown.startswith("# Dourak\n")
    assert "[English](guide.en.md) · Français · [Deutsch](guide.de.md)" in shown
    assert "`A♠ 10♥`" in shown
    assert "`carnet`" in shown


def test_a_record_is_shown_with_the_numbers_of_its_lines() -> None:
    shown = read("docs/games/rami", "[Carnet 1]\n")
    assert shown == "# A game of Rami\n\n```{code-block} text\n:linenos:\n\n[Carnet 1]\n```\n"


def test_links_that_only_a_forge_follows_lead_to_a_page() -> None:
    shown = read("docs/x", "[a](games/rami.carnet#L10) [b](decisions)")
    assert shown == "[a](games/rami.carnet) [b](decisions.md)"


def test_recorded_games_of_the_collection_are_downloaded() -> None:
    shown = read("docs/games/collection/README", "| [01](durak-01.carnet) |")
    assert shown == "| {download}`01 <durak-01.carnet>` |"
