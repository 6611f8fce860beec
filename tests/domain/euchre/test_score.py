import pytest

from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.euchre import Detail, Options
from tests.domain.euchre.entries import (
    Entry,
    accepted,
    accepts,
    deal,
    facts,
    leaves,
    names,
    orders,
    passes,
    refused,
    result,
    tricks,
)
from tests.generation.test_euchre_oracle import decoded

ORDERED = [deal("9S"), orders(), leaves()]


# --- table.result


@pytest.mark.parametrize(
    ("played", "won"),
    [([], 0), (["AH 9H"], 1), (["AH 9H", "KH TH"], 2), (["9H AH"], 0), (["AH 9H", "9C AC"], 1)],
)
def test_table_result__lies_between_the_tricks_won_and_those_with_the_tricks_left(
    played: list[str], won: int
) -> None:
    log = [*ORDERED, *tricks(1, *played)]
    most = won + 5 - len(played)
    for count in range(6):
        if won <= count <= most:
            assert accepted(*log, result(1, count))["deals"]
        else:
            bounds = {"why": "tricks", "seat": 1, "least": won, "most": most}
            assert facts(*log, result(1, count)) == bounds
            refused(*log, result(1, count), by="table.result")


CLUBS = ["AC 9C", "KC TC", "AD 9D", "AS TS", "KS QS"]


def detail(*log: Entry) -> object:
    history = History(opening("euchre", Options(), 2))
    for entry in log:
        assert not isinstance(history.judge(decoded(entry)), Refusal), entry
    return history.game.details[-1]


def detail_of_deal(
    maker: int | None, trump: str | None, tricks: tuple[int, int], *, euchred: bool
) -> Detail:
    return Detail(maker=maker, trump=trump, tricks=tricks, euchred=euchred)  # type: ignore[arg-type] # a seat and a suit


@pytest.mark.parametrize(
    ("bidding", "maker", "trump", "euchred"),
    [
        ([orders(), leaves()], 1, "H", False),
        ([passes(1), accepts(discard="KH")], 0, "H", True),
        ([passes(1), passes(0), names(1, "C")], 1, "C", False),
        ([passes(1), passes(0), passes(1), names(0, "C")], 0, "C", True),
    ],
)
def test_detail__of_a_deal_played_out(
    bidding: list[Entry], maker: int, trump: str, *, euchred: bool
) -> None:
    expected = detail_of_deal(maker, trump, (0, 5), euchred=euchred)
    plays = tricks(1, *CLUBS) if trump == "C" else tricks(1, *CLUBS[:4], "KS QS")
    if maker == 0 and trump == "H":  # the dealer took 9H and must play it
        plays = [*tricks(1, *CLUBS[:4]), *tricks(1, "JH 9H")]
    assert detail(deal("9H"), *bidding, *plays) == expected


def test_detail__of_a_deal_passed_out_has_no_maker_and_no_tricks() -> None:
    log = [deal("9H"), passes(1), passes(0), passes(1), passes(0)]
    assert detail(*log) == detail_of_deal(None, None, (0, 0), euchred=False)
    assert detail(result(None)) == detail_of_deal(None, None, (0, 0), euchred=False)


def test_detail__of_a_result_alone_knows_no_trump() -> None:
    assert detail(result(0, 2)) == detail_of_deal(0, None, (2, 3), euchred=True)


def test_detail__of_a_result_part_way_knows_the_trump_already_made() -> None:
    assert detail(deal("9H"), orders(), result(1, 4)) == detail_of_deal(
        1, "H", (1, 4), euchred=False
    )
    assert detail(deal("9H"), result(1, 4)) == detail_of_deal(1, None, (1, 4), euchred=False)
