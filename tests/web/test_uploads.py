from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from service.club.temporary_files import TemporaryFiles
from service.transfer.uploads import BYTES_MAX, Seated
from service.web.transfer.sent_forms import SentFile, SentForm
from service.web.transfer.uploads import Upload, read_upload


@pytest.fixture
def uploads(tmp_path: Path) -> TemporaryFiles:
    return TemporaryFiles(tmp_path, lambda: 0.0, lambda: str(uuid4()))


Sent = Callable[..., Upload]


@pytest.fixture
def sent(uploads: TemporaryFiles) -> Sent:
    def _sent(content: bytes, name: str = "game.carnet", text: str = "") -> Upload:
        with uploads.draft() as draft:
            draft.out.write(content)
            kept = uploads.keep(draft, "application/octet-stream", name)
        file = SentFile(name=name, stored_name=kept, head=content[:400], size=len(content))
        return read_upload(SentForm(fields={"text": text}, files=(file,)), uploads)

    return _sent


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
        (b"x" * BYTES_MAX, None),
        (b"[Ruleset euchre]", None),
        ("caf\xe9".encode("latin-1"), None),
    ],
)
def test_what_is_no_record_is_known_by_its_first_bytes(
    sent: Sent, content: bytes, wrong: str | None
) -> None:
    assert (sent(content)).wrong == wrong


def test_file_goes_before_a_text_even_an_empty_one(sent: Sent, uploads: TemporaryFiles) -> None:
    assert (sent(b"a", text="b")).data == b"a"
    assert (sent(b"", text="b")).wrong == "empty"
    assert read_upload(SentForm(fields={"text": "b"}, files=()), uploads).data == b"b"


def test_text_that_is_no_utf_8_is_not_given_back(sent: Sent) -> None:
    brought = sent(b"\xef\xbb\xbfna\xefve")
    assert brought.text is None
    assert brought.readable == "na\ufffdve"


@pytest.mark.parametrize(
    ("name", "form"), [("a.CARNET", "text"), ("a.b.json", "json"), ("a.txt", None)]
)
def test_name_of_a_file_says_what_it_is(sent: Sent, name: str, form: str | None) -> None:
    assert (sent(b"x", name)).form == form


def test_players_are_chosen_by_id_or_by_a_new_name(uploads: TemporaryFiles) -> None:
    ann = uuid4()
    fields = {"seat.0": str(ann), "name.0": "Zoe", "seat.1": "", "name.1": " Bob ", "name.2": ""}
    brought = read_upload(SentForm(fields=fields, files=()), uploads)
    assert brought.chosen_players(3) == (
        Seated(id=ann, name=None),
        Seated(id=None, name="Bob"),
        Seated(id=None, name=None),
    )
    assert brought.chosen_players(2) == ()
    assert brought.chosen_players(4) == ()


def test_file_that_is_long_is_read_no_further_than_needed(sent: Sent) -> None:
    assert len((sent(b"x" * 3 * BYTES_MAX)).data) == BYTES_MAX + 1
