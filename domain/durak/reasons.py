"""Which of the things that break a clause it was: what the sentence of a refusal tells.

A clause can be broken in several ways; `why` of a refusal's facts says which, and the facts beside
it who and how many. Nothing is judged here.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.durak.clauses import FIRST_LEAD, NEXT_LEAD, RANK, TURN, WHO_ADDS, WORD
from domain.durak.roles import cap, holder, may_still_add
from domain.durak.state import AWAY, STOCK, UNDER, Bout, Deal
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game

Facts = dict[str, Fact]
_LYING = {UNDER: "under", AWAY: "away"}


def placed(deal: Deal, refusal: Refusal) -> Refusal:
    """Say in the words of the table where a card lies that was seen elsewhere."""
    facts = dict(refusal.facts)
    lies, moved = facts.pop("lies", None), facts.pop("moved", None)
    if not isinstance(lies, int):
        return refusal
    if lies < STOCK:
        where = "had" if moved else "hand"
        return replace(refusal, facts={**facts, "where": where, "holder": lies})
    table = "table" if lies == deal.table and deal.bout is not None else "gone"
    return replace(refusal, facts={**facts, "where": _LYING.get(lies, table)})


def attack(game: Game, deal: Deal, clause: str, seat: int, cards: Sequence[str]) -> Facts:
    """Say why cards cannot be laid against the defender."""
    said: dict[str, Fact] = {"seat": seat, "card": cards[0] if cards else ""}
    bout = deal.bout
    if clause in {FIRST_LEAD, NEXT_LEAD, TURN}:
        return said | _leader(game, deal, clause, seat)
    if clause == RANK:
        return said | {"why": "unlike" if unlike(cards) else "table"}
    if bout is not None and clause in {WHO_ADDS, WORD}:
        return said | speaking(game, deal, bout, clause, seat)
    return said


def _leader(game: Game, deal: Deal, clause: str, seat: int) -> Facts:
    if deal.leader is None:
        unasked = not game.options.redeal_no_trump and seat == (deal.dealer + 1) % game.seats
        return {"why": "trump" if unasked else "unshown"}
    custom = game.options.next_lead if clause == NEXT_LEAD else "leads"
    return {"turn": deal.leader, "why": custom}


def unlike(cards: Sequence[str]) -> bool:
    """Tell whether cards laid together have more than one rank."""
    return len({card[0] for card in cards}) > 1


def speaking(game: Game, deal: Deal, bout: Bout, clause: str, seat: int) -> Facts:
    """Say why a seat may neither add nor be done."""
    if clause == WHO_ADDS:
        if seat == bout.defender:
            return {"why": "defends"}
        if not bout.playing >> seat & 1:
            return {"why": "out"}
        return {"turn": bout.main, "why": "teams" if game.options.teams is True else "far"}
    has_it = holder(bout, deal.holding)
    if has_it is None or not may_still_add(bout, deal.holding):
        return {"why": "nothing"}
    return {"turn": has_it, "why": "other"}


def room(game: Game, deal: Deal, bout: Bout) -> Facts:
    """Say how many attack cards there may be, and what sets that number."""
    most = cap(deal, game.options)
    if bout.limit < most:
        return {"turn": bout.defender, "holding": bout.limit, "why": "hand"}
    first = game.options.first_bout is not None and not deal.beaten_off
    return {"most": most, "why": "first" if first else "table"}


def transfer(game: Game, deal: Deal, bout: Bout, cards: Sequence[str], following: int) -> Facts:
    """Say why an attack cannot be passed on to the next player."""
    if not game.options.transfer:
        return {"why": "table"}
    if bout.open < len(bout.pairs):
        return {"why": "beaten"}
    if not deal.counts[following]:
        return {"why": "next", "turn": following}
    if unlike(cards):
        return {"why": "unlike"}
    if cards[0][0] not in bout.ranks:
        return {"why": "rank"}
    return {"why": "most", "most": cap(deal, game.options)}


def away(game: Game, deal: Deal, cards: Sequence[str]) -> Facts:
    """Say why four cards cannot be laid away."""
    if not game.options.four_away:
        return {"why": "table"}
    if deal.bout is not None:
        return {"why": "bout"}
    return {"why": "unlike" if deal.bouts and unlike(cards) else "first"}


def beaten(card: str, attacked: str, trump: str) -> Facts:
    """Say why a card does not beat another."""
    if card[1] == attacked[1]:
        return {"why": "lower"}
    return {"why": "trump" if attacked[1] == trump else "suit", "suit": attacked[1]}
