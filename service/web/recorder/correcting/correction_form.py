"""The form that corrects an entry: the table before it, with the keypad."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from litestar import get, post
from litestar.response import Response
from msgspec import Struct, json

from domain.games import GAMES
from domain.table.history import Step
from domain.table.rules import Game
from schemas.catalogue import type_of
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import (
    Asked,
    Id,
    NewId,
    Number,
    PageRequest,
    TheCommands,
    TheGames,
    see_other,
)
from service.errors import KeyReused, NotFound, VersionConflict
from service.play.chain_corrections import starts_until
from service.play.commands import GameCommands
from service.play.game_cache import erased_versions
from service.play.queries import GameQueries
from service.play.snapshots import Appended, GameSnapshot
from service.play.views import GameView, Previewed
from service.web.format.form_flash import make_flash
from service.web.format.render import Reader, uuid_of, version_of
from service.web.recorder.correcting.corrections import (
    PROPOSED,
    show_consequences,
    step_at,
)
from service.web.recorder.form_refill import refill
from service.web.recorder.forms import read_completed
from service.web.recorder.table.board import board_of, is_implied, place
from service.web.recorder.table.entry_data import standing_entry
from service.web.recorder.table.timeline import part_headings

OK, REFUSED = 200, 422
_POINTS = {"points"}  # fields of an entry that counts what a player held
_OWN_FORM = {"note", "adjust", "void", "finish", "set_aside"}


class CorrectionTarget(Struct, frozen=True, kw_only=True):
    """The entry to correct: a version and the part of it; `before`: insert before it.

    `settles`: from the list of open doubts. A harmless correction is then entered at once, and a
    missing move before a note replaces the note.
    """

    version: int
    part: int
    before: bool
    by: str
    settles: bool = False

    def correction(self, moves: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the correction that replaces the target with moves, or inserts them before it."""
        at = {"version": self.version, "part": self.part}
        if self.before or len(moves) > 1:
            return {
                "type": "splice",
                **at,
                "drop": int(not self.before or self.settles),
                "moves": moves,
            }
        return {"type": "amend", **at, "move": moves[0]}


@get("/games/{game_id:uuid}/correct/{version:int}", opt={"access": Access.WRITER})
async def correct(
    request: PageRequest,
    games: TheGames,
    new_id: NewId,
    game_id: Id,
    version: Number,
    by: Asked = "",
) -> Response[str]:
    """Show the table before an entry, with the keypad to enter it correctly.

    Query parameters: `before`: insert a missing entry before it; `part`: the part of a splice.
    """
    asked = request.query_params
    part = version_of(asked.get("part", "")) or 0
    target = CorrectionTarget(
        version=version, part=part, before="before" in asked, by=by, settles="settles" in asked
    )
    return await _Question(request, games, new_id, game_id, target).page()


@post("/games/{game_id:uuid}/preview", opt={"access": Access.WRITER, "stores_nothing": True})
async def propose(
    request: PageRequest,
    games: TheGames,
    commands: TheCommands,
    new_id: NewId,
    game_id: Id,
) -> Response[Any]:
    """Redirect to the consequences of a correction; render them at once if it exceeds a cookie.

    A missing entry is entered directly if it changes no points; a count, or a correction that
    settles a doubt, if it changes the points of one deal at most.
    """
    form = await request.form()
    fields = list(form.multi_items())
    target = _target(dict(fields))
    said = read_completed(fields)
    moves = said.entries if said.entries and not said.lacks else []
    entry = moves[0] if moves else None
    if target is not None:
        entry = target.correction(moves) if moves else None
        if entry is None or await _is_unread(games, game_id, entry):
            question = _Question(request, games, new_id, game_id, target)
            return await question.again(fields, said.lacks)
    if entry is None:
        return see_other(f"/games/{game_id}/log")
    given = dict(fields)
    command = uuid_of(str(given.get("command", "")))
    direct = target is not None and (target.settles or target.before or given.get("direct") == "1")
    one_deal = target is not None and (target.settles or not target.before)
    if command and direct:
        harmless = _counts_alone if one_deal else _changes_nothing
        if await _is_entered(request, games, commands, game_id, entry, command, harmless):
            return see_other(f"/games/{game_id}")
    address = f"/games/{game_id}/preview"
    draft = make_flash(request, PROPOSED, address, entry)
    if draft is None:
        return await show_consequences(request, games, new_id, game_id, entry)
    return see_other(f"{address}?draft={draft.id}", draft.cookie)


def _target(given: dict[str, Any]) -> CorrectionTarget | None:
    version = version_of(str(given.get("target", "")))
    if version is None:
        return None
    return CorrectionTarget(
        version=version,
        part=version_of(str(given.get("part", ""))) or 0,
        before=bool(given.get("inserts")),
        by=str(given.get("by", "")),
        settles=bool(given.get("settles")),
    )


async def _is_entered(
    request: PageRequest,
    games: GameQueries,
    commands: GameCommands,
    game_id: UUID,
    entry: dict[str, Any],
    command: UUID,
    harmless: Callable[[GameSnapshot, Previewed], bool],
) -> bool:
    decoded = await games.decode(game_id, json.encode([entry]))
    if isinstance(decoded, Malformed):
        return False
    moment = await games.snapshot(game_id)
    if moment.loaded.chain is not None and moment.loaded.chain.continued_by is not None:
        return False  # what follows in later games is shown first
    previewed = await games.preview(moment, decoded[0])
    if previewed.refusal or previewed.fallen or not harmless(moment, previewed):
        return False
    try:
        done = await commands.append(
            game_id, moment.version, command, request.user.recorded_as(game_id), decoded
        )
    except (VersionConflict, KeyReused):
        return False
    return isinstance(done, Appended)


def _counts_alone(_: GameSnapshot, previewed: Previewed) -> bool:
    changed = [one for one in previewed.deals if one.fate != "stands" or one.waived]
    return all(one.fate == "changes" and not one.waived for one in changed) and len(changed) <= 1


def _changes_nothing(moment: GameSnapshot, previewed: Previewed) -> bool:
    same = all(one.fate == "stands" and not one.waived for one in previewed.deals)
    return same and previewed.state.totals == moment.loaded.history.game.totals


async def _is_unread(games: GameQueries, game_id: UUID, entry: dict[str, Any]) -> bool:
    return isinstance(await games.decode(game_id, json.encode([entry])), Malformed)


class _Question(Struct, frozen=True):
    """The correction page of one request."""

    request: PageRequest
    games: GameQueries
    new_id: NewId
    game_id: UUID
    target: CorrectionTarget

    async def again(self, fields: Sequence[tuple[str, Any]], lacks: Sequence[Any]) -> Response[Any]:
        try:
            page = await self.page(lacks, status=REFUSED)
        except NotFound:
            return see_other(f"/games/{self.game_id}/log")
        page.content = refill(page.content, fields)
        return page

    async def page(self, lacks: Sequence[Any] = (), *, status: int = OK) -> Response[str]:
        reader, target = Reader(self.request), self.target
        moment = await self.games.snapshot(self.game_id)
        step = step_at(moment, target.version, target.part)
        stood = await _before(self.games, moment, step)
        entry = standing_entry(target.version, step.entry, erased_versions(moment.loaded))
        actor = None if target.before else _seat(entry)
        by = target.by or ("result" if entry["type"] == "result" else "cards")
        board = board_of(
            reader, stood, by if by == "result" else "cards", actor, inserts=target.before
        )
        game, at = reader.game(moment.ruleset), (step.version, step.part)
        page = reader.page(
            "correction_form.html",
            status,
            **place(moment, self.request.user),
            board=board,
            game=game,
            version=target.version,
            part=step.part,
            inserts=target.before,
            settles=target.settles,
            direct=by == "result" or not _POINTS.isdisjoint(entry),
            turn=_turn_begin(GAMES[moment.ruleset].implied, step),
            goes=moment.deals.steps_behind(step),
            last=moment.version,
            backs=step.part == 0
            and step.version >= starts_until(moment.loaded)
            and moment.loaded.history.is_take_back_target(step.version),
            entry=entry,
            command=self.new_id(),
            words=reader.say(entry, moment.ruleset, board.names),
            where=part_headings(moment, board.names, game, [at]).get(at, ""),
            own=not target.before and type_of(step.entry) in _OWN_FORM,
            told="unread" if status == REFUSED and not lacks else "",
            lacks=lacks,
        )
        page.content = _unfold(page.content, game.unfolded)
        if not target.before:
            page.content = refill(page.content, _fields(entry))
        return page


def _fields(value: object, path: str = "") -> list[tuple[str, str]]:
    # What is no number has a choice of its own beside the field (`number_pad.html`).
    chosen = [("opens." + path, json.encode({path: value}).decode())] if path else []
    if isinstance(value, dict):
        named = cast("dict[str, object]", value)
        pairs = [(name, one) for name, one in named.items() if name != "unsure"]
    elif isinstance(value, list):
        pairs = [(str(place), one) for place, one in enumerate(cast("list[object]", value))]
    elif value is None:
        return chosen if "." in path else [*chosen, ("open." + path, "null")]
    elif isinstance(value, bool):
        return []
    else:
        return [(prefix + path, str(value)) for prefix in ("", "open.", "with.")]
    return chosen + [
        field for name, one in pairs for field in _fields(one, f"{path}.{name}" if path else name)
    ]


def _unfold(page: str, group: str) -> str:
    folded = rf'(<details class="[\w -]+") name="{group}">'
    return re.sub(folded, r"\1 open>", page) if group else page


async def _before(games: GameQueries, moment: GameSnapshot, step: Step) -> GameView:
    if step.before is None:
        return await games.show(moment.at(1))
    game: Game = step.before.game
    return await games.view_of(moment, game)


def _turn_begin(implied: Mapping[str, str], step: Step) -> dict[str, int] | None:
    before = step.before
    if before is None or not is_implied(implied, before, [step]):
        return None
    return {"version": before.version, "part": before.part}


def _seat(entry: dict[str, Any]) -> int | None:
    seat = entry.get("seat")
    return seat if isinstance(seat, int) else None
