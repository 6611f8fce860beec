import re

from deploy.development.running import ROOT
from deploy.development.version import CHANGELOG, project_version, released


def test_every_file_that_names_the_version_gets_the_new_one() -> None:
    folders = (ROOT / name for name in ("docs", "deploy", ".github"))
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files += [ROOT / "README.md", ROOT / "pyproject.toml"]
    texts = {
        str(path.relative_to(ROOT)): path.read_bytes().decode(errors="replace") for path in files
    }
    former = project_version()
    after = texts | released("7.8.9", "2030-01-02")
    named = re.compile(rf"carnet[-:]{re.escape(former)}|\nversion = \"{re.escape(former)}\"")
    assert [name for name, text in after.items() if named.search(text)] == []
    assert 'version = "7.8.9"' in after["pyproject.toml"]
    assert "carnet-7.8.9-py3-none-any.whl" in after["README.md"]
    assert after["deploy/kubernetes/carnet.yaml"].count("carnet:7.8.9") == 2


def test_the_changes_stand_under_the_new_version() -> None:
    changes = released("7.8.9", "2030-01-02")[CHANGELOG]
    assert changes.index("## [Unreleased]") < changes.index("## [7.8.9] - 2030-01-02")
    assert "## [Unreleased]\n\n## [7.8.9] - 2030-01-02\n" in changes
