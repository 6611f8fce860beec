"""Judge a result, entered for a whole deal or to end one recorded in part (`table.result`)."""

from msgspec import UNSET

from domain.euchre import score
from domain.euchre.state import CARDS_EACH, Deal, Phase
from domain.table import judgement
from domain.table.judgement import RESULT
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import euchre as entries


def judge_result(game: Game, entry: entries.Result, _version: int) -> Game | Refusal:
    """Judge a result, which ends the deal."""
    deal: Deal | None = game.deal
    trump = deal.trump if deal else None
    return judgement.end_by_result(
        game,
        entry.dealer,
        _refuse(game, deal, entry),
        lambda dealer: score.outcome(entry.maker, trump, entry.tricks, dealer),
    )


def _refuse(game: Game, deal: Deal | None, entry: entries.Result) -> Refusal | None:
    if entry.maker is not None and not 0 <= entry.maker < game.seats:
        return Refusal("table.seat", facts={"seat": entry.maker})
    if deal is None:
        if entry.dealer is not UNSET:
            refusal = judgement.refuse_dealer(game, entry, entry.dealer)
            if refusal is not None:
                return refusal
    elif not fits_record(deal, entry):
        return Refusal(RESULT, facts=_disagreement(deal, entry))
    stuck = entry.maker is None and game.options.last_bid == "stick"
    return Refusal("euchre.stick") if stuck and "euchre.stick" not in entry.waive else None


def _disagreement(deal: Deal, entry: entries.Result) -> dict[str, Fact]:
    if entry.dealer not in {UNSET, deal.dealer}:
        return {"why": "dealer", "dealer": deal.dealer}
    if deal.maker is not None and entry.maker != deal.maker:
        return {"why": "maker", "maker": deal.maker}
    maker = entry.maker or 0
    if deal.maker is None:
        return {"why": "passed", "seat": maker}
    won = deal.tricks[maker]
    most = won + CARDS_EACH - sum(deal.tricks)
    return {"why": "tricks", "seat": maker, "least": won, "most": most}


def fits_record(deal: Deal, entry: entries.Result) -> bool:
    """Return whether a result fits the dealer, the maker, the passes and the tricks."""
    if entry.dealer is not UNSET and entry.dealer != deal.dealer:
        return False
    if entry.maker is None:
        return deal.maker is None
    if deal.maker is not None and entry.maker != deal.maker:
        return False
    if deal.phase is Phase.ROUND_TWO and entry.maker in deal.passed:
        return False
    won = deal.tricks[entry.maker]
    return won <= (entry.tricks or 0) <= won + CARDS_EACH - sum(deal.tricks)
