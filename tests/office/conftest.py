"""A LibreOffice with its own profile, which converts files for the tests.

Its start takes a second and a file almost nothing, so files with equal settings are opened
together.
"""

import subprocess
from collections.abc import Callable, Mapping

import pytest

from deploy.development.programs import OFFICE, find
from tests.office.flat import Worksheets, worksheets

# The options of the import dialogue: separator, quotation mark, UTF-8, from line 1, language;
# quoted numbers are numbers, and dates are detected, as in Excel.
COMMAS = "CSV:44,34,76,1,,1033,false,true"
SEMICOLONS = {
    "excel-fr": "CSV:59,34,76,1,,1036,false,true",
    "excel-de": "CSV:59,34,76,1,,1031,false,true",
}
SECONDS_MAX = 120

Opened = Callable[..., dict[str, Worksheets]]


@pytest.fixture(scope="session")
def soffice(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = find(OFFICE)
    assert path, "there is no LibreOffice; `deploy/dev.py test` finds or installs one"
    profile = tmp_path_factory.mktemp("profile").as_uri()
    return [path, "--headless", f"-env:UserInstallation={profile}"]


@pytest.fixture(scope="module")
def opened(soffice: list[str], tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Open files, content by name, as LibreOffice does; `reading` CSV by these settings."""

    def open_files(
        files: Mapping[str, bytes], suffix: str, reading: str = COMMAS
    ) -> dict[str, Worksheets]:
        folder = tmp_path_factory.mktemp("opened")
        for name, content in files.items():
            (folder / f"{name}.{suffix}").write_bytes(content)
        how = [f"--infilter={reading}"] if suffix == "csv" else []
        convert = [*soffice, *how, "--convert-to", "fods", "--outdir", str(folder)]
        convert += [str(folder / f"{name}.{suffix}") for name in files]
        subprocess.run(convert, check=True, capture_output=True, timeout=SECONDS_MAX)
        return {name: worksheets((folder / f"{name}.fods").read_text("utf-8")) for name in files}

    return open_files
