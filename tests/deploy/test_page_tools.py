"""What checks the scripts and styles of the pages, and when it is installed anew."""

from pathlib import Path

import pytest

from deploy.development import page_tools
from deploy.development.checks import GATES


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect what npm is asked for, instead of a network."""
    said: list[str] = []

    def npm(command: list[str], _environment: dict[str, str]) -> bool:
        said.append(command[command.index("install")])
        return len(said) > 1

    monkeypatch.setattr(page_tools, "run_silently", npm)
    return said


def test_what_could_not_be_installed_is_tried_again_and_what_is_installed_is_not(
    tmp_path: Path, asked: list[str]
) -> None:
    for runs in (1, 2, 2):
        page_tools.prepare_page_tools(tmp_path)
        assert asked == ["install"] * runs


def test_another_lock_file_is_installed_anew(tmp_path: Path, asked: list[str]) -> None:
    (tmp_path / "installed.json").write_text("{}")
    page_tools.prepare_page_tools(tmp_path)
    assert asked == ["install"]


def test_the_lock_file_names_no_host_it_was_made_from() -> None:
    lock = (page_tools.WANTED / page_tools.LOCK).read_text("utf-8")
    assert "resolved" not in lock
    assert "integrity" in lock


def test_templates_scripts_and_styles_are_gates_of_a_commit() -> None:
    assert {"djlint", "biome", "tsc"} <= {gate.name for gate in GATES}
