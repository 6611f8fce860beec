from collections import Counter
from functools import cache
from itertools import combinations_with_replacement

import pytest
from msgspec import json

from domain.dutch.result import rows_possible
from domain.dutch.score import values
from domain.replay import ReplayedRecord, opening, replay
from domain.table import judgement
from schemas.catalogue import shapes
from schemas.dutch import Options
from schemas.strict_json import Malformed
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from tests.domain.dutch.entries import (
    ALL_TURNS,
    Entry,
    accepted,
    deal,
    draw,
    look,
    malformed,
    refused,
    result,
    reveal,
    swap,
    take,
)

EACH = Counter(values("hearts"))


@cache
def rows_worth(points: int, most: int = 13) -> tuple[tuple[int, ...], ...]:
    if points == 0:
        return ((),)
    return tuple(
        (value, *rest)
        for value in range(min(points, most), 0, -1)
        for rest in rows_worth(points - value, value)
    )


def can_be(totals: tuple[int, ...], taken: tuple[int, ...] = ()) -> bool:
    if any(number > EACH[value] for value, number in Counter(taken).items()):
        return False
    return not totals or any(can_be(totals[1:], (*taken, *row)) for row in rows_worth(totals[0]))


def test_rows__are_possible_where_some_cards_make_them() -> None:
    for count in range(1, 7):
        for totals in combinations_with_replacement(range(4), count):
            assert rows_possible(totals, "hearts", by_emptying=False) is can_be(totals), totals


@pytest.mark.parametrize(
    ("totals", "possible"),
    [
        ((1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3), True),
        ((1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3), False),
        ((350, 1), True),
        ((0, 351), True),
        ((1, 351), False),
        ((-1, 5), False),
    ],
)
def test_rows__of_few_or_of_all_cards(totals: tuple[int, ...], *, possible: bool) -> None:
    assert sum(EACH.elements()) == 351
    assert rows_possible(tuple(sorted(totals)), "hearts", by_emptying=False) is possible


@pytest.mark.parametrize(("red_kings", "worth_nothing"), [("hearts", 1), ("both", 2)])
def test_rows__that_one_emptied_are_worth_nothing_besides_by_a_king_alone(
    red_kings: str, worth_nothing: int
) -> None:
    for rows in range(1, 5):
        totals = (*(0,) * rows, 9)
        assert rows_possible(totals, red_kings, by_emptying=True) is (rows - 1 <= worth_nothing)
        assert rows_possible(totals, red_kings, by_emptying=False)


# --- table.result


def test_table_result__a_row_may_hold_every_card_of_the_pack_and_no_more() -> None:
    most = sum(values("hearts"))
    accepted(result(0, most, 0, 0))
    refused(result(0, most, 1, 0), by="table.result")


# --- shapes


def test_cards_deck__every_card_of_the_pack_is_accepted_and_a_joker_refused_as_malformed() -> None:
    for rank in "AKQJT98765432":
        for suit in "SHDC":
            accepted(deal(rank + suit))
    malformed(*ALL_TURNS, reveal(1, "XX AS 2S 3S"))


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
    assert said == ["a seven", "un sept", "Sieben (Farbe unbekannt)"]


def test_pile__begun_anew_has_one_card() -> None:
    assert table(deal(), take(1), swap(1, 0, "5C"))["pile"] == 1
