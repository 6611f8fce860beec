"""What could be known at a moment, shaped for a page; and how it grew in the course of a deal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, log10
from typing import Any

from babel.numbers import format_decimal
from msgspec import Struct, json

from domain.games import GAMES
from domain.inference import deals_that_fit
from domain.table.cards import RANKS, SUITS
from domain.table.history import Step
from domain.table.rules import Game
from domain.table.viewpoint import as_seen, as_told
from schemas.cards import JOKER
from schemas.entries import Seat
from service.play.moments import Moment
from service.play.possibilities import Eyes, LocationView, PossibleView
from service.web.format.chart import Axis, Chart, Highlights, Series, draw
from service.web.recorder.entries.entries_page import cards_of

EXACT_DIGITS = 12  # longer numbers are told by their power of ten
TELLING = 3
ORDER = [rank + suit for suit in SUITS for rank in RANKS] + [JOKER]
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class ShareCell(Struct, frozen=True, kw_only=True):
    """In what part of the deals a card lies somewhere: in tenths, rounded up, and in percent."""

    tenths: int
    percent: int


class GridRow(Struct, frozen=True, kw_only=True):
    """A card, and where it can lie: a cell a location that holds any, None where it cannot."""

    card: str
    cells: tuple[ShareCell | None, ...]


class Unlit(Struct, frozen=True, kw_only=True):
    """Where any card can lie that nobody has seen: a hand, a pile, `slots` of a row, from "1"."""

    kind: str
    seat: int | None
    slots: tuple[str, ...]


class TellingEntry(Struct, frozen=True, kw_only=True):
    """An entry that told much: of so many deals that fitted before it one was left."""

    version: int
    of: int
    entry: Any


class Growth(Struct, frozen=True, kw_only=True):
    """How the deals that fit grew fewer: a drawing of their powers of ten, and what told most."""

    chart: Chart | None
    telling: tuple[TellingEntry, ...]


def number_of_deals(deals: str, language: str) -> str:
    """Say how many deals fit: in full, or by the power of ten where that is too long to read."""
    if len(deals) <= EXACT_DIGITS:
        return format_decimal(int(deals), locale=language)
    lead = format_decimal(int(deals[:2]) / 10, format="0.0", locale=language)
    return f"{lead} × 10{str(len(deals) - 1).translate(_SUPERSCRIPTS)}"


def grid(found: PossibleView) -> tuple[GridRow, ...]:
    """Return a row a card nobody has seen: where it can lie, and in how many of the deals."""
    rows: list[GridRow] = []
    for one in found.cards:
        shares = {share.location: Fraction(share.share) for share in one.at}
        cells = tuple(
            _cell(shares.get(at)) for at, where in enumerate(found.locations) if where.size
        )
        rows.append(GridRow(card=one.card, cells=cells))
    return tuple(rows)


def _cell(share: Fraction | None) -> ShareCell | None:
    if share is None:
        return None
    return ShareCell(tenths=ceil(share * 10), percent=max(1, round(share * 100)))


def told_apart(locations: Sequence[LocationView]) -> tuple[list[LocationView], list[Unlit]]:
    """Part the locations of which something is known from those that may hold anything unseen.

    Empty ones are left out.
    """
    cards = {card for one in locations for some in one.unseen for card in some.cards}
    lit: list[LocationView] = []
    unlit: dict[tuple[str, int | None], list[str]] = {}
    for one in locations:
        if one.known or len(one.unseen) != 1 or len(one.unseen[0].cards) != len(cards):
            lit += [one] if one.size else []
        elif one.size:
            slots = unlit.setdefault((one.kind, one.seat), [])
            slots += [] if one.slot is None else [str(one.slot + 1)]
    places = [
        Unlit(kind=kind, seat=seat, slots=tuple(slots)) for (kind, seat), slots in unlit.items()
    ]
    return lit, places


def told_to(ruleset: str, eyes: Eyes) -> Callable[[Mapping[str, Any]], Mapping[str, Any]] | None:
    """Return what leaves out of an entry's JSON what somebody was not shown; None: nothing is."""
    if eyes == "recorder":
        return None
    manifest, seat = GAMES[ruleset], _seat(eyes)
    return lambda entry: as_told(manifest, entry, seat)


def games_seen(moment: Moment, versions: Iterable[int], eyes: Eyes) -> Mapping[int, Game]:
    """Return the game at each of some versions as somebody knew it; by the recorder, nothing.

    What two versions share is judged once.
    """
    found: dict[int, Game] = {}
    judged: dict[int, Game] = {}  # by the identity of a step, which knows those before it
    for version in versions if eyes != "recorder" else ():
        history = moment.at(version).folded.history
        game = history.opening
        for step in history.steps():
            if step.game.deal is None:
                game = step.game
                continue
            if id(step) not in judged:
                (seen,) = as_seen(GAMES[moment.ruleset], game, [step], _seat(eyes))
                judged[id(step)] = seen.game
            game = judged[id(step)]
        found[version] = game
    return found


def growth(moment: Moment, version: int, eyes: Eyes) -> Growth:
    """Follow the number of deals that fit, as somebody knew, through the deal of a version."""
    deal = deal_seen(moment, version, eyes)
    counted = [
        (step, deals) for step in deal if (deals := _deals(moment.ruleset, step)) is not None
    ]
    points = [(step.version, log10(deals)) for step, deals in counted]
    if len(points) <= 1:
        return Growth(chart=None, telling=())
    ends = [(points[0][0], str(points[0][0])), (points[-1][0], str(points[-1][0]))]
    told = _telling(counted)
    places = {step.version: point for (step, _), point in zip(counted, points, strict=True)}
    drawn = draw(
        "deals",
        [Series(name="", points=points)],
        ends,
        _power,
        Axis(whole=True, zero=True),
        Highlights(
            spots=[places[one.version] for one in told],
            here=version if version in places else None,
        ),
    )
    return Growth(chart=drawn, telling=told)


def deal_seen(moment: Moment, version: int, eyes: Eyes) -> list[Step]:
    """Return the steps of the deal that a version belongs to, as somebody saw them.

    Of one that was annulled and dealt again, the last.
    """
    number = len(moment.at(version).folded.history.game.deals) + 1
    found: list[Step] = []
    for step in moment.steps:
        before = step.before.game if step.before else None
        if step.game.deal is None or len(step.game.deals) + 1 != number:
            continue
        if before is None or before.deal is None:
            found = []
        found.append(step)
    if eyes == "recorder" or not found:
        return found
    first = found[0].before
    stood = first.game if first else moment.folded.history.opening
    return [*as_seen(GAMES[moment.ruleset], stood, found, _seat(eyes))]


def _seat(eyes: Eyes) -> Seat | None:
    return None if isinstance(eyes, str) else eyes


def where_seen(moment: Moment, version: int, eyes: Eyes) -> dict[str, list[Step]]:
    """Return, by card, the entries of the deal up to a version that named it, as somebody saw."""
    found: dict[str, list[Step]] = {}
    for step in deal_seen(moment.at(version), version, eyes):
        for card in dict.fromkeys(cards_of(json.decode(json.encode(step.entry)))):
            found.setdefault(card, []).append(step)
    return dict(sorted(found.items(), key=lambda one: ORDER.index(one[0])))


def _deals(ruleset: str, step: Step) -> int | None:
    hidden = GAMES[ruleset].hidden(step.game)
    return None if hidden is None else deals_that_fit(hidden.knowledge)


def _power(exponent: float) -> str:
    return "10" + str(round(exponent)).translate(_SUPERSCRIPTS) if exponent else "1"


def _telling(counted: Sequence[tuple[Step, int]]) -> tuple[TellingEntry, ...]:
    falls: Mapping[int, tuple[int, Step]] = {
        at: (before[1] // after[1], after[0])
        for at, (before, after) in enumerate(pairwise(counted))
        if before[1] >= 2 * after[1]
    }
    most = sorted(falls.values(), key=lambda one: -one[0])[:TELLING]
    return tuple(TellingEntry(version=step.version, of=of, entry=step.entry) for of, step in most)
