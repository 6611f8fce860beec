"""A card whose suit nobody noted: `7?` proves its rank and no more."""

from msgspec import json

from domain.replay import ReplayedRecord, opening, replay
from domain.table import judgement
from schemas.catalogue import shapes
from schemas.dutch import Options
from schemas.strict_json import Malformed
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from tests.domain.dutch.entries import (
    Entry,
    deal,
    draw,
    look,
    swap,
    take,
)

SEVEN_IN_SLOT = [deal(), look(1, 0, 1, cards=["7?", "??"])]


def table(*log: Entry) -> dict[str, object]:
    decoded = shapes("dutch").decode_submitted(json.encode(log))
    assert not isinstance(decoded, Malformed)
    replayed = replay(opening("dutch", Options(), 3), decoded)
    assert isinstance(replayed, ReplayedRecord)
    return dict(judgement.situation(replayed.history.game).table)


def test_rank_alone__is_shown_where_it_lies() -> None:
    rows = table(*SEVEN_IN_SLOT)["rows"]
    assert isinstance(rows, list)
    assert rows[1][0] == {"slot": 0, "card": "7?"}
    assert table(deal("7?"))["top"] == "7?"


def test_rank_alone__of_a_card_known_is_shown_in_full() -> None:
    known = deal(hands=[None, ["7S", "??", "??", "??"], None])
    assert table(known, draw(1), swap(1, 0, "7?"))["top"] == "7S"


def test_rank_alone__is_said_in_every_language() -> None:
    said = [texts().card("7?", lang) for lang in LANGUAGES]
    assert said == ["some seven", "le sept (couleur inconnue)", "Sieben (Farbe unbekannt)"]


def test_pile__begun_anew_has_one_card() -> None:
    assert table(deal(), take(1), swap(1, 0, "5C"))["pile"] == 1
