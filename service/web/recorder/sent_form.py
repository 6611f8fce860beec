"""A submitted form of the table that was not accepted: shown again with the reason."""

from typing import Any
from uuid import UUID

from litestar.response import Response
from msgspec import json

from schemas.strict_json import Malformed
from service.dependencies import PageRequest, Table, see_other
from service.play.snapshots import GameSnapshot
from service.web.format.form_flash import make_flash
from service.web.format.render import Reader
from service.web.recorder.form_refill import refill
from service.web.recorder.forms import FormCommand, read_command
from service.web.recorder.table.board import board_context, by_of, course_shown
from service.web.recorder.table.concurrent_entries import Others
from service.web.recorder.table.outcome import changed_by
from service.web.recorder.table.refusals import describe_refusal

FormFields = list[tuple[str, str]]
DRAFT = "carnet-form"
# Faults with a text of their own (`form_faults.html`).
TOLD_UNREAD, TOLD_MOVED = "unread", "moved"
OK, REFUSED = 200, 422


class SentForm:
    def __init__(self, request: PageRequest, table: Table, game_id: UUID) -> None:
        self._request, self._table, self._game_id = request, table, game_id
        self._reader = Reader(request)

    async def others(self) -> Others:
        recorders = await self._table.grants.recorders(self._game_id)
        return Others(reader=self._reader, who=self._request.user, recorders=recorders)

    async def back(self, fields: FormFields) -> Response[Any]:
        """Redirect to the form with its submitted values."""
        address = f"/games/{self._game_id}"
        draft = make_flash(self._request, DRAFT, address, fields)
        if draft is None:
            return await self.again(fields, REFUSED)
        by = by_of(dict(fields).get("by", ""))
        return see_other(f"{address}?by={by}&draft={draft.id}", draft.cookie)

    async def again(self, fields: FormFields, status: int = OK) -> Response[str]:
        """Render the form with its submitted values and the reason why nothing was entered."""
        moment = await self._table.games.snapshot(self._game_id)
        command = read_command(fields)
        seat = command.entries[0].get("seat") if command else None
        reason = await self._why_not(moment, command)
        page = await self.page(moment, dict(fields).get("by", ""), seat, waits=True, **reason)
        page.status_code = status
        page.content = await self._table.games.work_on(lambda: refill(page.content, fields))
        return page

    async def _why_not(self, moment: GameSnapshot, command: FormCommand | None) -> dict[str, Any]:
        if command is None:
            return {"told": TOLD_UNREAD}
        if command.lacks:
            return {"lacks": command.lacks}
        entries = await self._table.games.decode(self._game_id, json.encode(command.entries))
        if isinstance(entries, Malformed):
            return {"told": TOLD_UNREAD}
        if moment.version != command.version:
            since = (await self.others()).since(moment, command.version, entries)
            return {"told": TOLD_MOVED, "meanwhile": since}
        refused = await self._table.games.refused(moment, entries)
        return {"refused": describe_refusal(self._reader, refused, entries) if refused else None}

    async def page(
        self,
        moment: GameSnapshot,
        by: str,
        actor: object = None,
        *,
        waits: bool = False,
        out: bool = False,
        **told: Any,  # noqa: ANN401 template variables
    ) -> Response[str]:
        """Render the table; `actor`: the seat of the keypad, if it is not the first to act.

        `waits`: only if it is that seat's turn; `out`: it acts out of turn or against the rules.
        """
        view = await self._table.games.show(moment)
        changed = await changed_by(self._request, moment)
        course = await course_shown(self._table.games, moment)
        able = view.to_act if waits else range(len(moment.players))
        seat = actor if isinstance(actor, int) and actor in able else None
        said: dict[str, Any] = {"told": "", "lacks": (), "refused": None, "had": ""} | told

        def render() -> Response[str]:
            context = board_context(
                self._reader,
                course,
                view,
                self._request.user,
                by_of(by),
                seat,
                out=out and seat is not None,
                filled=self._request.query_params.get("filled", ""),
            )
            return self._reader.page(
                "recorder.html", **context, command=self._table.new_id(), changed=changed, **said
            )

        return await self._table.games.work_on(render)
