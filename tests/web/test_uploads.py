"""What a form brings to be taken in, whatever somebody chose."""

from uuid import uuid4

import pytest
from litestar.datastructures import UploadFile

from service.transfer.uploads import BYTES_MAX, Seated
from service.web.transfer.uploads import Upload, read_upload


async def _file(content: bytes, name: str = "game.carnet", text: str = "") -> Upload:
    file = UploadFile("application/octet-stream", name, content)
    try:
        return await read_upload([("text", text), ("file", file)])
    finally:
        await file.close()


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
async def test_what_is_no_record_is_known_by_its_first_bytes(
    content: bytes, wrong: str | None
) -> None:
    assert (await _file(content)).wrong == wrong


async def test_file_goes_before_a_text_even_an_empty_one() -> None:
    assert (await _file(b"a", text="b")).data == b"a"
    assert (await _file(b"", text="b")).wrong == "empty"
    assert (await _file(b"", name="", text="b")).data == b"b"


async def test_text_that_is_no_utf_8_is_not_given_back() -> None:
    brought = await _file(b"\xef\xbb\xbfna\xefve")
    assert brought.text is None
    assert brought.readable == "na\ufffdve"


@pytest.mark.parametrize(
    ("name", "form"), [("a.CARNET", "text"), ("a.b.json", "json"), ("a.txt", None), ("", None)]
)
async def test_name_of_a_file_says_what_it_is(name: str, form: str | None) -> None:
    assert (await _file(b"x", name)).form == form


async def test_players_are_chosen_by_id_or_by_a_new_name() -> None:
    ann = uuid4()
    fields = {"seat.0": str(ann), "name.0": "Zoe", "seat.1": "", "name.1": " Bob ", "name.2": ""}
    brought = await read_upload(fields.items())
    assert brought.chosen(3) == (
        Seated(id=ann, name=None),
        Seated(id=None, name="Bob"),
        Seated(id=None, name=None),
    )
    assert brought.chosen(2) == ()
    assert brought.chosen(4) == ()


async def test_file_that_is_long_is_read_no_further_than_needed() -> None:
    assert len((await _file(b"x" * 3 * BYTES_MAX)).data) == BYTES_MAX + 1
