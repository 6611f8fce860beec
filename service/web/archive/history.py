"""The history: every game, the newest first, by who played, which game, how it stands and when.

Promises: works without script; a page of the list stays right while games are started, because it
goes on after a game and not after a number of games. What cannot be read of a filter is told, and
stays as it was typed.
"""

from collections.abc import Sequence
from uuid import UUID

from litestar import get
from litestar.response import Response
from msgspec import Struct

from schemas.catalogue import SHAPES
from service.club.score_history import ScoreHistory
from service.dependencies import NewId, Now, PageRequest, TheHistory, ThePlayers
from service.export.history_forms import PDF
from service.store.records import Player
from service.web.format.game_filters import Filtering, read_filtering, seasons
from service.web.format.game_rows import Row, rows_of
from service.web.format.render import Reader
from service.web.people.players import known

GAMES_SHOWN = 25
# Counting takes as long as there are games.
GAMES_COUNTED_MAX = 10_000
UNREADABLE = 422


class Found(Struct, frozen=True, kw_only=True):
    """A page of the list, the number of games that fit, and where the next page begins, if any.

    `number` is one more than `GAMES_COUNTED_MAX` at most.
    `set_aside`: how many games are set aside and would fit otherwise.
    """

    rows: list[Row]
    number: int
    after: str | None
    set_aside: int


_NOTHING = Found(rows=[], number=0, after=None, set_aside=0)


class Choice(Struct, frozen=True, kw_only=True):
    """Somebody to choose in the filter."""

    id: UUID
    name: str


@get("/history")
async def history(
    request: PageRequest, history: TheHistory, players: ThePlayers, now: Now, new_id: NewId
) -> Response[str]:
    """Show a page of the games that fit, and the ways to take them out."""
    reader = Reader(request)
    filtering = read_filtering(dict(request.query_params.items()), reader.zone)
    people = await players.all()
    unreadable = bool({*filtering.wrong} - {"cursor"})
    found = _NOTHING if unreadable else await _found(reader, history, filtering)
    return reader.page(
        "history.html",
        UNREADABLE if unreadable else 200,
        filtering=filtering,
        typed=filtering.typed,
        wrong=filtering.wrong,
        people=_choices(reader, people, filtering.which.player),
        rulesets=tuple(SHAPES),
        seasons=seasons(now(), reader.zone),
        pdf_games_max=PDF.most or 0,
        rows=found.rows,
        found=min(found.number, GAMES_COUNTED_MAX),
        uncounted=found.number > GAMES_COUNTED_MAX,
        after=found.after,
        set_aside=found.set_aside,
        command=new_id(),
    )


async def _found(reader: Reader, history: ScoreHistory, filtering: Filtering) -> Found:
    page, number = await history.page_and_count(
        filtering.which, filtering.after, GAMES_SHOWN, GAMES_COUNTED_MAX + 1
    )
    rows = rows_of(reader, page.games)
    return Found(rows=rows, number=number, after=page.next, set_aside=page.set_aside)


def _choices(reader: Reader, people: Sequence[Player], wanted: UUID | None) -> list[Choice]:
    """List who can be chosen: those with a name, and whoever is chosen without one."""
    named = [Choice(id=one.player_id, name=one.name or "") for one in known(list(people))]
    if wanted is None or wanted in {one.id for one in named}:
        return named
    return [*named, Choice(id=wanted, name=reader.gettext("somebody without a name"))]
