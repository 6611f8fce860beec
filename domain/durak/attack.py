"""Judge attacks: the first of a bout and further ones."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.durak import proof, reasons
from domain.durak.bouts import settle, with_attack, without_cards
from domain.durak.clauses import FIRST_LEAD, LEAD, LIMIT, NEXT_LEAD, RANK, TURN, UNBEATEN
from domain.durak.ranks import PACK, RANKS
from domain.durak.roles import adders_of, clause_against_adding, defender_of, limit_of
from domain.durak.score import leader_next
from domain.durak.state import Bout, Deal
from domain.inference import Knowledge, RuledOut
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import durak as entries
from schemas.durak import Options


def refuse_cards(deal: Deal, seat: int, cards: Sequence[str]) -> Refusal | None:
    """Check cards played from a hand without any proof: `cards.deck`, `cards.count`."""
    for card in cards:
        if card not in PACK.copies:
            return Refusal("cards.deck", facts={"seat": seat, "card": card})
    count, held = len(cards), deal.counts[seat]
    if 0 < count <= held and (count == 1 or len(set(cards)) == count):
        return None
    facts: dict[str, Fact] = {"seat": seat, "why": "none"}
    if count > held:
        facts = {"seat": seat, "found": count, "held": held}
    elif count:
        twice = next(card for card in cards if cards.count(card) > 1)
        facts = {"seat": seat, "card": twice}
    return Refusal("cards.count", facts=facts)


def have_one_rank(cards: Sequence[str], ranks: str) -> bool:
    rank = cards[0][0]
    return rank in ranks and (len(cards) == 1 or all(card[0] == rank for card in cards))


def judge_attack(game: Game, entry: entries.Attack, version: int) -> Game | Refusal:
    """Judge an attack. The bout may end with it."""
    deal: Deal = game.deal
    seat = entry.seat
    refusal = _refuse_by_sight(game, deal, entry)
    if refusal is not None:
        return refusal
    known = deal.knowledge and _learn(game, deal, entry, version)
    if isinstance(known, Refusal):
        return known
    bout = with_attack(deal.bout or _new_bout(game, deal, seat), entry)
    if bout.adders >> seat & 1:
        bout = replace(bout, word=seat, last=seat)
    return settle(game, without_cards(deal, seat, len(entry.cards), known, bout), version)


def _refuse_by_sight(game: Game, deal: Deal, entry: entries.Attack) -> Refusal | None:
    bout = deal.bout
    if bout is None:
        turn = _broken_by_beginning(game, deal, entry)
    else:
        turn = clause_against_adding(bout, deal.holding, entry.seat, game.options)
    if turn is not None and turn not in entry.waive:
        return _refusal(game, deal, turn, entry)
    refusal = refuse_cards(deal, entry.seat, entry.cards)
    if refusal is not None:
        return refusal
    clause = _broken_by_cards(game, deal, bout, entry)
    return None if clause is None else _refusal(game, deal, clause, entry)


def _refusal(game: Game, deal: Deal, clause: str, entry: entries.Attack) -> Refusal:
    facts = reasons.explain_attack(game, deal, clause, entry.seat, entry.cards)
    if clause == LIMIT:
        begun = deal.bout or _new_bout(game, deal, entry.seat)
        facts |= reasons.explain_limit(game, deal, begun)
    return Refusal(clause, facts=facts)


def _broken_by_beginning(game: Game, deal: Deal, entry: entries.Attack) -> str | None:
    if entry.seat == deal.leader:
        return None
    if _may_lead_without_lowest(game, deal, entry.seat):
        trumps = any(card[1] == deal.trump for card in entry.cards)
        return FIRST_LEAD if trumps else None
    if deal.bouts:
        return TURN
    return FIRST_LEAD if leader_next(game) is None else NEXT_LEAD


def _may_lead_without_lowest(game: Game, deal: Deal, seat: int) -> bool:
    if deal.leader is not None or deal.bout is not None or game.options.redeal_no_trump:
        return False
    return seat == (deal.dealer + 1) % game.seats


def _broken_by_cards(
    game: Game, deal: Deal, bout: Bout | None, entry: entries.Attack
) -> str | None:
    options: Options = game.options
    cards, waive = entry.cards, entry.waive
    if bout is None:
        if len(cards) == 1:  # any one card may begin a bout: whoever defends holds another
            return None
        ranks, room = RANKS, limit_of(deal, _defender(game, deal, entry.seat), options)
    else:
        ranks, room = bout.ranks, bout.limit - len(bout.pairs)
        waiting = bout.open and not bout.taking
        if waiting and not options.while_unbeaten and UNBEATEN not in waive:
            return UNBEATEN
    if len(cards) > 1 and options.lead == "single" and LEAD not in waive:
        return LEAD
    if not have_one_rank(cards, ranks) and RANK not in waive:
        return RANK
    return LIMIT if len(cards) > room and LIMIT not in waive else None


def _defender(game: Game, deal: Deal, attacker: int) -> int:
    defender = defender_of(deal.holding, attacker, game.options)
    return attacker if defender is None else defender


def _learn(
    game: Game, deal: Deal, entry: entries.Attack, version: int
) -> Knowledge | Refusal | None:
    concluded: tuple[RuledOut, ...] = ()
    if _may_lead_without_lowest(game, deal, entry.seat):
        concluded = proof.rule_out_trumps(deal, game.seats, version)
    return proof.learn_cards_laid(deal, entry, entry.cards, deal.table, version, concluded)


def _new_bout(game: Game, deal: Deal, main: int) -> Bout:
    options: Options = game.options
    defender = _defender(game, deal, main)
    return Bout(
        opener=main,
        main_attacker=main,
        defender=defender,
        playing=deal.holding,
        adders=adders_of(deal.holding, main, defender, options),
        limit=limit_of(deal, defender, options),
        word=main,
        last=main,
    )
