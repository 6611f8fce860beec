"""The history: every game, the newest first, by who played, which game, how it stands and when."""

from collections.abc import Sequence
from uuid import UUID

from litestar import get
from litestar.response import Response
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import Struct

from schemas.catalogue import SHAPES
from service.access.admission import Access
from service.club.score_history import ScoreHistory
from service.dependencies import NewId, Now, PageRequest, TheDescriptions, TheHistory
from service.export.history.forms import PDF
from service.store.records import Player
from service.web.format.game_filters import (
    Filtering,
    merge_parameters,
    named,
    read_filtering,
    years,
)
from service.web.format.game_rows import GameRow, rows_of
from service.web.format.render import Reader
from service.web.people.players import known as with_names

GAMES_SHOWN = 25
# Counting takes as long as there are games.
GAMES_COUNTED_MAX = 10_000


class Found(Struct, frozen=True, kw_only=True):
    """A page of the list, the number of games that fit, and where the next page begins, if any.

    `number` is one more than `GAMES_COUNTED_MAX` at most.
    `set_aside`: how many games are set aside and would fit otherwise.
    """

    rows: list[GameRow]
    number: int
    after: str | None
    set_aside: int


_NOTHING = Found(rows=[], number=0, after=None, set_aside=0)


class PersonChoice(Struct, frozen=True, kw_only=True):
    """Somebody to choose in the filter."""

    id: UUID
    name: str


@get("/history", opt={"access": Access.MEMBER})
async def history(
    request: PageRequest,
    history: TheHistory,
    descriptions: TheDescriptions,
    now: Now,
    new_id: NewId,
) -> Response[str]:
    """Show a page of the games that fit, and the ways to take them out."""
    reader = Reader(request)
    filtering = read_filtering(merge_parameters(request.query_params.multi_items()), reader.zone)
    known = await descriptions.known()
    which = filtering.which
    chosen = [] if which.player is None else [which.player, *which.others]
    unreadable = bool({*filtering.wrong} - {"cursor"})
    found = _NOTHING if unreadable else await _found(reader, history, filtering)
    return reader.page(
        "history.html",
        UNREADABLE if unreadable else 200,
        filtering=filtering,
        typed=filtering.typed,
        wrong=filtering.wrong,
        people=_choices(reader, known.players, chosen),
        chosen_people=chosen,
        places=known.places,
        tags=known.tags,
        named=named(known.seasons),
        rulesets=tuple(SHAPES),
        years=years(now(), reader.zone),
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


def _choices(
    reader: Reader, people: Sequence[Player], chosen: Sequence[UUID]
) -> list[PersonChoice]:
    called = [
        PersonChoice(id=one.player_id, name=one.name or "") for one in with_names(list(people))
    ]
    nameless = reader.gettext("somebody without a name")
    missing = [one for one in chosen if one not in {choice.id for choice in called}]
    return [*called, *(PersonChoice(id=one, name=nameless) for one in missing)]
