"""The consequences of a correction, shown before it is stored."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import dropwhile, islice
from typing import Any
from uuid import UUID

from litestar import get
from litestar.response import Response
from msgspec import Struct, json, to_builtins

from domain.games import GAMES
from domain.table.correction_repairs import Repair
from domain.table.history import Step
from domain.table.rules import Status
from domain.table.waivers import waiving_helps_correction
from projections.deals import have_same_entries, steps_lost
from schemas.entries import Entry, TakeBack, is_amend, is_splice, moves_in
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import (
    Asked,
    Id,
    NewId,
    PageRequest,
    TheGames,
    see_other,
)
from service.errors import NotFound
from service.language.texts import texts
from service.play.chain_corrections import is_correction
from service.play.game_cache import erased_versions
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.play.views import Previewed
from service.web.format.form_flash import read_flash
from service.web.format.render import Reader, names_of
from service.web.recorder.table.board import place
from service.web.recorder.table.entry_data import standing_entry, to_plain
from service.web.recorder.table.refusals import WAIVABLE, waiving
from service.web.recorder.table.timeline import part_headings

PROPOSED = "carnet-correction"


@get("/games/{game_id:uuid}/preview", opt={"access": Access.READER})
async def consequences(
    request: PageRequest, games: TheGames, new_id: NewId, game_id: Id, draft: Asked = ""
) -> Response[Any]:
    """Show the consequences of the submitted correction; without one, redirect to the log."""
    entry = read_flash(request, PROPOSED, dict[str, Any], draft)
    if entry is None or not request.user.may_write(game_id):
        return see_other(f"/games/{game_id}/log")
    return await show_consequences(request, games, new_id, game_id, entry, draft)


async def show_consequences(
    request: PageRequest,
    games: GameQueries,
    new_id: NewId,
    game_id: UUID,
    entry: dict[str, Any],
    draft: str = "",
) -> Response[Any]:
    """Render the consequences of a correction; `draft` is its id in addresses."""
    reader = Reader(request)
    decoded = await games.decode(game_id, json.encode([entry]))
    if isinstance(decoded, Malformed):
        return see_other(f"/games/{game_id}/log")
    moment = await games.snapshot(game_id)
    previewed = await games.preview(moment, decoded[0])
    names = names_of(reader, moment.players)
    erased = erased_versions(moment.loaded)
    entries = _entries(moment, entry, decoded[0], previewed)
    following = await _following(reader, games, moment, entries)
    return reader.page(
        "consequences.html",
        following=following,
        **place(moment, request.user),
        game=reader.game(moment.ruleset),
        version=moment.version,
        before=moment.loaded.history.game.totals,
        names=names,
        command=new_id(),
        entry=entry,
        words=reader.say(entry, moment.ruleset, names),
        was=_was(reader, moment, decoded[0], erased),
        put_in=[
            reader.say(to_builtins(move), moment.ruleset, names)
            for move in (decoded[0].moves if is_splice(decoded[0]) else ())
        ],
        lost=_lost_entries(reader, moment, decoded[0], erased),
        **_verdict_variables(reader, moment, previewed, names, erased),
        waived=_waiver(moment, previewed, decoded[0], entry),
        entries=entries if following is not None else None,
        deals=previewed.deals,
        ways=previewed.ways,
        back=_as_entries(previewed.ways.back) if previewed.ways else None,
        **_shift_variables(reader, moment, previewed, names),
        kept=_as_entries(previewed.ways.keep) if previewed.ways and previewed.ways.keep else None,
        draft=draft,
        after=previewed.state.totals,
        already=_changes_nothing(moment, decoded[0]),
    )


class FollowingTotals(Struct, frozen=True, kw_only=True):
    """A later game of a chain: its players, and their totals before and after the correction."""

    names: list[str]
    before: tuple[int, ...]
    after: tuple[int, ...]
    ends: bool


async def _following(
    reader: Reader, games: GameQueries, moment: GameSnapshot, entries: list[dict[str, Any]] | None
) -> list[FollowingTotals] | None:
    """Return the corrections that later games of the chain need; None if one is impossible."""
    chain = moment.loaded.chain
    if chain is None or chain.continued_by is None:
        return []
    decoded = await games.decode(moment.id, json.encode(entries or []))
    if isinstance(decoded, Malformed) or not decoded:
        return []
    later = await games.following(moment, decoded) if is_correction(decoded) else None
    if later is None:
        return None
    return [
        FollowingTotals(
            names=names_of(reader, one.game.players),
            before=one.game.loaded.history.game.totals,
            after=one.judged.history.game.totals,
            ends=one.game.loaded.history.game.status is Status.OPEN
            and one.judged.history.game.status is not Status.OPEN,
        )
        for one in later
    ]


def _waiver(
    moment: GameSnapshot, previewed: Previewed, correction: Entry, entry: dict[str, Any]
) -> dict[str, Any] | None:
    refusal = previewed.refusal
    clause = texts().clauses.get(refusal.rule) if refusal and not previewed.fallen else None
    if refusal is None or clause is None or clause.kind != WAIVABLE:
        return None
    if not waiving_helps_correction(moment.loaded.history, correction, refusal.rule):
        return None
    return waiving(entry, refusal.rule)


def _verdict_variables(
    reader: Reader,
    moment: GameSnapshot,
    previewed: Previewed,
    names: Sequence[str],
    erased: AbstractSet[int],
) -> dict[str, Any]:
    refusal = previewed.refusal if not previewed.fallen else None
    spoken = texts()
    places = [(fallen.version, fallen.part) for fallen in previewed.fallen]
    headings = part_headings(moment, names, reader.game(moment.ruleset), places)
    return {
        "refusal": spoken.refusal(refusal, reader.language, names=names) if refusal else "",
        "rule": refusal.rule if refusal else "",
        "fallen": [
            {
                "where": headings.get((fallen.version, fallen.part), ""),
                "words": reader.say(
                    standing_entry(fallen.version, fallen.entry, erased),
                    previewed.state.ruleset,
                    names,
                ),
                "why": spoken.refusal(fallen.refusal, reader.language, names=names),
                "rule": fallen.refusal.rule,
            }
            for fallen in previewed.fallen
        ],
    }


def _shift_variables(
    reader: Reader, moment: GameSnapshot, previewed: Previewed, names: Sequence[str]
) -> dict[str, Any]:
    shift = previewed.ways.shift if previewed.ways else None
    if shift is None:
        return {"shift": None, "players": []}
    implied = set(GAMES[moment.ruleset].implied.values())

    def sentences(moves: Sequence[Entry]) -> list[str]:
        written: list[dict[str, Any]] = to_plain(moves)
        seen = [move for move in written if move["type"] not in implied or "card" in move]
        return [reader.say(move, moment.ruleset, names) for move in seen]

    return {
        "shift": to_plain(shift.entries),
        "dropped": shift.dropped,
        "players": [
            (names[one.seat], sentences(one.before), sentences(one.after))
            for one in shift.players
            if one.before != one.after
        ],
    }


def _was(reader: Reader, moment: GameSnapshot, entry: Entry, erased: AbstractSet[int]) -> list[str]:
    if not (is_amend(entry) or is_splice(entry)):
        return []
    names = names_of(reader, moment.players)
    dropped = islice(
        _steps_from(moment, entry.version, entry.part), entry.drop if is_splice(entry) else 1
    )
    return [
        reader.say(standing_entry(step.version, step.entry, erased), moment.ruleset, names)
        for step in dropped
    ]


def _lost_entries(
    reader: Reader, moment: GameSnapshot, entry: Entry, erased: AbstractSet[int]
) -> list[dict[str, Any]]:
    if not isinstance(entry, TakeBack):
        return []
    names, ruleset = names_of(reader, moment.players), moment.ruleset
    history = moment.loaded.history
    if not history.is_take_back_target(entry.to):
        return []
    return [
        {
            "version": step.version,
            "words": reader.say(standing_entry(step.version, step.entry, erased), ruleset, names),
        }
        for step in steps_lost(history.head(moment.version), history.head(entry.to))
    ]


def _changes_nothing(moment: GameSnapshot, entry: Entry) -> bool:
    if isinstance(entry, TakeBack):
        stands = moment.loaded.history.is_take_back_target(entry.to)
        return stands and have_same_entries(moment.loaded.history.head(entry.to), moment.head)
    step = moment.deals.step((entry.version, entry.part)) if is_amend(entry) else None
    return step is not None and is_amend(entry) and step.entry == entry.move


def _entries(
    moment: GameSnapshot, entry: dict[str, Any], decoded: Entry, previewed: Previewed
) -> list[dict[str, Any]] | None:
    if not previewed.fallen:
        return None if previewed.refusal else [entry]
    if not (is_amend(decoded) or is_splice(decoded)):
        return None
    steps = [*_steps_from(moment, decoded.version, decoded.part)]
    fallen = {(one.version, one.part) for one in previewed.fallen}
    drop = decoded.drop if is_splice(decoded) else 1
    rest = [step for step in steps[drop:] if (step.version, step.part) not in fallen]
    gone = {"version": decoded.version, "part": decoded.part, "drop": len(steps)}
    anew = [*moves_in(decoded), *(step.entry for step in rest)]
    return [{"type": "splice", **gone, "moves": []}, *to_plain(anew)]


def _as_entries(way: Repair) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = to_plain(way.entries)
    return entries


def step_at(moment: GameSnapshot, version: int, part: int = 0) -> Step:
    step = moment.deals.step((version, part))
    if step is None:
        raise NotFound("version", None)
    return step


def _steps_from(moment: GameSnapshot, version: int, part: int) -> Iterator[Step]:
    steps = moment.deals.steps_from(moment.deals.deal_number_of((version, part)))
    return dropwhile(lambda step: (step.version, step.part) != (version, part), steps)
