"""Judge `done`, by which an attacker adds no card for now."""

from msgspec.structs import replace

from domain.durak import reasons
from domain.durak.bouts import settle
from domain.durak.clauses import MUST_LEAD, WORD
from domain.durak.roles import clause_against_adding, may_still_add, seat_to_add
from domain.durak.state import Bout, Deal, Seats, next_seat
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import durak as entries


def judge_done(game: Game, entry: entries.Done, version: int) -> Game | Refusal:
    """Judge `done`: the right to add moves on, or the bout ends."""
    deal: Deal = game.deal
    bout, seat = deal.bout, entry.seat
    if bout is None:
        return Refusal(MUST_LEAD, facts={} if seat is None else {"seat": seat})
    refusal = _refuse(game, deal, bout, entry)
    if refusal is not None:
        return refusal
    if seat is None:
        return settle(game, replace(deal, bout=replace(bout, done=bout.adders)), version)
    if not bout.adders >> seat & 1:
        return game
    done, word = bout.done | 1 << seat, bout.word
    if game.options.word == "strict" or seat == seat_to_add(bout, deal.holding):
        word = _next_to_add(bout.adders & deal.holding, seat, done)
    return settle(game, replace(deal, bout=replace(bout, done=done, word=word)), version)


def _refuse(game: Game, deal: Deal, bout: Bout, entry: entries.Done) -> Refusal | None:
    seat = entry.seat
    waiting = bout.open > 0 and not bout.taking
    if seat is None:
        facts = {"why": "waiting"}
        return Refusal(WORD, facts=facts) if waiting and WORD not in entry.waive else None
    clause = clause_against_adding(bout, deal.holding, seat, game.options)
    if clause is None or clause in entry.waive:
        clause = WORD if waiting and not may_still_add(bout, deal.holding) else None
    if clause is None or clause in entry.waive:
        return None
    why = reasons.explain_turn_to_add(game, deal, bout, clause, seat)
    return Refusal(clause, facts={"seat": seat, **why})


def _next_to_add(able: Seats, seat: int, done: Seats) -> int:
    others = able & ~(1 << seat)
    heard = next_seat(others & ~done or others, seat)
    return seat if heard is None else heard
