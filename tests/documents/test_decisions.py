import re
from pathlib import Path

import pytest

from tests.documents.blocks import ROOT

RECORDS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
SECTIONS = ["Context", "Decision", "Consequences", "Held by"]
DOCUMENTS = [
    path for place in ("*.md", "docs/**/*.md", "deploy/**/*.md") for path in ROOT.glob(place)
]
FOLDERS = "deploy|docs|domain|projections|schemas|service|tests"
# A path in backticks or the target of a link; a test's name after `::` does not count.
PATH = re.compile(rf"`((?:{FOLDERS})/[\w./-]*\w)(?:::[\w\[\]-]+)?`")
LINK = re.compile(r"\]\((?!https?://|mailto:|#)([^)#\s]+)")


def test_there_are_at_most_40_records() -> None:
    assert 0 < len(RECORDS) <= 40


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name)
def test_a_record_has_its_sections_on_one_screen(record: Path) -> None:
    text = record.read_text("utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS
    assert re.search(r"^Status: (accepted|superseded by \d{4})", text, re.MULTILINE | re.IGNORECASE)
    assert "tests/" in text.partition("## Held by")[2], "Held by names no test or gate"
    assert len(text.splitlines()) <= 40


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_path_that_a_document_names_exists(document: Path) -> None:
    text = document.read_text("utf-8")
    named = {ROOT / path for path in PATH.findall(text) if path != "deploy/.env"}
    named |= {document.parent / target for target in LINK.findall(text)}
    assert sorted(str(path) for path in named if not path.exists()) == []
