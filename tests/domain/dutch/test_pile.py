from msgspec.structs import replace

from domain.dutch.pile import Supply, add_penalty_cards, can_reshuffle, put_on_pile, reshuffle
from domain.dutch.state import PACK, STOCK, Deal, pile_place
from domain.inference import AllMoved, Shuffled, Unseen
from domain.replay import opening
from domain.table import judgement
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries


def deal_cards() -> Deal:
    before = opening("dutch", entries.Options(), 3, exact=False)
    begun = judgement.judge(before, entries.Deal(dealer=0, up="9C"), 2)
    assert isinstance(begun, Game)
    assert not isinstance(begun, Refusal)
    deal: Deal = begun.deal
    return deal


def pile(*cards: str) -> Deal:
    deal = deal_cards()
    for card in cards:
        deal = replace(deal, top=put_on_pile(deal, card), discards=deal.discards + 1)
    return deal


def test_discarded__counts_the_cards_of_the_pile_and_of_the_deal() -> None:
    top = pile("8S", "7S").top
    assert top is not None
    assert (top.card, top.height, top.number) == ("7S", 3, 2)
    alone = put_on_pile(replace(pile("8S"), top=None), "9C")
    assert (alone.height, alone.number, alone.under) == (1, 2, None)


def test_renewable__with_a_card_under_the_top_one() -> None:
    assert not can_reshuffle(None)
    assert not can_reshuffle(deal_cards().top)
    assert can_reshuffle(pile("8S").top)


def test_renewed__all_but_the_top_card_are_shuffled_once_the_stock_is_empty() -> None:
    deal = pile("8S", "7S")
    assert reshuffle(Supply(1, deal.top), 9) == Supply(1, deal.top)
    assert reshuffle(Supply(0, deal_cards().top), 9) == Supply(0, deal_cards().top)
    supply = reshuffle(Supply(0, deal.top), 9)
    assert supply.top is not None
    assert (supply.stock, supply.top.card, supply.top.height, supply.top.under) == (
        2,
        "7S",
        1,
        None,
    )
    assert supply.evidence == (
        AllMoved(pile_place(1), STOCK, 9),
        Shuffled(pile_place(0), STOCK, 9),
    )


def test_to_row__gives_as_many_as_there_are_in_new_slots() -> None:
    deal = deal_cards()
    assert deal.stock == len(PACK) - 13
    given, drawn = add_penalty_cards(deal, 1, 2, 9)
    assert (given.rows[1], given.used[1], given.stock) == (0b111111, 6, deal.stock - 2)
    assert all(isinstance(piece, Unseen) for piece in drawn)
    last, drawn = add_penalty_cards(replace(deal, stock=1), 1, 2, 9)
    assert (last.rows[1], last.used[1], last.stock, len(drawn)) == (0b11111, 5, 0, 1)
    assert last.rows[::2] == deal.rows[::2]
