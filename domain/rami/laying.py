"""Judge melds, cards added to them and jokers taken from them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from domain.rami import combinations, proof, score
from domain.rami.combinations import (
    OPEN,
    Combination,
    CombinationKind,
    Defect,
    MeldedCard,
    parse_card,
)
from domain.rami.state import TABLE, Deal, Debt
from domain.rami.turn import SWAP_USE, begin_turn, change_hand_size, first_not_waived, refuse_turn
from domain.table.cards import SUITS
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import rami as entries
from schemas.cards import JOKER

OPENING, OPENING_RUN, OPENED_FIRST = "rami.opening", "rami.opening-run", "rami.opened-first"
Group = entries.Meld | entries.Add
Laying = Group | entries.SwapJoker


def judge_meld(game: Game, entry: entries.Meld, version: int) -> Game | Refusal:
    """Judge melds. The first ones open, unless something was waived."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=True)
    if refusal is not None:
        return refusal
    cards = [parse_card(code) for codes in entry.melds for code in codes]
    down = _lay_down(deal, entry, cards, version)
    if isinstance(down, Refusal):
        return down
    melds, wrongs = _read_melds(game, entry)
    refusal = _first_not_waived(wrongs, entry)
    if refusal is not None:
        return refusal
    opened, openings = deal.opened, deal.openings
    if not opened[entry.seat] and not wrongs and not _out_of_turn(deal, entry):
        opened = (*opened[: entry.seat], True, *opened[entry.seat + 1 :])
        openings = (*openings, (entry.seat, version))
    if entry.unsure:
        melds = _with_unsure(melds, cards, version)
    down = replace(down, opened=opened, openings=openings, melds=(*deal.melds, *melds))
    return score.go_out_if_empty(replace(game, deal=down), entry.seat, version)


def _out_of_turn(deal: Deal, entry: entries.Meld) -> bool:
    if not entry.waive:
        return False
    return refuse_turn(deal, replace(entry, waive=()), drawn=True) is not None


class ExplainedDefect(NamedTuple):
    """A defect and the facts that its sentence names."""

    defect: Defect
    facts: Mapping[str, Fact]


def _read_melds(game: Game, entry: entries.Meld) -> tuple[list[Combination], list[ExplainedDefect]]:
    wrongs: list[ExplainedDefect] = []
    group: list[Combination] = []
    for codes in entry.melds:
        combination, defects = combinations.parse_combination(codes)
        group.append(combination)
        if defects:
            facts: dict[str, Fact] = {"cards": " ".join(codes)}
            one_rank = len({code[0] for code in codes}) == 1
            is_whole_set = one_rank and len(codes) == len(SUITS) == len(set(codes))
            if is_whole_set and any(parse_card(code).suit == OPEN for code in codes):
                facts["why"] = "open"
            wrongs += [ExplainedDefect(defect, facts) for defect in defects]
    if not game.deal.opened[entry.seat]:
        wrongs += _opening_defects(game.options, group)
    return group, wrongs


def _opening_defects(
    options: entries.Options, group: Sequence[Combination]
) -> list[ExplainedDefect]:
    pure = options.pure_run == "no_joker"
    has_run = any(meld.kind is CombinationKind.RUN and not (pure and meld.joker) for meld in group)
    points = sum(combinations.combination_points(meld) for meld in group)
    wrongs: list[ExplainedDefect] = []
    if points < options.opening:
        wrongs.append(ExplainedDefect((OPENING,), {"found": points, "expected": options.opening}))
    if not has_run:
        wrongs.append(ExplainedDefect((OPENING_RUN,), {"pure": options.pure_run} if pure else {}))
    return wrongs


def _first_not_waived(wrongs: Iterable[ExplainedDefect], entry: Laying) -> Refusal | None:
    for defect, facts in wrongs:
        if first_not_waived((defect,), entry):
            return Refusal(defect[0], facts={"seat": entry.seat, **facts})
    return None


def _with_unsure(
    melds: Iterable[Combination], cards: Iterable[MeldedCard], version: int
) -> list[Combination]:
    counted_jokers = iter(proof.unsure_jokers(cards, version))
    return [
        replace(
            meld,
            unsure=tuple(next(counted_jokers) for code in meld.cards if parse_card(code).joker),
        )
        for meld in melds
    ]


def _lay_down(
    deal: Deal, entry: Group, cards: Sequence[MeldedCard], version: int
) -> Deal | Refusal:
    seat, held = entry.seat, deal.counts[entry.seat]
    laid = entry.melds if isinstance(entry, entries.Meld) else entry.cards
    if not laid or len(cards) > held:
        facts: dict[str, Fact] = {"seat": seat, "found": len(cards), "held": held}
        if not laid:
            facts["why"] = "none"
        return Refusal("cards.count", facts=facts)
    knowledge = deal.knowledge
    if knowledge is not None and cards:
        learnt = proof.learn_meld(knowledge, seat, cards, version, unsure=entry.unsure)
        if isinstance(learnt, Refusal):
            return learnt
        knowledge = learnt
    deal = begin_turn(deal, seat)
    return replace(
        deal,
        counts=change_hand_size(deal, seat, -len(cards)),
        debts=_pay_debts(deal.debts, (card.held for card in cards)),
        knowledge=knowledge,
    )


def _pay_debts(owed: tuple[Debt, ...], held: Iterable[str]) -> tuple[Debt, ...]:
    if not owed:
        return owed
    left = list(owed)
    for code in held:
        met = next((debt for debt in left if debt.code == code), None)
        if met is not None:
            left.remove(met)
    return tuple(left)


def judge_add(game: Game, entry: entries.Add, version: int) -> Game | Refusal:
    """Judge cards added to a combination. An invalid combination stays invalid."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=True)
    if refusal is not None:
        return refusal
    there = _combination(deal, entry.meld)
    if there is None:
        return Refusal("rami.meld-number", facts={"meld": entry.meld})
    cards = [parse_card(code) for code in entry.cards]
    down = _lay_down(deal, entry, cards, version)
    if isinstance(down, Refusal):
        return down
    grown, defects = combinations.extend(there, entry.cards, entry.end)
    facts: dict[str, Fact] = {"meld": entry.meld, "cards": " ".join(entry.cards)}
    wrongs = [ExplainedDefect(defect, facts) for defect in (*_unopened(deal, entry.seat), *defects)]
    refusal = _first_not_waived(wrongs, entry)
    if refusal is not None:
        return refusal
    if entry.unsure:
        kept = proof.unsure_jokers(cards, version)
        grown = replace(grown, unsure=(*grown.unsure, *kept))
    down = replace(down, melds=_with_meld(deal, entry.meld, grown))
    return score.go_out_if_empty(replace(game, deal=down), entry.seat, version)


def _combination(deal: Deal, number: int) -> Combination | None:
    return deal.melds[number - 1] if 1 <= number <= len(deal.melds) else None


def _unopened(deal: Deal, seat: int) -> tuple[Defect, ...]:
    return () if deal.opened[seat] else ((OPENED_FIRST,),)


def _with_meld(deal: Deal, number: int, now: Combination) -> tuple[Combination, ...]:
    return (*deal.melds[: number - 1], now, *deal.melds[number:])


def judge_swap(game: Game, entry: entries.SwapJoker, version: int) -> Game | Refusal:
    """Judge a joker replaced by the card it represents. It must be melded (`rami.swap-use`)."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=True)
    if refusal is not None:
        return refusal
    there = _combination(deal, entry.meld)
    if there is None:
        return Refusal("rami.meld-number", facts={"meld": entry.meld})
    joker = there.joker
    if joker is None:
        return Refusal("rami.meld-number", facts={"meld": entry.meld, "why": "joker"})
    at = dict(there.unsure).get(joker.code, TABLE)
    known = deal.knowledge and proof.learn_swap(deal.knowledge, entry, at, version)
    if isinstance(known, Refusal):
        return known
    now, defects = combinations.win_joker(there, joker, entry.card)
    facts: dict[str, Fact] = {"meld": entry.meld, "card": entry.card}
    wrongs = [ExplainedDefect(defect, facts) for defect in (*_unopened(deal, entry.seat), *defects)]
    refusal = _first_not_waived(wrongs, entry)
    if refusal is not None:
        return refusal
    melds = _with_meld(deal, entry.meld, now)
    deal = begin_turn(deal, entry.seat)
    owed = (*_pay_debts(deal.debts, [entry.card]), Debt(JOKER, SWAP_USE))
    return replace(game, deal=replace(deal, melds=melds, debts=owed, knowledge=known))
