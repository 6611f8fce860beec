"""What follows by itself: the end of a bout, the draws, who is out, who leads next.

Nobody records these; they are applied with the entry that ends the bout.
"""

from functools import cache

from msgspec.structs import replace

from domain.durak import proof, score
from domain.durak.proof import Draw
from domain.durak.seats import Seats, clockwise, next_of
from domain.durak.state import CARDS_EACH, Bout, Deal
from domain.knowledge import Knowledge
from domain.rules import Game
from schemas import durak as entries


def with_attack(bout: Bout, entry: entries.Attack | entries.PassOn) -> Bout:
    """Return the bout with more cards to beat; nobody is done any more."""
    pairs, ranks = bout.pairs, bout.ranks
    for card in entry.cards:
        pairs = (*pairs, (card, None))
        if card[0] not in ranks:
            ranks += card[0]
    return replace(
        bout,
        pairs=pairs,
        open=bout.open + len(entry.cards),
        ranks=ranks,
        done=0,
        blurred=bout.blurred or entry.unsure,
    )


def without_cards(
    deal: Deal, seat: int, count: int, knowledge: Knowledge | None, bout: Bout | None
) -> Deal:
    """Return the deal when `count` cards have left a hand, which may be empty now."""
    counts = list(deal.counts)
    counts[seat] -= count
    deal = replace(deal, counts=tuple(counts), knowledge=knowledge, bout=bout)
    if counts[seat]:
        return deal
    return replace(deal, holding=deal.holding & ~(1 << seat), emptied=(*deal.emptied, seat))


def settle(game: Game, deal: Deal, version: int) -> Game:
    """Go on with a bout, or end it where it is over by itself or by everybody's `done`."""
    bout = deal.bout
    if bout is None or (bout.open and not bout.taking) or not _over(bout, deal.holding):
        return replace(game, deal=deal)
    return _end(game, deal, bout, version)


def _over(bout: Bout, holding: Seats) -> bool:
    """Tell whether a bout is over in which no card waits to be beaten.

    Clauses: `durak.beaten-off`, `durak.throw-after`.
    """
    if not bout.taking and not holding >> bout.defender & 1:
        return True
    return len(bout.pairs) >= bout.limit or not bout.adders & holding & ~bout.done


def _end(game: Game, deal: Deal, bout: Bout, version: int) -> Game:
    """Clear the table, draw, let those without cards go out, and find who leads."""
    if bout.taking:
        deal = _taken(deal, bout, version)
    if deal.stock:
        deal = _drawn(deal, bout, version)
    emptied = tuple([seat for seat in deal.emptied if not deal.holding >> seat & 1])
    deal = replace(
        deal,
        leader=_leader(deal, bout),
        out=deal.out if deal.stock else deal.out + emptied,
        emptied=emptied if deal.stock else (),
        beaten_off=deal.beaten_off or not bout.taking,
        bouts=deal.bouts + 1,
        bout=None,
        roles=(bout.main, bout.defender),
    )
    return replace(game, deal=deal, outcome=score.ended(game, deal, emptied))


def _taken(deal: Deal, bout: Bout, version: int) -> Deal:
    """Let the defender take every card of the bout (`durak.take`)."""
    taker = 1 << bout.defender
    counts = list(deal.counts)
    counts[bout.defender] += bout.size
    return replace(
        deal,
        counts=tuple(counts),
        holding=deal.holding | taker,
        knowledge=deal.knowledge
        and proof.taken(deal.knowledge, deal.table, bout.defender, version),
        given=deal.given & ~taker if bout.blurred else deal.given,
    )


@cache
def _drawing_order(main: int, adders: Seats, defender: int, seats: int) -> tuple[int, ...]:
    """Return who draws after whom: main attacker, adders, the others, the defender."""
    others = (1 << seats) - 1 & ~adders
    order = (main, *clockwise(adders, main), *clockwise(others & ~(1 << defender), main), defender)
    return tuple(dict.fromkeys(order))


def _drawn(deal: Deal, bout: Bout, version: int) -> Deal:
    """Fill the hands up to six (`durak.draw`)."""
    counts, holding, given, stock = list(deal.counts), deal.holding, deal.given, deal.stock
    draws: list[Draw] = []
    for seat in _drawing_order(bout.main, bout.adders, bout.defender, len(counts)):
        lacking = CARDS_EACH - counts[seat]
        if lacking <= 0 or not stock:
            continue
        drawn = min(lacking, stock)
        last = drawn == stock
        draws.append(Draw(seat, drawn - last, last))
        counts[seat] += drawn
        stock -= drawn
        holding |= 1 << seat
        if drawn > last or not deal.shown_sure:
            given &= ~(1 << seat)
    return replace(
        deal,
        counts=tuple(counts),
        holding=holding,
        given=given,
        stock=stock,
        knowledge=deal.knowledge and proof.drawn(deal.knowledge, draws, version),
    )


def _leader(deal: Deal, bout: Bout) -> int | None:
    """Return who leads after a bout (`durak.turn`)."""
    if not bout.taking and deal.holding >> bout.defender & 1:
        return bout.defender
    return next_of(deal.holding, bout.defender)
