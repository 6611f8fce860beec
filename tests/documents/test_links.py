"""Every heading or line that a link names exists, and every document is reached from README."""

import re
from pathlib import Path

import pytest

from tests.documents.blocks import ROOT

PLACES = ("*.md", "docs/**/*.md", "deploy/**/*.md", "domain/**/*.md")
DOCUMENTS = sorted(path for place in PLACES for path in ROOT.glob(place))
PICTURES = sorted((ROOT / "docs" / "pictures").iterdir())
CODE = re.compile(r"^( *)(`{3,}).*?^\1\2$", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r'(?:\]\(|\bsrc="|\bhref=")(?![a-z]+:|/)([^)"#\s]*)(?:#([^)"\s]+))?[)"]')
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def links(document: Path, text: str) -> set[tuple[Path, str]]:
    """Return the file and the anchor ("" for none) of every internal link in `text`."""
    return {
        ((document.parent / target).resolve() if target else document, heading)
        for target, heading in TARGET.findall(CODE.sub("", text))
    }


def anchors(text: str) -> set[str]:
    """Return what a forge lets a link name: headings (of equal ones the first) and lines."""
    titles = HEADING.findall(CODE.sub("", text))
    lines = range(1, len(text.splitlines()) + 1)
    return {
        *(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles),
        *(f"L{line}" for line in lines),
    }


def reached(start: Path) -> set[Path]:
    """Return what a reader gets to from `start`; a linked folder lists its files."""
    seen: set[Path] = set()
    ahead = [start]
    while ahead:
        path = ahead.pop()
        if path in seen:
            continue
        seen.add(path)
        if path.is_dir():
            ahead += path.iterdir()
        elif path.suffix == ".md":
            ahead += [target for target, _ in links(path, path.read_text("utf-8"))]
    return seen


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_link_leads_to_what_it_names(document: Path) -> None:
    dead = [
        f"{target.relative_to(ROOT)}#{anchor}"
        for target, anchor in links(document, document.read_text("utf-8"))
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8")))
    ]
    assert sorted(dead) == []


def test_every_document_and_picture_is_reached_from_readme() -> None:
    found = reached(ROOT / "README.md")
    alone = [path.relative_to(ROOT) for path in (*DOCUMENTS, *PICTURES) if path not in found]
    assert [str(path) for path in alone] == []


def test_links_are_read_as_a_forge_reads_them() -> None:
    here = ROOT / "docs" / "taps.md"
    text = (
        "# One\n[a](tutorial.md#the-first-evening) [b](#one) [c](https://example.org) "
        '<img src="pictures/sheet.png">\n'
        "```sh\n# Two\n[d](nowhere.md)\n```\n"
        "## `carnet`, again: 2\n"
    )
    assert links(here, text) == {
        (ROOT / "docs" / "tutorial.md", "the-first-evening"),
        (here, "one"),
        (ROOT / "docs" / "pictures" / "sheet.png", ""),
    }
    assert anchors(text) == {"one", "carnet-again-2", *(f"L{line}" for line in range(1, 8))}
