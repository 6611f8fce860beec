"""Erasing the free text of an entry."""

from litestar import get, post
from litestar.response import Redirect

from service.dependencies import Id, Number, TheCommands, TheExports, see_other


@post("/games/{game_id:uuid}/erase/{version:int}")
async def erase_text(
    commands: TheCommands, exports: TheExports, game_id: Id, version: Number
) -> Redirect:
    await commands.erase_text(game_id, version)
    exports.drop_temporary()
    return see_other(f"/games/{game_id}/log?entry={version}#v{version}")


@get("/games/{game_id:uuid}/erase/{version:int}")
async def back_to_entry(game_id: Id, version: Number) -> Redirect:
    return see_other(f"/games/{game_id}/log?entry={version}#v{version}")
