"""Find the fact that broke a clause, for the sentence of a refusal."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.durak.clauses import FIRST_LEAD, NEXT_LEAD, RANK, TURN, WHO_ADDS, WORD
from domain.durak.roles import bout_limit, may_still_add, seat_to_add
from domain.durak.state import AWAY, STOCK, UNDER, Bout, Deal
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game

Facts = dict[str, Fact]
_PLACE_WORDS = {UNDER: "under", AWAY: "away"}


def explain_place(deal: Deal, refusal: Refusal) -> Refusal:
    """Return the place of a card that was seen elsewhere, in the words of the table."""
    facts = dict(refusal.facts)
    lies, moved = facts.pop("lies", None), facts.pop("moved", None)
    if not isinstance(lies, int):
        return refusal
    if lies < STOCK:
        where = "had" if moved else "hand"
        return replace(refusal, facts={**facts, "where": where, "holder": lies})
    table = "table" if lies == deal.table and deal.bout is not None else "gone"
    return replace(refusal, facts={**facts, "where": _PLACE_WORDS.get(lies, table)})


def explain_attack(game: Game, deal: Deal, clause: str, seat: int, cards: Sequence[str]) -> Facts:
    """Return the reason for which cards cannot be played against the defender."""
    facts: dict[str, Fact] = {"seat": seat, "card": cards[0] if cards else ""}
    bout = deal.bout
    if clause in {FIRST_LEAD, NEXT_LEAD, TURN}:
        return facts | _why_not_leading(game, deal, clause, seat)
    if clause == RANK:
        return facts | {"why": "unlike" if differ_in_rank(cards) else "table"}
    if bout is not None and clause in {WHO_ADDS, WORD}:
        return facts | explain_turn_to_add(game, deal, bout, clause, seat)
    return facts


def _why_not_leading(game: Game, deal: Deal, clause: str, seat: int) -> Facts:
    if deal.leader is None:
        unasked = not game.options.redeal_no_trump and seat == (deal.dealer + 1) % game.seats
        return {"why": "trump" if unasked else "unshown"}
    custom = game.options.next_lead if clause == NEXT_LEAD else "leads"
    return {"turn": deal.leader, "why": custom}


def differ_in_rank(cards: Sequence[str]) -> bool:
    return len({card[0] for card in cards}) > 1


def explain_turn_to_add(game: Game, deal: Deal, bout: Bout, clause: str, seat: int) -> Facts:
    """Return the reason for which a seat can neither add nor be done."""
    if clause == WHO_ADDS:
        if seat == bout.defender:
            return {"why": "defends"}
        if not bout.playing >> seat & 1:
            return {"why": "out"}
        return {"turn": bout.main_attacker, "why": "teams" if game.options.teams is True else "far"}
    has_it = seat_to_add(bout, deal.holding)
    if has_it is None or not may_still_add(bout, deal.holding):
        return {"why": "nothing"}
    return {"turn": has_it, "why": "other"}


def explain_limit(game: Game, deal: Deal, bout: Bout) -> Facts:
    most = bout_limit(deal, game.options)
    if bout.limit < most:
        return {"turn": bout.defender, "holding": bout.limit, "why": "hand"}
    first = game.options.first_bout is not None and not deal.beaten_off
    return {"most": most, "why": "first" if first else "table"}


def explain_transfer(
    game: Game, deal: Deal, bout: Bout, cards: Sequence[str], following: int
) -> Facts:
    """Return the reason for which an attack cannot be passed on."""
    if not game.options.transfer:
        return {"why": "table"}
    if bout.open < len(bout.pairs):
        return {"why": "beaten"}
    if not deal.counts[following]:
        return {"why": "next", "turn": following}
    if differ_in_rank(cards):
        return {"why": "unlike"}
    if cards[0][0] not in bout.ranks:
        return {"why": "rank"}
    return {"why": "most", "most": bout_limit(deal, game.options)}


def explain_not_laid_away(game: Game, deal: Deal, cards: Sequence[str]) -> Facts:
    if not game.options.four_away:
        return {"why": "table"}
    if deal.bout is not None:
        return {"why": "bout"}
    return {"why": "unlike" if deal.bouts and differ_in_rank(cards) else "first"}


def explain_not_beaten(card: str, attacked: str, trump: str) -> Facts:
    if card[1] == attacked[1]:
        return {"why": "lower"}
    return {"why": "trump" if attacked[1] == trump else "suit", "suit": attacked[1]}
