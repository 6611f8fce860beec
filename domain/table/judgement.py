"""Judge one entry: return the game after it, or a refusal; with the entries common to all games.

Each entry type has one function: the common ones are here, a game's own in its rules
(`Rules.judges`). Corrections (`take_back`, `amend`, `splice`) need the whole log: see
`domain.table.history`.
"""

from collections.abc import Callable, Mapping
from typing import Protocol, cast

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.table.refusal import Refusal
from domain.table.rules import (
    INTEGER,
    TEXT,
    Choice,
    Game,
    Judge,
    Outcome,
    Rules,
    Situation,
    Status,
)
from schemas.entries import (
    Adjust,
    DealEnded,
    Entry,
    Finish,
    GameEnded,
    Note,
    SetAside,
    Void,
    is_deal_ended,
    seats_named,
)

OVER = "over"
SET_ASIDE = "set_aside"
RESULT = "table.result"  # the result contradicts the record
# Entry types of a game that are legal between deals.
_OPENING = frozenset({"deal", "result", "finish", "adjust"})
# Enum member look-up is slow, and `judge` needs these for every entry.
_OPEN, _DECIDED = Status.OPEN, Status.DECIDED


def start(rules: Rules, options: Struct, seats: int, *, exact: bool = True) -> Game:
    return Game(rules, options, seats, exact, totals=(0,) * seats)


def judge(game: Game, entry: Entry, version: int) -> Game | Refusal:
    """Return the game after an entry with number `version`, or a refusal; not for corrections.

    Clauses: `table.seat`; `table.phase` after the end, once set aside and between deals; then the
    entry's own.
    """
    judged = _judge(game, entry, version)
    return replace(judged, ruleset=game.rules.name) if isinstance(judged, Refusal) else judged


def _judge(game: Game, entry: Entry, version: int) -> Game | Refusal:
    kind = type(entry)
    for name in seats_named(kind):
        named: object = getattr(entry, name)  # None or UNSET where an entry leaves it out
        seat: object = cast("tuple[object, ...]", named)[0] if isinstance(named, tuple) else named
        if isinstance(seat, int) and not 0 <= seat < game.seats:
            return Refusal("table.seat", facts={"seat": seat})
    if kind is not Note:
        if game.set_aside:
            return Refusal("table.phase", facts={"phase": SET_ASIDE})
        if game.status is not _OPEN and kind is not SetAside:
            return Refusal("table.phase", facts={"phase": OVER})
    own = game.rules.judges.get(kind)
    if own is None:
        return _COMMON[kind](game, entry, version)
    if game.deal is None and kind.__struct_config__.tag not in _OPENING:
        return Refusal("table.phase", facts={"phase": game.rules.between_deals(game).phase})
    return own(game, entry, version)


def refuse(game: Game, entry: Entry, version: int) -> Refusal | None:
    judged = judge(game, entry, version)
    return judged if isinstance(judged, Refusal) else None


def apply_trusted(game: Game, entry: Entry, version: int) -> Game:
    """Return the game after a stored entry, even if today's rules would refuse it.

    Broken clauses are waived. If that is not enough, the entry is judged without knowledge of
    hidden cards; an entry that is illegal even then changes nothing.
    """
    asked = game
    while isinstance(judged := _judge(asked, entry, version), Refusal):
        if judged.rule not in entry.waive:
            entry = replace(entry, waive=(*entry.waive, judged.rule))
        elif asked is game:
            deal = game.deal and replace(game.deal, knowledge=None)
            asked = replace(game, deal=deal, status=_OPEN, set_aside=False)
        else:
            return game
    return judged


def _void(game: Game, _entry: Void, _version: int) -> Game | Refusal:
    if game.deal is None:
        return Refusal("table.phase", facts={"phase": game.rules.between_deals(game).phase})
    return replace(game, deal=None, dealer=game.deal.dealer)


def judge_adjust(game: Game, entry: Adjust, _version: int) -> Game:
    seat, totals = entry.seat, game.totals
    return replace(game, totals=(*totals[:seat], totals[seat] + entry.points, *totals[seat + 1 :]))


def judge_finish(game: Game, _entry: Finish, _version: int) -> Game:
    """Return the game ended by the table; a deal in progress is annulled."""
    return replace(game, deal=None, status=_DECIDED)


_COMMON: Mapping[type[Entry], Judge] = {
    Void: _void,
    Adjust: judge_adjust,
    Finish: judge_finish,
    Note: lambda game, _entry, _version: game,
    SetAside: lambda game, _entry, _version: replace(game, set_aside=True),
}


def next_derived(game: Game) -> Entry | None:
    """Return the derived entry to write now, if any: `deal_ended`, then `game_ended`."""
    if game.outcome is not None:
        outcome = game.outcome
        return DealEnded(deal=len(game.deals) + 1, points=outcome.points, detail=outcome.detail)
    if game.status is _DECIDED:
        return GameEnded(totals=game.totals, ranking=game.rules.ranking(game))
    return None


def apply_derived(game: Game, entry: Entry) -> Game:
    """Return the game after a derived entry returned by `next_derived`."""
    if is_deal_ended(entry):
        after = replace(
            game,
            totals=tuple(total + won for total, won in zip(game.totals, entry.points, strict=True)),
            deals=game.deals.extended(entry.points),
            details=game.details.extended(entry.detail),
            counted=game.rules.count_deal(game, entry.detail),
            dealer=game.outcome.dealer_next if game.outcome else game.dealer,
            deal=None,
            outcome=None,
        )
        return replace(after, status=_DECIDED) if game.rules.is_decided(after) else after
    return replace(game, status=Status.OVER)


class HasWaivers(Protocol):
    """An entry, as far as it waives clauses."""

    @property
    def waive(self) -> tuple[str, ...]: ...


def refuse_dealer(game: Game, entry: HasWaivers, dealer: int) -> Refusal | None:
    """Judge the dealer: `table.seat`, then `table.dealer` (any seat may deal first)."""
    if not 0 <= dealer < game.seats:
        return Refusal("table.seat", facts={"seat": dealer})
    if game.dealer is not None and dealer != game.dealer and "table.dealer" not in entry.waive:
        return Refusal("table.dealer", facts={"seat": dealer, "dealer": game.dealer})
    return None


def with_deal(game: Game, deal: Struct, outcome: Outcome | None = None) -> Game:
    """Return the game with a changed deal, which is complete if there is an outcome."""
    return replace(game, deal=deal, outcome=outcome)


def end_by_result(
    game: Game,
    named: int | UnsetType,
    refusal: Refusal | None,
    outcome: Callable[[int | None], Outcome],
) -> Game | Refusal:
    """Return the game after a `result`, or its refusal.

    `named` is the dealer that the entry names; if UNSET, it is the next dealer. The dealer of a
    deal in progress takes precedence. `outcome` takes the dealer.
    """
    if refusal is not None:
        return refusal
    dealer = game.dealer if named is UNSET else named
    return replace(game, outcome=outcome(game.deal.dealer if game.deal else dealer))


def situation(game: Game) -> Situation:
    """Return the public state; between deals, all cards are stock and the next dealer is to act."""
    if game.deal is not None and game.outcome is None:
        return game.rules.situation(game)
    if game.status is Status.OPEN:
        return game.rules.between_deals(game)
    return Situation(OVER, (), (0,) * game.seats, game.rules.pack_size(game))


def choices(game: Game) -> tuple[Choice, ...]:
    """List the entries that may be recorded now, without corrections."""
    note = Choice("note", fields={"text": TEXT})
    if game.set_aside:
        return (note,)
    aside = Choice("set_aside", fields={"reason": TEXT})
    if game.status is not Status.OPEN:
        return (note, aside)
    seats = tuple(range(game.seats))
    common = (
        Choice("adjust", fields={"seat": seats, "points": INTEGER, "reason": TEXT}),
        note,
        Choice("finish", fields={"reason": TEXT}),
        aside,
    )
    void = (Choice("void", fields={"reason": TEXT}),) if game.deal is not None else ()
    own = game.rules.choices(game, refuse)
    kinds = {choice.type for choice in own}  # a game may extend a common entry
    return (*own, *void, *(choice for choice in common if choice.type not in kinds))
