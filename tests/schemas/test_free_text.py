import pytest

from schemas.catalogue import encode, shapes
from schemas.durak import Redeal
from schemas.entries import Adjust, Amend, Entry, Finish, Note, SetAside, Splice, TakeBack, Void
from schemas.euchre import Play
from schemas.free_text import (
    digest,
    free_text,
    is_empty,
    restore_text,
    separate_text,
    stored_digest,
    without_text,
)
from schemas.upcast import TEXT_INLINE, TEXT_SEPARATE, recorded_json, upcast

SALT = bytes(range(16))
TEXT = 'Anna a dit « cœur », "deux fois"\\ \n\u0000\u2028 {"sha256":"0"} 🂡'

WITH_TEXT: list[Entry] = [
    Note(text=TEXT),
    Note(text="text", waive=("table.turn",), unsure=True),
    Adjust(seat=1, points=-3, reason=TEXT),
    Void(reason=TEXT),
    Finish(reason=TEXT),
    Amend(version=7, move=Note(text=TEXT)),
    Amend(version=7, move=Adjust(seat=0, points=2, reason=TEXT), waive=("table.phase",)),
    SetAside(reason=TEXT),
    Splice(version=7, drop=0, moves=(Play(seat=0, card="AH"), Note(text=TEXT))),
    Splice(
        version=7,
        drop=1,
        moves=(Note(text=""), Adjust(seat=0, points=2, reason=TEXT), Note(text="x"), Note(text="")),
    ),
]
WITHOUT: list[Entry] = [
    Note(text=""),
    Finish(reason=""),
    TakeBack(to=3),
    Play(seat=0, card="AH"),
    Amend(version=7, move=Play(seat=0, card="AH")),
    Amend(version=7, move=Void(reason="")),
    Splice(version=7, drop=1, moves=()),
    Splice(version=7, drop=0, moves=(Note(text=""),)),
]


@pytest.mark.parametrize("entry", WITH_TEXT)
def test_a_text_put_back_gives_the_bytes_that_were_recorded(entry: Entry) -> None:
    parted = separate_text(entry, SALT)
    assert restore_text(parted.data, parted.text) == encode(entry)


@pytest.mark.parametrize("entry", WITH_TEXT)
def test_what_is_stored_holds_the_digest_and_not_the_text(entry: Entry) -> None:
    parted = separate_text(entry, SALT)
    assert parted.text.decode() == free_text(entry)
    assert stored_digest(parted.data) == digest(SALT, parted.text)
    assert b"Anna" not in parted.data


def test_the_same_text_under_another_salt_has_another_digest() -> None:
    digests = {
        stored_digest(separate_text(Note(text="Anna"), bytes([n]) * 16).data) for n in range(8)
    }
    assert len(digests) == 8


@pytest.mark.parametrize("entry", WITHOUT)
def test_an_entry_without_a_text_has_none(entry: Entry) -> None:
    assert free_text(entry) == ""


def test_an_empty_place_is_told_from_none() -> None:
    empty = [entry for entry in WITHOUT if is_empty(entry)]
    assert empty == [Note(text=""), Finish(reason=""), Amend(version=7, move=Void(reason=""))]
    assert not any(map(is_empty, WITH_TEXT))


@pytest.mark.parametrize("entry", WITH_TEXT)
def test_an_erased_text_reads_as_empty(entry: Entry) -> None:
    erased = upcast(shapes("euchre"), TEXT_SEPARATE, separate_text(entry, SALT).data, None)
    assert erased == without_text(entry) != entry
    assert free_text(erased) == ""


@pytest.mark.parametrize("entry", WITH_TEXT)
def test_a_log_from_before_there_were_digests_reads_as_it_is(entry: Entry) -> None:
    assert upcast(shapes("euchre"), TEXT_INLINE, encode(entry)) == entry


def test_a_stored_shape_of_a_later_version_is_refused() -> None:
    with pytest.raises(ValueError, match="version 3"):
        recorded_json(3, b"{}", None)


def test_a_word_of_a_game_s_own_stays_where_it_is_beside_a_text() -> None:
    entry = Splice(version=7, drop=1, moves=(Redeal(reason="no_trump"), Note(text=TEXT)))
    parted = separate_text(entry, SALT)
    assert b'"reason":"no_trump"' in parted.data
    assert restore_text(parted.data, parted.text) == encode(entry)
