"""The rules as Carnet plays them, clause by clause; every refusal leads to its clause here."""

from litestar import get
from litestar.response import Response

from service.access.identity import acquaint
from service.dependencies import PageRequest, Word
from service.errors import NotFound
from service.texts import texts
from service.web.format.render import Reader, playable


@get("/rules/{ruleset:str}", opt={"public": True}, guards=[acquaint])
async def rules(request: PageRequest, ruleset: Word) -> Response[str]:
    """Show every clause of a game in the reader's language.

    Raises: NotFound
    """
    if ruleset not in playable():
        raise NotFound("ruleset", None)
    reader = Reader(request)
    clauses = texts().of_game(ruleset)
    own = {rule: clause for rule, clause in clauses.items() if rule.startswith(ruleset)}
    shared = {rule: clause for rule, clause in clauses.items() if rule not in own}
    return reader.page("rules.html", ruleset=ruleset, rulesets=playable(), parts=[own, shared])
