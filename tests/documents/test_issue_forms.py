"""What an issue form asks people to copy is what Carnet writes."""

import yaml

from tests.documents.blocks import ROOT

FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"


def test_a_fault_is_reported_with_its_record_in_the_notation() -> None:
    form = yaml.safe_load((FORMS / "fault.yml").read_text("utf-8"))
    record = next(part for part in form["body"] if part.get("id") == "record")
    first_line = (ROOT / "docs/games/euchre.carnet").read_text("utf-8").splitlines()[0]
    assert first_line in record["attributes"]["description"]
    assert record["attributes"]["render"] == "text"
    assert (ROOT / "SECURITY.md").is_file()
    assert "SECURITY.md" in form["body"][0]["attributes"]["value"]
