"""Apply the consequences of an entry: end of a bout, draws, players out, next leader."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from domain.durak import proof, score
from domain.durak.proof import Draw
from domain.durak.state import CARDS_EACH, Bout, Deal, Seats, clockwise, next_seat
from domain.inference import Knowledge
from domain.table.rules import Game
from schemas import durak as entries


def with_attack(bout: Bout, entry: entries.Attack | entries.PassOn) -> Bout:
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
    )


def without_cards(
    deal: Deal, seat: int, count: int, knowledge: Knowledge | None, bout: Bout | None
) -> Deal:
    counts = list(deal.counts)
    counts[seat] -= count
    deal = replace(deal, counts=tuple(counts), knowledge=knowledge, bout=bout)
    if counts[seat]:
        return deal
    return replace(deal, holding=deal.holding & ~(1 << seat), emptied=(*deal.emptied, seat))


def settle(game: Game, deal: Deal, version: int) -> Game:
    """Continue a bout, or end it when no further entry is possible or all are `done`."""
    bout = deal.bout
    if bout is None or (bout.open and not bout.taking) or not _over(bout, deal.holding):
        return replace(game, deal=deal)
    return _end(game, deal, bout, version)


def _over(bout: Bout, holding: Seats) -> bool:
    """Return whether the bout is over (`durak.beaten-off`, `durak.throw-after`)."""
    if not bout.taking and not holding >> bout.defender & 1:
        return True
    return len(bout.pairs) >= bout.limit or not bout.adders & holding & ~bout.done


def _end(game: Game, deal: Deal, bout: Bout, version: int) -> Game:
    counts, holding, stock = list(deal.counts), deal.holding, deal.stock
    if bout.taking:
        counts[bout.defender] += bout.size
        holding |= 1 << bout.defender
    draws = _draws(bout, counts, stock) if stock else []
    for draw in draws:
        counts[draw.seat] += draw.count
        holding |= 1 << draw.seat
        stock -= draw.count
    emptied = tuple([seat for seat in deal.emptied if not holding >> seat & 1])
    if deal.knowledge is not None:
        deal = proof.learn_bout_end(deal, deal.knowledge, bout, draws, version)
    deal = replace(
        deal,
        counts=tuple(counts),
        holding=holding,
        stock=stock,
        leader=_leader(bout, holding),
        out=deal.out if stock else deal.out + emptied,
        emptied=emptied if stock else (),
        beaten_off=deal.beaten_off or not bout.taking,
        bouts=deal.bouts + 1,
        bout=None,
        roles=(bout.main_attacker, bout.defender),
    )
    return replace(game, deal=deal, outcome=score.outcome_if_over(game, deal, emptied))


def _draws(bout: Bout, counts: Sequence[int], stock: int) -> list[Draw]:
    """Return the draws that refill the hands to six, in order (`durak.draw`)."""
    draws: list[Draw] = []
    for seat in _drawing_order(bout.main_attacker, bout.adders, bout.defender, len(counts)):
        lacking = CARDS_EACH - counts[seat]
        if lacking > 0 and stock:
            count = min(lacking, stock)
            stock -= count
            draws.append(Draw(seat, count, stock == 0))
    return draws


@cache
def _drawing_order(main: int, adders: Seats, defender: int, seats: int) -> tuple[int, ...]:
    others = (1 << seats) - 1 & ~adders
    order = (main, *clockwise(adders, main), *clockwise(others & ~(1 << defender), main), defender)
    return tuple(dict.fromkeys(order))


def _leader(bout: Bout, holding: Seats) -> int | None:
    """Return the seat that leads after a bout (`durak.turn`)."""
    if not bout.taking and holding >> bout.defender & 1:
        return bout.defender
    return next_seat(holding, bout.defender)
