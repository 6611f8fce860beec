"""What follows by itself: the end of a bout, the draws, who is out, who leads next.

Nobody records these; they are applied with the entry that ends the bout.
"""

from msgspec.structs import replace

from domain.durak import proof, score
from domain.durak.proof import Draw
from domain.durak.seats import clockwise, may_still_add, next_of, playing, with_count
from domain.durak.state import CARDS_EACH, Bout, Deal
from domain.knowledge import Knowledge
from domain.rules import Game


def without_cards(
    deal: Deal, seat: int, count: int, knowledge: Knowledge | None, bout: Bout | None
) -> Deal:
    """Return the deal when `count` cards have left a hand, which may be empty now."""
    counts = with_count(deal.counts, seat, -count)
    return replace(
        deal,
        counts=counts,
        emptied=deal.emptied if counts[seat] else (*deal.emptied, seat),
        knowledge=knowledge,
        bout=bout,
        bouts=deal.bouts + (deal.bout is None and bout is not None),
    )


def settle(game: Game, deal: Deal, version: int) -> Game:
    """Go on with a bout, or end it where it is over by itself or by everybody's `done`."""
    bout = deal.bout
    if bout is None or not _over(bout, deal.counts):
        return replace(game, deal=deal)
    return _end(game, deal, bout, version)


def _over(bout: Bout, counts: tuple[int, ...]) -> bool:
    """Tell whether a bout is over (`durak.beaten-off`, `durak.throw-after`)."""
    if not bout.taking:
        if bout.open:
            return False
        if not counts[bout.defender]:
            return True
    if not may_still_add(bout, counts):
        return True
    for seat in bout.adders:  # noqa: SIM110 a generator costs more here than the bout
        if counts[seat] and seat not in bout.done:
            return False
    return True


def _end(game: Game, deal: Deal, bout: Bout, version: int) -> Game:
    """Clear the table, draw, let those without cards go out, and find who leads."""
    if bout.taking:
        deal = _taken(deal, bout, version)
    deal = _drawn(deal, bout, game.seats, version)
    emptied = tuple(seat for seat in deal.emptied if not deal.counts[seat])
    out = deal.out if deal.stock else (*deal.out, *emptied)
    deal = replace(
        deal,
        out=out,
        emptied=emptied if deal.stock else (),
        beaten_off=deal.beaten_off or not bout.taking,
        bout=None,
        roles=(bout.main, bout.defender),
    )
    outcome = score.ended(game, deal, emptied)
    if outcome is not None:
        return replace(game, deal=deal, outcome=outcome)
    return replace(game, deal=replace(deal, leader=_leader(deal, bout, game.seats)))


def _taken(deal: Deal, bout: Bout, version: int) -> Deal:
    """Let the defender take every card of the bout (`durak.take`)."""
    given = deal.given
    if bout.blurred:
        given = (*given[: bout.defender], False, *given[bout.defender + 1 :])
    return replace(
        deal,
        counts=with_count(deal.counts, bout.defender, bout.size),
        knowledge=proof.taken(deal, version),
        given=given,
    )


def _drawn(deal: Deal, bout: Bout, seats: int, version: int) -> Deal:
    """Fill the hands up to six: main attacker, adders, the others, the defender (`durak.draw`)."""
    if not deal.stock:
        return deal
    adders = [seat for seat in bout.adders if seat not in (bout.main, bout.defender)]
    order = [bout.main, *adders]
    order += [seat for seat in clockwise(bout.main, seats) if seat not in (*order, bout.defender)]
    counts, given, stock = list(deal.counts), list(deal.given), deal.stock
    draws: list[Draw] = []
    for seat in dict.fromkeys((*order, bout.defender)):
        drawn = min(max(CARDS_EACH - counts[seat], 0), stock)
        if not drawn:
            continue
        last = drawn == stock
        draws.append(Draw(seat, drawn - last, last))
        counts[seat] += drawn
        stock -= drawn
        given[seat] = given[seat] and drawn == last and deal.shown_sure
    return replace(
        deal,
        counts=tuple(counts),
        given=tuple(given),
        stock=stock,
        knowledge=proof.drawn(deal.knowledge, draws, version),
    )


def _leader(deal: Deal, bout: Bout, seats: int) -> int | None:
    """Return who leads after a bout (`durak.turn`)."""
    if not bout.taking and deal.counts[bout.defender]:
        return bout.defender
    return next_of(playing(deal), bout.defender, seats)
