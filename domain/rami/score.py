"""Find the winner of a deal, score the losers, and end the deal."""

from msgspec.structs import replace

from domain.rami.state import Deal
from domain.table.dealing import next_dealer
from domain.table.rules import Game, Outcome
from schemas.rami import Detail, Options


def go_out_if_empty(game: Game, seat: int, version: int) -> Game:
    """Continue, or begin to count the losers if `seat` has no cards left (`rami.out`)."""
    deal: Deal = game.deal
    if deal.counts[seat]:
        return game
    return end_if_counted(replace(game, deal=replace(deal, winner=seat, out_at=version)))


def end_if_counted(game: Game) -> Game:
    """Continue counting, or end the deal when every loser who had opened is counted."""
    deal: Deal = game.deal
    if deal.winner is None or deal.to_count:
        return game
    held = tuple(hand and hand.points for hand in deal.counted)
    return replace(game, outcome=outcome(game, deal.winner, deal.opened, held, deal.dealer))


def outcome(
    game: Game,
    winner: int,
    opened: tuple[bool, ...],
    held: tuple[int | None, ...],
    dealer: int | None,
) -> Outcome:
    """Score a deal. `held`: the hands of the losers who had opened.

    Clauses: `rami.winner`, `rami.loser-opened`, `rami.loser-closed`, `rami.dry`. `dealer` is None
    if unknown.
    """
    options: Options = game.options
    true_opened = tuple(seat == winner or opened[seat] for seat in range(game.seats))
    dry = not any(had for seat, had in enumerate(true_opened) if seat != winner)
    closed = options.dry if dry else options.not_opened
    losses = [(held[seat] or 0) if true_opened[seat] else closed for seat in range(game.seats)]
    points = tuple(0 if seat == winner else loss for seat, loss in enumerate(losses))
    detail = Detail(winner=winner, dry=dry, opened=true_opened)
    dealer_next = next_dealer(dealer, game.seats)
    return Outcome(points, detail, dealer_next)
