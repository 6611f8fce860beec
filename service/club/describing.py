"""Parses descriptions of games and seasons from forms and requests."""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from schemas.names import PLACE_LENGTH_MAX, read_name, read_place
from schemas.record import PLACE_EXPECTED
from schemas.strict_json import Malformed
from service.store.records import Description, Season

TAG_LENGTH_MAX = 40
TAGS_MAX = 10


def read_description(place: str, tags: Iterable[str]) -> Description | Malformed:
    """Parse place and tags; an empty place is none."""
    where = read_place(place)
    if place.strip() and where is None:
        return Malformed(path="$.place", expected=PLACE_EXPECTED)
    unique: dict[str, str] = {}
    for number, text in enumerate(tags):
        tag = _word(text, TAG_LENGTH_MAX)
        if tag is None or "," in tag:
            expected = f"words of {TAG_LENGTH_MAX} signs at most, without a comma"
            return Malformed(path=f"$.tags[{number}]", expected=expected)
        unique.setdefault(tag.casefold(), tag)
    if len(unique) > TAGS_MAX:
        return Malformed(path="$.tags", expected=f"{TAGS_MAX} tags at most")
    return Description(place=where or "", tags=tuple(unique.values()))


def read_typed(place: str, tags: str) -> Description | Malformed:
    """Parse form fields, with tags separated by commas."""
    return read_description(place, filter(str.strip, tags.split(",")))


def read_season(season_id: UUID, name: str, first: date, last: date) -> Season | Malformed:
    label = _word(name, PLACE_LENGTH_MAX)
    if label is None:
        return Malformed(path="$.name", expected=f"a name of {PLACE_LENGTH_MAX} signs at most")
    if last < first:
        return Malformed(path="$.last_day", expected="the first day or a later one")
    return Season(season_id=season_id, name=label, first_day=first, last_day=last)


def _word(text: str, length_max: int) -> str | None:
    word = read_name(text)
    return word if word and len(word) <= length_max else None
