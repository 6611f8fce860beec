"""Describe the table and the entries that may be made now."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.rami import combinations, proof, turn
from domain.rami.combinations import parse_card
from domain.rami.state import STOCK, Deal, Phase, pack, pile_cards
from domain.table.rules import (
    CARDS,
    HANDS,
    INTEGER,
    LATER,
    Choice,
    FreeField,
    Game,
    Refuse,
    Situation,
    Values,
    card_choice,
)
from schemas import rami as entries
from schemas.cards import JOKER

Holds = proof.VisibleCardTest
MELDS: FreeField = {"shape": "melds"}
LOSERS: FreeField = {"shape": "losers"}
ENDS = ("low", "high")


def situation(game: Game) -> Situation:
    deal: Deal = game.deal
    counting = deal.phase is Phase.COUNTING
    to_act = deal.to_count if counting else (deal.to_act,)
    return Situation(deal.phase.value, to_act, deal.counts, deal.stock, _table(game, deal))


def _table(game: Game, deal: Deal) -> dict[str, Any]:
    known = deal.knowledge
    named = pack().named
    pile = [card.code for card in pile_cards(deal.pile)]
    return {
        "dealer": deal.dealer,
        "drawn": deal.drawn,
        "pile": pile[::-1],
        "melds": [{"kind": meld.kind.value, "cards": list(meld.cards)} for meld in deal.melds],
        "opened": list(deal.opened),
        "owed": [debt.code for debt in deal.debts],
        "winner": deal.winner,
        "counted": [hand and hand.points for hand in deal.counted],
        "known": [list(named(known.known_at(seat))) if known else [] for seat in range(game.seats)],
    }


def choices(game: Game, refuse: Refuse) -> tuple[Choice, ...]:
    deal: Deal | None = game.deal
    seats = tuple(range(game.seats))
    if deal is None:
        dealers: Values = seats if game.dealer is None else (game.dealer,)
        cards = tuple(pack().copies)
        deals = Choice("deal", fields={"dealer": dealers, "up": cards, "hands": HANDS})
        return (deals, *_results(seats, dealers))
    if deal.phase is Phase.COUNTING:
        return (*_counts(deal), *_results((deal.winner,), (deal.dealer,)))
    plays = _turn(game, deal, refuse) if deal.drawn else _begin(game, deal, refuse)
    return (*plays, *_results(seats, (deal.dealer,)))


def _results(winners: Values, dealers: Values) -> tuple[Choice, ...]:
    fields: dict[str, Any] = {"winner": winners, "hands": LOSERS, "dealer": dealers}
    return (Choice("result", fields=fields),)


def _counts(deal: Deal) -> tuple[Choice, ...]:
    return tuple(
        Choice("count", seat, fields)
        for seat in deal.to_count
        for fields in ({"cards": CARDS}, {"points": INTEGER})
    )


def _begin(game: Game, deal: Deal, refuse: Refuse) -> tuple[Choice, ...]:
    seat = deal.to_act
    choices: list[Choice] = []
    if refuse(game, entries.Draw(seat=seat), LATER) is None:
        there = turn.knowledge_before_draw(game, LATER)
        shows = proof.VisibleCardTest(there, STOCK)
        cards = tuple(filter(shows, pack().copies))
        choices += [
            Choice("draw", seat),
            card_choice("draw", seat, {"card": cards}, shows.unproved),
        ]
    if refuse(game, entries.Take(seat=seat), LATER) is None:
        choices.append(Choice("take", seat))
    return tuple(choices)


def _turn(game: Game, deal: Deal, refuse: Refuse) -> tuple[Choice, ...]:
    seat = deal.to_act
    choices = [Choice("meld", seat, {"melds": MELDS})]
    holds = proof.VisibleCardTest(deal.knowledge, seat)
    seen = replace(game, deal=replace(deal, knowledge=None))
    if deal.opened[seat]:
        choices += _adds(seen, refuse, holds)
        choices += _swaps(game, seen, refuse, holds)
    # Unseen cards make no difference between discarding one card or another.
    throws = refuse(seen, entries.Discard(seat=seat, card=JOKER), LATER) is None
    cards = tuple(filter(holds, pack().copies)) if throws else ()
    if cards:
        choices.append(card_choice("discard", seat, {"card": cards}, holds.unproved))
    return tuple(choices)


def _adds(seen: Game, refuse: Refuse, holds: Holds) -> list[Choice]:
    adds: list[Choice] = []
    deal: Deal = seen.deal
    for number, there in enumerate(deal.melds, start=1):
        cards = tuple(
            codes
            for codes in zip(combinations.addable_cards(there))
            if not refuse(
                seen,
                entries.Add(seat=deal.to_act, meld=number, cards=codes),  # type: ignore[arg-type] # a code of the pack
                LATER,
            )
            and holds(parse_card(codes[0]).held)
        )
        if cards:
            fields: dict[str, Values] = {"meld": (number,), "cards": cards, "end": ENDS}
            adds.append(card_choice("add", deal.to_act, fields, _of_laid(holds.unproved)))
    return adds


def _of_laid(unproved: Callable[[str], bool] | None) -> Callable[[tuple[str]], bool] | None:
    return unproved and (lambda keyed: unproved(parse_card(keyed[0]).held))


def _swaps(game: Game, seen: Game, refuse: Refuse, holds: Holds) -> list[Choice]:
    swaps: list[Choice] = []
    deal: Deal = game.deal
    for number, there in enumerate(deal.melds, start=1):
        judged = game if there.unsure else seen
        cards = tuple(
            card
            for card in filter(holds, combinations.cards_that_win_joker(there))
            if not refuse(
                judged,
                entries.SwapJoker(seat=deal.to_act, meld=number, card=card),  # type: ignore[arg-type] # a code of the pack
                LATER,
            )
        )
        if cards:
            fields: dict[str, Values] = {"meld": (number,), "card": cards}
            swaps.append(card_choice("swap_joker", deal.to_act, fields, holds.unproved))
    return swaps
