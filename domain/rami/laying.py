"""Combinations laid, cards added to them, jokers won from them: refuse and apply.

What is wrong with the cards themselves comes from `domain.rami.combinations`; here it meets the
turn, the opening and the hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from domain.rami import combinations, proof, score
from domain.rami.combinations import Combination, Defect, Judged, Kind, Laid, laid
from domain.rami.state import TABLE, Deal, Debt
from domain.rami.turn import SWAP_USE, acting, broken, counts_with, refuse_turn
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import rami as entries
from schemas.cards import JOKER

OPENING, OPENING_RUN, OPENED_FIRST = "rami.opening", "rami.opening-run", "rami.opened-first"
Group = entries.Meld | entries.Add
Laying = Group | entries.SwapJoker


def refuse_meld(game: Game, entry: entries.Meld, version: int) -> Refusal | None:
    """Judge combinations laid: the turn, the cards, each combination, the opening, the hand."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=True)
    if refusal is not None:
        return refusal
    cards = [laid(code) for codes in entry.melds for code in codes]
    return _refuse_cards(deal, entry, cards, version) or _unless_waived(
        _meld_wrongs(game, entry), entry
    )


class Wrong(NamedTuple):
    """Something wrong with a laying, and what the sentence about it names."""

    defect: Defect
    facts: Mapping[str, Fact]


def _meld_wrongs(game: Game, entry: entries.Meld) -> list[Wrong]:
    """List what is wrong with a laying, the opening included."""
    wrongs: list[Wrong] = []
    group: list[Combination] = []
    for codes in entry.melds:
        combination, defects = combinations.read(codes)
        group.append(combination)
        if defects:
            facts = {"cards": " ".join(codes)}
            wrongs += [Wrong(defect, facts) for defect in defects]
    if not game.deal.opened[entry.seat]:
        wrongs += _opening_wrongs(game.options, group)
    return wrongs


def _opening_wrongs(options: entries.Options, group: Sequence[Combination]) -> list[Wrong]:
    """Say what a first laying lacks (`rami.opening`, `rami.opening-run`)."""
    pure = options.pure_run == "no_joker"
    has_run = any(one.kind is Kind.RUN and not (pure and one.joker) for one in group)
    points = sum(combinations.worth(one) for one in group)
    wrongs: list[Wrong] = []
    if points < options.opening:
        wrongs.append(Wrong((OPENING,), {"found": points, "expected": options.opening}))
    if not has_run:
        wrongs.append(Wrong((OPENING_RUN,), {"pure": options.pure_run} if pure else {}))
    return wrongs


def _unless_waived(wrongs: Iterable[Wrong], entry: Laying) -> Refusal | None:
    """Refuse for the first thing wrong that the entry does not waive."""
    for defect, facts in wrongs:
        if broken((defect,), entry):
            return Refusal(defect[0], facts={"seat": entry.seat, **facts})
    return None


def _refuse_cards(deal: Deal, entry: Group, cards: Sequence[Laid], version: int) -> Refusal | None:
    """Judge whether the hand can hold what is laid: `cards.count`, then what is known of it."""
    held = deal.counts[entry.seat]
    shown = entry.melds if isinstance(entry, entries.Meld) else entry.cards
    if not shown or len(cards) > held:
        facts = {"seat": entry.seat, "found": len(cards), "held": held}
        return Refusal("cards.count", facts=facts)
    if deal.knowledge is None or not cards:
        return None
    found = proof.laid_down(deal.knowledge, entry.seat, cards, version, unsure=entry.unsure)
    return found if isinstance(found, Refusal) else None


def apply_meld(game: Game, entry: entries.Meld, version: int) -> Game:
    """Lay combinations; a first laying opens unless the table let something pass."""
    deal: Deal = game.deal
    opened = deal.opened
    if not opened[entry.seat] and not _breaks(game, entry):
        opened = (*opened[: entry.seat], True, *opened[entry.seat + 1 :])
    cards = [laid(code) for codes in entry.melds for code in codes]
    melds = [combinations.read(codes).combination for codes in entry.melds]
    if entry.unsure:
        melds = _with_unsure(melds, cards, version)
    down = _laid_down(deal, entry, cards, version)
    down = replace(down, opened=opened, melds=(*deal.melds, *melds))
    return score.unless_out(replace(game, deal=down), entry.seat)


def _breaks(game: Game, entry: entries.Meld) -> bool:
    """Tell whether a legal laying breaks any clause, which it then waives."""
    if not entry.waive:
        return False
    late = refuse_turn(game.deal, replace(entry, waive=()), drawn=True)
    return late is not None or bool(_meld_wrongs(game, entry))


def _with_unsure(
    melds: Iterable[Combination], cards: Iterable[Laid], version: int
) -> list[Combination]:
    """Note where knowledge keeps each combination's joker."""
    kept = iter(proof.unsure_jokers(cards, version))
    return [
        replace(one, unsure=tuple(next(kept) for code in one.cards if laid(code).joker))
        for one in melds
    ]


def _laid_down(deal: Deal, entry: Group, cards: Sequence[Laid], version: int) -> Deal:
    """Take the cards out of the hand and off what is owed."""
    known = deal.knowledge
    if known is not None and cards:
        found = proof.laid_down(known, entry.seat, cards, version, unsure=entry.unsure)
        known = None if isinstance(found, Refusal) else found
    deal = acting(deal, entry.seat)
    return replace(
        deal,
        counts=counts_with(deal, entry.seat, -len(cards)),
        owed=_paid(deal.owed, (card.held for card in cards)),
        knowledge=known,
    )


def _paid(owed: tuple[Debt, ...], held: Iterable[str]) -> tuple[Debt, ...]:
    """Strike one debt for each card laid that is alike (`rami.take-use`, `rami.swap-use`)."""
    if not owed:
        return owed
    left = list(owed)
    for code in held:
        met = next((debt for debt in left if debt.code == code), None)
        if met is not None:
            left.remove(met)
    return tuple(left)


def refuse_add(game: Game, entry: entries.Add, version: int) -> Refusal | None:
    """Judge cards added: the turn, `rami.meld-number`, the hand, `rami.opened-first`, the fit."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=True)
    if refusal is not None:
        return refusal
    there = _there(deal, entry.meld)
    if there is None:
        return Refusal("rami.meld-number", facts={"meld": entry.meld})
    cards = [laid(code) for code in entry.cards]
    refusal = _refuse_cards(deal, entry, cards, version)
    if refusal is not None:
        return refusal
    defects = [*_unopened(deal, entry.seat), *_extended(there, entry).defects]
    if not defects:
        return None
    facts: dict[str, Fact] = {"meld": entry.meld, "cards": " ".join(entry.cards)}
    return _unless_waived([Wrong(defect, facts) for defect in defects], entry)


def _there(deal: Deal, number: int) -> Combination | None:
    return deal.melds[number - 1] if 1 <= number <= len(deal.melds) else None


def _unopened(deal: Deal, seat: int) -> tuple[Defect, ...]:
    return () if deal.opened[seat] else ((OPENED_FIRST,),)


def _extended(there: Combination, entry: entries.Add) -> Judged:
    return combinations.extend(there, entry.cards, entry.end)


def apply_add(game: Game, entry: entries.Add, version: int) -> Game:
    """Add cards to a combination; what then is none stays so."""
    deal: Deal = game.deal
    cards = [laid(code) for code in entry.cards]
    grown = _extended(deal.melds[entry.meld - 1], entry).combination
    if entry.unsure:
        kept = proof.unsure_jokers(cards, version)
        grown = replace(grown, unsure=(*grown.unsure, *kept))
    down = _laid_down(deal, entry, cards, version)
    down = replace(down, melds=_with_meld(deal, entry.meld, grown))
    return score.unless_out(replace(game, deal=down), entry.seat)


def _with_meld(deal: Deal, number: int, now: Combination) -> tuple[Combination, ...]:
    return (*deal.melds[: number - 1], now, *deal.melds[number:])


def refuse_swap(game: Game, entry: entries.SwapJoker, version: int) -> Refusal | None:
    """Judge a joker won: the turn, `rami.meld-number`, the hand, `rami.opened-first`, the card."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=True)
    if refusal is not None:
        return refusal
    there = _there(deal, entry.meld)
    joker = there.joker if there else None
    if there is None or joker is None:
        return Refusal("rami.meld-number", facts={"meld": entry.meld})
    if deal.knowledge is not None:
        at = dict(there.unsure).get(joker.code, TABLE)
        found = proof.swapped(deal.knowledge, entry, at, version)
        if isinstance(found, Refusal):
            return found
    won = combinations.win_joker(there, joker, entry.card)
    defects = (*_unopened(deal, entry.seat), *won.defects)
    facts: dict[str, Fact] = {"meld": entry.meld, "card": entry.card}
    return _unless_waived([Wrong(defect, facts) for defect in defects], entry)


def apply_swap(game: Game, entry: entries.SwapJoker, version: int) -> Game:
    """Put the card in the joker's place; the joker must be laid (`rami.swap-use`)."""
    deal: Deal = game.deal
    there = deal.melds[entry.meld - 1]
    joker = there.joker or laid(JOKER)
    known = deal.knowledge
    if known is not None:
        at = dict(there.unsure).get(joker.code, TABLE)
        found = proof.swapped(known, entry, at, version)
        known = None if isinstance(found, Refusal) else found
    now = combinations.win_joker(there, joker, entry.card).combination
    melds = _with_meld(deal, entry.meld, now)
    deal = acting(deal, entry.seat)
    owed = (*_paid(deal.owed, [entry.card]), Debt(JOKER, SWAP_USE))
    return replace(game, deal=replace(deal, melds=melds, owed=owed, knowledge=known))
