"""The rules of a game, clause by clause; refusals link to their clause."""

from typing import Any

from litestar import get
from litestar.response import Redirect, Response

from service.access.admission import authenticate_optionally
from service.dependencies import Asked, PageRequest, Word, see_other
from service.errors import NotFound
from service.language.texts import texts
from service.web.format.render import Reader, playable


@get("/rules/{ruleset:str}", opt={"public": True}, guards=[authenticate_optionally])
async def rules(request: PageRequest, ruleset: Word, q: Asked = "") -> Response[Any]:
    sought = texts().game_called(q, playable())
    if sought is not None:
        return see_other(f"/rules/{sought}")
    if ruleset not in playable():
        called = [name for name in texts().games_called(ruleset) if name in playable()]
        if len(called) != 1:
            raise NotFound("ruleset", None)
        return Redirect(f"/rules/{called[0]}", status_code=301)
    reader = Reader(request)
    clauses = texts().of_game(ruleset)
    own = {rule: clause for rule, clause in clauses.items() if rule.startswith(ruleset)}
    shared = {rule: clause for rule, clause in clauses.items() if rule not in own}
    return reader.page(
        "rules.html", ruleset=ruleset, rulesets=playable(), parts=[own, shared], sought=q
    )
