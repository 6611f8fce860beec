from datetime import UTC, datetime
from pathlib import Path

import pytest

from service.transfer.record_files import BatchWords, NamedFile, OpenedFile, open_files
from service.transfer.uploads import BYTES_MAX

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
WORDS = BatchWords(lang="en", deal="Deal {number}", beside="Beside", ended="Elsewhere")


def opened(folder: Path, content: bytes, name: str = "game") -> OpenedFile:
    path = folder / "sent"
    path.write_bytes(content)
    file = NamedFile(name=name, path=str(path))
    (piece,) = open_files([file], folder / "out", WORDS, NOW).pieces
    return piece


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \r\n", "empty"),
        (b"PK\x03\x04\x14\x00\x06\x00", "packed"),
        (b"%PDF-2.0", "pdf"),
        ("[Ruleset euchre]".encode("utf-16"), "utf-16"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
        (b"x" * (BYTES_MAX + 1), "large"),
        (b'{"version":3,"players":[],"sheet":{"rows":[]}}', "sheet"),
        (b'{"version":3,"players":[]}', "record"),
        (b"Version,Recorded,Type,Player,Entry\r\n1,,note,,{}\r\n", "entries"),
        ("\ufeffVersion;Notée;Type;Joueur;Entrée\r\n".encode(), "entries"),
        (b'"Version";"Eingetragen";"Art";"Spieler";"Eintrag"', "entries"),
        (b"x" * BYTES_MAX, "record"),
        (b"[Ruleset euchre]", "record"),
        ("caf\xe9".encode("latin-1"), "encoding"),
    ],
)
def test_what_is_no_record_is_known_by_its_first_bytes(
    tmp_path: Path, content: bytes, wrong: str
) -> None:
    assert opened(tmp_path, content).problem == wrong


def test_the_name_of_a_file_says_how_its_record_is_written(tmp_path: Path) -> None:
    (text,) = opened(tmp_path, b"{", "a.carnet").faults[:1]
    (document,) = opened(tmp_path, b"{", "a.JSON").faults
    assert text.view.line == 1
    assert document.view.path == "$"


@pytest.mark.parametrize("empty", [0, 2])
def test_a_date_that_is_still_to_come_is_found_in_its_line(tmp_path: Path, empty: int) -> None:
    tags = ("Carnet 1", "Ruleset scores", "Rules 2", "Seats 2", 'Players "Ann" "Bob"')
    lines = [*(f"[{tag}]" for tag in tags), *[""] * empty, "[Date 2027-01-01T12:00:00Z]", ""]
    (fault,) = opened(tmp_path, "\n".join(lines).encode(), "a.carnet").faults
    assert (fault.view.line, fault.view.found) == (6 + empty, "2027-01-01T12:00:00+00:00")
