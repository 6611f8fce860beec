"""The rules of a game: a guide that teaches it, this table's options, and every clause."""

import re
from functools import lru_cache, partial
from importlib.resources import files
from typing import Any

from litestar import get
from litestar.response import Redirect, Response
from markdown_it import MarkdownIt
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import asdict

from schemas.catalogue import shapes
from service.access.admission import Access, authenticate_optionally
from service.dependencies import Asked, Id, PageRequest, TheGames, Word, see_other
from service.errors import NotFound
from service.language.french import french_spacing
from service.language.texts import texts
from service.web.format.environments import playable
from service.web.format.render import Reader
from service.web.recorder.table.board import place

# Cards in a guide are written as code: `JC AS`.
_CARDS = re.compile(r"<code>([^<]*)</code>")


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
    return _page(Reader(request), ruleset, {"ruleset": ruleset, "sought": q})


@get("/games/{game_id:uuid}/rules", opt={"access": Access.READER})
async def rules_at_table(request: PageRequest, games: TheGames, game_id: Id) -> Response[Any]:
    """Show the rules of a game with the options that its table chose."""
    reader = Reader(request)
    view = await games.show(await games.snapshot(game_id))
    options = options_in_words(view.ruleset, view.options, reader.language)
    frame = {**place(view, request.user), "options": options}
    return await games.work_on(partial(_page, reader, view.ruleset, frame))


def _page(reader: Reader, ruleset: str, frame: dict[str, Any]) -> Response[str]:
    clauses = texts().of_game(ruleset)
    own = {rule: clause for rule, clause in clauses.items() if rule.startswith(ruleset)}
    shared = {rule: clause for rule, clause in clauses.items() if rule not in own}
    return reader.page(
        "rules.html",
        rulesets=playable(),
        guide=guide(ruleset, reader.language),
        parts=[own, shared],
        **frame,
    )


def options_in_words(ruleset: str, options: Struct, lang: str) -> tuple[str, ...]:
    """Return a sentence for each option of a game, default or not."""
    values = asdict(shapes(ruleset).current_options(options))
    return tuple(texts().option(ruleset, name, value, lang) for name, value in values.items())


@lru_cache
def guide(ruleset: str, lang: str) -> tuple[tuple[Markup, tuple[str, ...]], ...]:
    """Render `domain/<ruleset>/guide.<lang>.md`: pieces of HTML, each with the cards after it."""
    text = files(f"domain.{ruleset}").joinpath(f"guide.{lang}.md").read_text("utf-8")
    html = MarkdownIt("commonmark", {"html": False}).render(
        french_spacing(text) if lang == "fr" else text
    )
    pieces = [*_CARDS.split(html), ""]
    return tuple(
        (Markup(words), tuple(cards.split()))  # noqa: S704 our own text, raw HTML escaped
        for words, cards in zip(pieces[::2], pieces[1::2], strict=True)
    )
