"""The log in words, and what a correction of it does.

Promises: nothing is stored before its consequences were shown; what a correction would leave
without ground is named, and dropped only when asked for; going back sends nothing again.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any
from uuid import UUID

from litestar import get
from litestar.response import Response
from msgspec import Struct, json
from msgspec.structs import replace

from domain.table.history import Step
from domain.table.ways_out import WayOut
from schemas.entries import Entry, TakeBack, is_amend, is_splice, moves_in
from schemas.free_text import is_empty
from schemas.malformed import Malformed
from service.access.identity import Access
from service.dependencies import (
    Asked,
    Id,
    NewId,
    PageRequest,
    TheGames,
    TheLinks,
    see_other,
)
from service.errors import NotFound
from service.play.moments import Moment
from service.play.queries import GameQueries
from service.play.views import EntryView, Previewed
from service.texts import texts
from service.web.format.drafts import read_draft
from service.web.format.link_labels import recorders
from service.web.format.render import Reader, names_of
from service.web.recorder.board import DERIVED, read_entry, without_text
from service.web.recorder.game_page import place, waiving

PROPOSED = "carnet-correction"


class Line(Struct, frozen=True, kw_only=True):
    """An entry as the timeline tells it. `stands`: it is part of what holds now.

    `amended`: what stands in its place, in words; `mends`: it can be corrected; `backs`: it can be
    gone back to; `parts`: the moves of a splice that stand, with their places; `erases`: its text
    can be erased. `link`: the number of the link by which it was recorded, None: the owner's.
    """

    version: int
    type: str
    at: Any
    words: str
    entry: dict[str, Any]
    stands: bool
    amended: str
    mends: bool
    backs: bool
    parts: tuple[tuple[int, str], ...] = ()
    erases: bool = False
    link: int | None = None


@get("/games/{game_id:uuid}/log", opt={"access": Access.READER})
async def timeline(
    request: PageRequest, games: TheGames, links: TheLinks, game_id: Id
) -> Response[str]:
    """Tell every entry of the log, the newest first."""
    reader = Reader(request)
    moment = await games.moment(game_id)
    names = names_of(reader, moment.players)
    lines = told(reader, moment, names)
    numbers = recorders(await links.of_game(game_id), moment.recorded)
    erasable = moment.erasable
    signed = [
        replace(line, link=numbers.get(line.version), erases=line.version in erasable)
        for line in reversed(lines)
    ]
    return reader.page("entry_list.html", **place(moment, request.user), names=names, lines=signed)


def told(reader: Reader, moment: Moment, names: Sequence[str]) -> list[Line]:
    """Tell a log against what stands of it."""
    log, steps, ruleset = moment.log(), moment.steps, moment.ruleset
    standing = {(step.version, step.part): step.entry for step in steps}
    named = set(moment.folded.history.standing)
    derived = {line.version for step in steps for line in step.derived}
    lost = lost_texts(log)
    lines: list[Line] = []
    for row in log:
        entry = read_entry(row)
        words = reader.say(entry, ruleset, names)
        if row.type == "splice":
            parts = _parts(reader, ruleset, names, row.version, standing, lost)
            lines.append(_spliced(row, entry, words, parts, backs=row.version in named))
            continue
        now = standing.get((row.version, 0))
        said = reader.say(standing_entry(row.version, now, lost), ruleset, names) if now else words
        lines.append(
            Line(
                version=row.version,
                type=row.type,
                at=row.recorded_at,
                words=words,
                entry=entry,
                stands=now is not None or row.version in derived or row.type == "started",
                amended=said if said != words else "",
                mends=now is not None and row.type not in DERIVED,
                backs=row.version in named,
            )
        )
    return lines


def _parts(
    reader: Reader,
    ruleset: str,
    names: Sequence[str],
    version: int,
    standing: Mapping[tuple[int, int], Entry],
    lost: AbstractSet[int],
) -> tuple[tuple[int, str], ...]:
    """Tell the moves of a splice that stand, each with its place."""
    return tuple(
        (part, reader.say(standing_entry(version, entry, lost), ruleset, names))
        for (of, part), entry in sorted(standing.items(), key=lambda one: one[0])
        if of == version
    )


def _spliced(
    row: EntryView,
    entry: dict[str, Any],
    words: str,
    parts: tuple[tuple[int, str], ...],
    *,
    backs: bool,
) -> Line:
    return Line(
        version=row.version,
        type=row.type,
        at=row.recorded_at,
        words=words,
        entry=entry,
        stands=True,
        amended="",
        mends=False,
        backs=backs,
        parts=parts,
    )


def lost_texts(log: Sequence[EntryView]) -> set[int]:
    """List the versions whose text was erased, or that of what was put in their place."""
    gone = [row for row in log if row.erased]
    amended = {read_entry(row)["version"] for row in gone if row.type == "amend"}
    return {row.version for row in gone} | amended


def standing_entry(version: int, now: Entry, lost: AbstractSet[int]) -> dict[str, Any]:
    """Read what stands at a version for a template."""
    entry: dict[str, Any] = json.decode(json.encode(now))
    return without_text(entry) if version in lost and is_empty(now) else entry


@get("/games/{game_id:uuid}/preview", opt={"access": Access.READER})
async def consequences(
    request: PageRequest, games: TheGames, new_id: NewId, game_id: Id, draft: Asked = ""
) -> Response[Any]:
    """Show what a correction would do, and ask for it; without one, lead to the timeline."""
    entry = read_draft(request, PROPOSED, dict[str, Any], draft)
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
    """Show what a correction would do; `draft`: what an address says to mean it."""
    reader = Reader(request)
    decoded = await games.decode(game_id, json.encode([entry]))
    if isinstance(decoded, Malformed):
        return see_other(f"/games/{game_id}/log")
    moment = await games.moment(game_id)
    previewed = await games.preview(moment, decoded[0])
    names = names_of(reader, moment.players)
    erased = lost_texts(moment.log())
    return reader.page(
        "consequences.html",
        **place(moment, request.user),
        version=moment.version,
        before=moment.folded.history.game.totals,
        names=names,
        command=new_id(),
        entry=entry,
        words=reader.say(entry, moment.ruleset, names),
        lost=_lost(reader, moment, decoded[0], erased),
        **_judged(reader, previewed, entry, names, erased),
        entries=_entries(moment, entry, decoded[0], previewed),
        deals=previewed.deals,
        ways=previewed.ways,
        back=_sent(previewed.ways.back) if previewed.ways else None,
        kept=_sent(previewed.ways.keep) if previewed.ways and previewed.ways.keep else None,
        draft=draft,
        after=previewed.state.totals,
    )


def _judged(
    reader: Reader,
    previewed: Previewed,
    entry: dict[str, Any],
    names: Sequence[str],
    erased: AbstractSet[int],
) -> dict[str, Any]:
    """Tell why a correction is refused for what it says itself, and what falls with it."""
    refusal = previewed.refusal if not previewed.fallen else None
    spoken = texts()
    clause = spoken.clauses.get(refusal.rule) if refusal else None
    return {
        "refusal": spoken.refusal(refusal, reader.language, names=names) if refusal else "",
        "rule": refusal.rule if refusal else "",
        "waived": waiving(entry, refusal.rule)
        if refusal and clause and clause.kind == "R"
        else None,
        "fallen": [
            {
                "version": one.version,
                "words": reader.say(
                    standing_entry(one.version, one.entry, erased), previewed.state.ruleset, names
                ),
                "why": spoken.refusal(one.refusal, reader.language, names=names),
                "rule": one.refusal.rule,
            }
            for one in previewed.fallen
        ],
    }


def _lost(
    reader: Reader, moment: Moment, entry: Entry, erased: AbstractSet[int]
) -> list[dict[str, Any]]:
    """List what a taking back takes back."""
    if not isinstance(entry, TakeBack):
        return []
    names, ruleset = names_of(reader, moment.players), moment.ruleset
    history = moment.folded.history
    if entry.to not in history.standing:
        return []
    left = {(step.version, step.part) for step in history.until(entry.to).steps()}
    return [
        {
            "version": step.version,
            "words": reader.say(standing_entry(step.version, step.entry, erased), ruleset, names),
        }
        for step in moment.steps
        if (step.version, step.part) not in left
    ]


def _entries(
    moment: Moment, entry: dict[str, Any], decoded: Entry, previewed: Previewed
) -> list[dict[str, Any]] | None:
    """Write down what stores the correction: one entry, or, where others fall, the rest anew."""
    if not previewed.fallen:
        return None if previewed.refusal else [entry]
    if not (is_amend(decoded) or is_splice(decoded)):
        return None
    steps = list(moment.steps)
    target = steps.index(step_at(moment, decoded.version, decoded.part))
    fallen = {(one.version, one.part) for one in previewed.fallen}
    drop = decoded.drop if is_splice(decoded) else 1
    rest = [step for step in steps[target + drop :] if (step.version, step.part) not in fallen]
    gone = {"version": decoded.version, "part": decoded.part, "drop": len(steps) - target}
    anew = [*moves_in(decoded), *(step.entry for step in rest)]
    return [{"type": "splice", **gone, "moves": []}, *json.decode(json.encode(anew))]


def _sent(way: WayOut) -> list[dict[str, Any]]:
    """Write the entries of a way out as a form sends them."""
    entries: list[dict[str, Any]] = json.decode(json.encode(way.entries))
    return entries


def step_at(moment: Moment, version: int, part: int = 0) -> Step:
    """Find a standing entry.

    Raises: NotFound
    """
    for step in moment.steps:
        if (step.version, step.part) == (version, part):
            return step
    raise NotFound("version", None)
