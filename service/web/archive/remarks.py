"""Remarks on any version of a game; later ones are inserted by a splice."""

from collections.abc import Sequence
from typing import Any

from litestar import post
from litestar.response import Redirect
from msgspec import json

from domain.table.history import Step
from schemas.entries import Note
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import Id, NewId, Number, PageRequest, TheCommands, TheGames, see_other
from service.errors import KeyReused, VersionConflict
from service.web.format.render import uuid_of


def remarks_at(steps: Sequence[Step], version: int) -> list[str]:
    """Return the remarks directly after an entry, without erased ones."""
    texts: list[str] = []
    for step in steps[_index_after(steps, version) :]:
        if not isinstance(step.entry, Note):
            break
        if step.entry.text:
            texts.append(step.entry.text)
    return texts


def _index_after(steps: Sequence[Step], version: int) -> int:
    own = [at for at, step in enumerate(steps) if step.version == version]
    if own:
        return own[-1] + 1
    return next((at for at, step in enumerate(steps) if step.version > version), len(steps))


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
    now.at(version)  # raises NotFound
    entries = await games.decode(game_id, json.encode([_note_entry(now.steps, version, text)]))
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


def _note_entry(steps: Sequence[Step], version: int, text: str) -> dict[str, Any]:
    note = {"type": "note", "text": text}
    at = _index_after(steps, version)
    while at < len(steps) and isinstance(steps[at].entry, Note):
        at += 1
    if at == len(steps):
        return note
    before = steps[at]
    return {
        "type": "splice",
        "version": before.version,
        "part": before.part,
        "drop": 0,
        "moves": [note],
    }
