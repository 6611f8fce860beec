"""Remarks on any version of a game; later ones are inserted by a splice."""

from typing import Any

from litestar import post
from litestar.response import Redirect
from msgspec import json

from schemas.entries import Note
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import Id, NewId, Number, PageRequest, TheCommands, TheGames, see_other
from service.errors import KeyReused, VersionConflict
from service.play.snapshots import GameSnapshot
from service.web.format.render import uuid_of
from service.web.recorder.table.timeline import steps_after


def remarks_at(moment: GameSnapshot, version: int) -> list[str]:
    """Return the remarks directly after an entry, without erased ones."""
    texts: list[str] = []
    for step in steps_after(moment, version):
        if not isinstance(step.entry, Note):
            break
        if step.entry.text:
            texts.append(step.entry.text)
    return texts


@post("/games/{game_id:uuid}/at/{version:int}/remark", opt={"access": Access.WRITER})
async def remark(
    request: PageRequest,
    games: TheGames,
    commands: TheCommands,
    new_id: NewId,
    game_id: Id,
    version: Number,
) -> Redirect:
    """Append a remark after the existing ones of a version; a repeated submission stores once."""
    form = await request.form()
    text = str(form.get("text", "")).strip()
    back = see_other(f"/games/{game_id}/at/{version}")
    now = await games.snapshot(game_id)
    now.at(version)  # raises NotFound; entries of earlier games of a chain are at 0 and below
    entries = await games.decode(game_id, json.encode([_note_entry(now, version, text)]))
    if not text or isinstance(entries, Malformed):
        return back
    command = uuid_of(str(form.get("command", ""))) or new_id()
    try:
        await commands.append(
            game_id, now.version, command, request.user.recorded_as(game_id), entries
        )
    except (VersionConflict, KeyReused):  # a concurrent entry, or a repeated submission
        return back
    return back


def _note_entry(moment: GameSnapshot, version: int, text: str) -> dict[str, Any]:
    note = {"type": "note", "text": text}
    following = (one for one in steps_after(moment, version) if not isinstance(one.entry, Note))
    before = next(following, None)
    if before is None:
        return note
    return {
        "type": "splice",
        "version": before.version,
        "part": before.part,
        "drop": 0,
        "moves": [note],
    }
