"""What the record proves at a version, and how that grew during the deal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, log10
from typing import Any

from babel.numbers import format_decimal
from msgspec import Struct

from domain.games import GAMES
from domain.inference import deals_that_fit, possible
from domain.table.cards import RANKS, SUITS
from domain.table.history import Step
from domain.table.rules import Game
from domain.table.viewpoint import deal_in_progress, mask_json, mask_steps
from schemas.cards import JOKER
from schemas.entries import Seat
from service.play.possibilities import Eyes, LocationView, PossibleView
from service.play.snapshots import GameSnapshot
from service.web.format.chart import Axis, Chart, Highlights, Series, draw
from service.web.recorder.entries.entries_page import cards_of
from service.web.recorder.table.entry_data import to_plain

EXACT_DIGITS = 12
INFORMATIVE_MAX = 3
ORDER = [rank + suit for suit in SUITS for rank in RANKS] + [JOKER]
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class ShareCell(Struct, frozen=True, kw_only=True):
    """The probability that a card lies in a location, in tenths (rounded up) and percent."""

    tenths: int
    percent: int


class GridRow(Struct, frozen=True, kw_only=True):
    """A card with one cell per non-empty location; None where it cannot lie."""

    card: str
    cells: tuple[ShareCell | None, ...]


class UnknownLocation(Struct, frozen=True, kw_only=True):
    """A location that may hold any unseen card; `slots` are slot numbers from 1."""

    kind: str
    seat: int | None
    slots: tuple[str, ...]


class InformativeEntry(Struct, frozen=True, kw_only=True):
    """An informative entry: it reduced the number of possible deals by the factor `of`.

    `settled`: the seats for which only one hand was left; `whole`: every card was known.
    """

    version: int
    of: int
    entry: Any
    settled: tuple[Seat, ...]
    whole: bool


class KnowledgeGrowth(Struct, frozen=True, kw_only=True):
    """A chart of the number of possible deals (logarithmic), and the most informative entries."""

    chart: Chart | None
    informative: tuple[InformativeEntry, ...]


def number_of_deals(deals: str, language: str) -> str:
    """Format a number of deals in full, or as a power of ten above `EXACT_DIGITS` digits."""
    if len(deals) <= EXACT_DIGITS:
        return format_decimal(int(deals), locale=language)
    lead = format_decimal(int(deals[:2]) / 10, format="0.0", locale=language)
    return f"{lead} × 10{str(len(deals) - 1).translate(_SUPERSCRIPTS)}"


def probability_grid(found: PossibleView) -> tuple[GridRow, ...]:
    """Return one row per unseen card with its probability in each location."""
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


def split_by_knowledge(
    locations: Sequence[LocationView],
) -> tuple[list[LocationView], list[UnknownLocation]]:
    """Split locations into those with known content and those that may hold any unseen card.

    Empty locations are omitted.
    """
    cards = {card for one in locations for some in one.unseen for card in some.cards}
    known: list[LocationView] = []
    unknown: dict[tuple[str, int | None], list[str]] = {}
    for one in locations:
        if one.known or len(one.unseen) != 1 or len(one.unseen[0].cards) != len(cards):
            known += [one] if one.size else []
        elif one.size:
            slots = unknown.setdefault((one.kind, one.seat), [])
            slots += [] if one.slot is None else [str(one.slot + 1)]
    places = [
        UnknownLocation(kind=kind, seat=seat, slots=tuple(slots))
        for (kind, seat), slots in unknown.items()
    ]
    return known, places


def entry_mask(ruleset: str, eyes: Eyes) -> Callable[[Mapping[str, Any]], Mapping[str, Any]] | None:
    """Return a function that masks private cards in an entry's JSON; None for the recorder."""
    if eyes == "recorder":
        return None
    manifest, seat = GAMES[ruleset], _seat(eyes)
    return lambda entry: mask_json(manifest, entry, seat)


def games_as_seen(
    snapshot: GameSnapshot, versions: Iterable[int], eyes: Eyes
) -> Mapping[int, Game]:
    """Return the game at each version as seen by `eyes`; empty for the recorder.

    Steps that several versions share are judged once.
    """
    found: dict[int, Game] = {}
    judged: dict[int, Game] = {}  # keyed by the identity of a step, which includes its predecessors
    for version in versions if eyes != "recorder" else ():
        game, deal = deal_in_progress(snapshot.at(version).loaded.history)
        for step in deal:
            if id(step) not in judged:
                (seen,) = mask_steps(GAMES[snapshot.ruleset], game, [step], _seat(eyes))
                judged[id(step)] = seen.game
            game = judged[id(step)]
        found[version] = game
    return found


def knowledge_growth(snapshot: GameSnapshot, version: int, eyes: Eyes) -> KnowledgeGrowth:
    """Count the possible deals, as seen by `eyes`, after each step of the deal at `version`."""
    counted = _counted(snapshot, version, eyes)
    points = [(step.version, log10(deals)) for step, deals in counted]
    if len(points) <= 1:
        return KnowledgeGrowth(chart=None, informative=())
    ends = [(points[0][0], str(points[0][0])), (points[-1][0], str(points[-1][0]))]
    informative = _most_informative(snapshot.ruleset, counted)
    places = {step.version: point for (step, _), point in zip(counted, points, strict=True)}
    chart = draw(
        "deals",
        [Series(name="", points=points)],
        ends,
        _power,
        Axis(whole=True, zero=True),
        Highlights(
            spots=[places[one.version] for one in informative],
            here=version if version in places else None,
        ),
    )
    return KnowledgeGrowth(chart=chart, informative=informative)


def openness(snapshot: GameSnapshot, version: int, eyes: Eyes) -> list[tuple[int, float]]:
    """Return how much was open after each version of the deal at `version`, from 0 to 1.

    The versions increase: an entry inserted later is part of the entry it was inserted before.
    Between two deals it is the last one. The measure is the logarithm of the number of possible
    deals, relative to its maximum.
    """
    deals = snapshot.deals
    number = deals.at(version)
    in_a_deal = [
        step.version
        for one in range(max(1, number - 1), number + 1)
        for step in deals.steps(one)
        if step.version <= version and step.game.deal is not None
    ]
    counted = _counted(snapshot, max(in_a_deal, default=version), eyes)
    points = _forward([(step.version, log10(deals)) for step, deals in counted])
    most = max((exponent for _, exponent in points), default=0)
    return [(at, exponent / most) for at, exponent in points] if most else []


def _forward(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Leave out the points behind which a lower version follows."""
    kept: list[tuple[int, float]] = []
    for point in reversed(points):
        if not kept or point[0] < kept[-1][0]:
            kept.append(point)
    return kept[::-1]


def _counted(snapshot: GameSnapshot, version: int, eyes: Eyes) -> list[tuple[Step, int]]:
    deal = deal_as_seen(snapshot, version, eyes)
    return [(step, deals) for step in deal if (deals := _deals(snapshot.ruleset, step)) is not None]


def deal_as_seen(snapshot: GameSnapshot, version: int, eyes: Eyes) -> list[Step]:
    """Return the steps of the deal at `version` as seen by `eyes`.

    If the deal was annulled and dealt again, return the last one.
    """
    number = len(snapshot.at(version).loaded.history.game.deals) + 1
    steps: list[Step] = []
    for step in snapshot.deals.steps(number) if number <= len(snapshot.deals) else ():
        before = step.before.game if step.before else None
        if step.game.deal is None or len(step.game.deals) + 1 != number:
            continue
        if before is None or before.deal is None:
            steps = []
        steps.append(step)
    if eyes == "recorder" or not steps:
        return steps
    first = steps[0].before
    opening = first.game if first else snapshot.loaded.history.opening
    return [*mask_steps(GAMES[snapshot.ruleset], opening, steps, _seat(eyes))]


def _seat(eyes: Eyes) -> Seat | None:
    return None if isinstance(eyes, str) else eyes


def sightings(snapshot: GameSnapshot, version: int, eyes: Eyes) -> dict[str, list[Step]]:
    """Return, by card, the steps of the deal up to `version` that name it, as seen by `eyes`."""
    found: dict[str, list[Step]] = {}
    for step in deal_as_seen(snapshot.at(version), version, eyes):
        for card in dict.fromkeys(cards_of(to_plain(step.entry))):
            found.setdefault(card, []).append(step)
    return dict(sorted(found.items(), key=lambda one: ORDER.index(one[0])))


def _deals(ruleset: str, step: Step) -> int | None:
    hidden = GAMES[ruleset].hidden(step.game)
    return None if hidden is None else deals_that_fit(hidden.knowledge)


def _power(exponent: float) -> str:
    return "10" + str(round(exponent)).translate(_SUPERSCRIPTS) if exponent else "1"


def _most_informative(
    ruleset: str, counted: Sequence[tuple[Step, int]]
) -> tuple[InformativeEntry, ...]:
    falls = [
        (before[1] // after[1], *after)
        for before, after in pairwise(counted)
        if before[1] >= 2 * after[1]
    ]
    most = sorted(falls, key=lambda one: -one[0])[:INFORMATIVE_MAX]
    return tuple(
        InformativeEntry(
            version=step.version,
            of=of,
            entry=step.entry,
            settled=_newly_certain_hands(ruleset, step),
            whole=deals == 1,
        )
        for of, step, deals in most
    )


def _newly_certain_hands(ruleset: str, step: Step) -> tuple[Seat, ...]:
    """Return the seats whose hand a step made certain."""
    before = _certain_hands(ruleset, step.before.game) if step.before else frozenset()
    return tuple(sorted(_certain_hands(ruleset, step.game) - before))


def _certain_hands(ruleset: str, game: Game) -> frozenset[Seat]:
    hidden = GAMES[ruleset].hidden(game)
    return frozenset(
        one.location.seat
        for one in (possible(hidden).holdings if hidden else ())
        if one.location.kind == "hand"
        and one.location.seat is not None
        and 0 < one.size == len(one.known)
    )
