"""What a phone stores in order to start and record a game without a network."""

from datetime import datetime
from uuid import UUID

from litestar import get
from litestar.response import Response
from msgspec import json

from schemas.catalogue import shapes
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.access.principal import Principal
from service.dependencies import Asked, Now, PageRequest, Table, TheTable
from service.errors import NotFound
from service.play.append import new_entries
from service.play.course import GameCourse
from service.play.game_cache import fold
from service.play.new_game import Opening, open_game
from service.play.snapshots import GameSnapshot
from service.play.views import PlayerView
from service.store.records import StoredEntry
from service.web.format.environments import playable
from service.web.format.render import Reader
from service.web.format.static_files import static_files
from service.web.recorder.starting.new_game import default_options
from service.web.recorder.table.board import board_context

# The phone replaces these characters, one a seat, by the names.
_NAMES_FROM = 0xE000
_TABLES = "/games/new/tables"


@get("/offline", opt={"access": Access.KNOWN})
async def offline_page(request: PageRequest) -> Response[str]:
    """Show what works without a network; `data-kit` lists what the phone stores."""
    kit = ["/games/new"] if request.user.may_start else []
    for ruleset in playable() if request.user.may_start else ():
        kit += [f"/games/new?ruleset={ruleset}", f"{_TABLES}?ruleset={ruleset}"]
    files = static_files()
    scripts = [files.address(name) for name in files.content if name.endswith(".js")]
    return Reader(request).page("offline.html", kit=kit, scripts=scripts)


@get(_TABLES, opt={"access": Access.STARTER})
async def blank_tables(
    request: PageRequest, table: TheTable, now: Now, ruleset: Asked = ""
) -> Response[bytes]:
    """Return the recorder's page of a game not yet started, by number of seats."""
    if ruleset not in playable():
        raise NotFound("ruleset", None)
    reader = Reader(request)
    pages: dict[int, str] = {}
    of = shapes(ruleset)
    options = json.encode(default_options(of.options))
    for seats in of.seats:
        players = [table.new_id() for _ in range(seats)]
        opening = open_game(ruleset, options, players)
        if not isinstance(opening, Malformed):
            pages[seats] = await _blank(reader, request.user, table, opening, now(), players)
    return Response(json.encode(pages), media_type="application/json")


async def _blank(
    reader: Reader,
    who: Principal,
    table: Table,
    opening: Opening,
    at: datetime,
    players: list[UUID],
) -> str:
    [started] = new_entries([opening.started], lambda: b"")
    row = StoredEntry(
        version=1,
        type=started.type,
        schema_version=started.schema_version,
        data=started.data,
        recorded_at=at,
        recorded_by=None,
        hash=b"",
        ordinal=0,
        command_id=table.new_id(),
    )
    moment = GameSnapshot(
        loaded=fold(table.new_id(), [row]),
        players=tuple(
            PlayerView(id=one, name=chr(_NAMES_FROM + seat)) for seat, one in enumerate(players)
        ),
    )
    view = await table.games.show(moment)
    context = board_context(reader, GameCourse(parts=(moment,)), view, who, "cards")
    said = {"told": "", "lacks": (), "refused": None, "had": ""}
    return reader.markup("recorder.html", **context, **said, command=table.new_id())
