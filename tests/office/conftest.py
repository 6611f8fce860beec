"""A LibreOffice with a profile of its own, and what it reads in a file."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.development.programs import OFFICE, find
from tests.office.flat import Worksheets, worksheets

# As the import dialogue says it: separator, quotation mark, UTF-8, from line 1, language; numbers
# in quotation marks are numbers too, and days are looked for, as in Excel.
COMMAS = "CSV:44,34,76,1,,1033,false,true"
SEMICOLONS = {
    "excel-fr": "CSV:59,34,76,1,,1036,false,true",
    "excel-de": "CSV:59,34,76,1,,1031,false,true",
}
SECONDS_MAX = 120

Opened = Callable[..., Worksheets]


@pytest.fixture(scope="session")
def soffice(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the words that start LibreOffice without a screen."""
    path = find(OFFICE)
    assert path, "there is no LibreOffice; `deploy/dev.py test` finds or installs one"
    profile = tmp_path_factory.mktemp("profile").as_uri()
    return [path, "--headless", f"-env:UserInstallation={profile}"]


@pytest.fixture
def opened(soffice: list[str], tmp_path: Path) -> Opened:
    """Open a file's content as LibreOffice does; `reading` CSV by these settings."""

    def open_file(content: bytes, suffix: str, reading: str = COMMAS) -> Worksheets:
        file = tmp_path / f"sheet.{suffix}"
        file.write_bytes(content)
        how = [f"--infilter={reading}"] if suffix == "csv" else []
        convert = [*soffice, *how, "--convert-to", "fods", "--outdir", str(tmp_path), str(file)]
        subprocess.run(convert, check=True, capture_output=True, timeout=SECONDS_MAX)
        return worksheets((tmp_path / "sheet.fods").read_text("utf-8"))

    return open_file
