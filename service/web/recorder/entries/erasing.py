"""Erasing what somebody wrote in an entry in their own words: asked on the timeline, done here."""

from litestar import get, post
from litestar.response import Redirect

from service.dependencies import Id, Number, TheCommands, TheExports, see_other


@post("/games/{game_id:uuid}/erase/{version:int}")
async def erase_text(
    commands: TheCommands, exports: TheExports, game_id: Id, version: Number
) -> Redirect:
    """Erase a text, and show the entry without it."""
    await commands.erase_text(game_id, version)
    exports.drop_temporary()
    return see_other(f"/games/{game_id}/log?entry={version}#v{version}")


@get("/games/{game_id:uuid}/erase/{version:int}")
async def back_to_entry(game_id: Id, version: Number) -> Redirect:
    """Lead somebody who asks for a form's address to the entry."""
    return see_other(f"/games/{game_id}/log?entry={version}#v{version}")
