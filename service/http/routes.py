"""All routes of the API. Those under `guard` are for owners unless `opt` sets `access`."""

from collections.abc import Mapping, Sequence

from litestar import Router
from litestar.handlers import HTTPRouteHandler

from service.access.admission import guard
from service.http.access import access_stream, links
from service.http.club import evenings, history, people, players, seasons, titles
from service.http.documentation import openapi
from service.http.feed import asyncapi, feed
from service.http.games import (
    descriptions,
    entries,
    games,
    live,
    possible,
    records,
    rulesets,
    sheet,
)
from service.http.monitoring import health

TAGS = {
    "rulesets": "The games that can be played: options, entries, clauses",
    "titles": "What games by points are called",
    "people": "Who plays, and what they did",
    "games": "Games started, listed, shown, followed, written",
    "feed": "Everything that was recorded, in one order",
    "evenings": "Games of one evening, whatever the game, with one tally",
    "history": "What was played, page by page or as a file",
    "seasons": "Days under a name, for lists, standings and exports",
    "sheets": "The score sheet of a game",
    "records": "Whole games, exported and imported",
    "events": "What is told by itself: the shapes of entries and of what is sent",
    "links": "Other people's phones in a game",
    "operation": "Whether the service lives, and what it measures",
}


def _tag_router(tag: str, *handlers: HTTPRouteHandler) -> Router:
    return Router("/", tags=[tag], route_handlers=handlers)


_API = [
    _tag_router("operation", health.show_service),
    _tag_router("rulesets", rulesets.list_rulesets, rulesets.show_ruleset),
    _tag_router(
        "titles",
        titles.add_title,
        titles.list_titles,
        titles.change_title,
        titles.forget_title,
        titles.merge_titles,
        titles.part_titles,
    ),
    _tag_router(
        "people",
        players.add_player,
        players.merge_players,
        players.part_players,
        players.list_players,
        players.rename_player,
        players.forget_player,
        people.show_person,
        people.show_figures,
        people.show_standings,
    ),
    _tag_router(
        "games",
        games.start_game,
        games.list_games,
        games.show_game,
        games.show_game_at,
        possible.show_possible,
        possible.show_possible_at,
        possible.preview_moves,
        entries.append_entries,
        entries.show_log,
        entries.preview_entry,
        entries.erase_text,
        live.follow_game,
        descriptions.show_description,
        descriptions.describe_game,
    ),
    _tag_router(
        "seasons",
        seasons.add_season,
        seasons.list_seasons,
        seasons.change_season,
        seasons.remove_season,
    ),
    _tag_router("feed", feed.show_feed),
    _tag_router("evenings", evenings.list_evenings, evenings.show_evening, evenings.show_year),
    _tag_router(
        "history",
        history.show_history,
        history.export_history_json,
        history.export_history_csv,
        history.export_history_xlsx,
        history.export_history_pdf,
    ),
    _tag_router(
        "sheets",
        sheet.show_sheet,
        sheet.show_sheet_json,
        sheet.show_sheet_csv,
        sheet.show_sheet_xlsx,
        sheet.show_sheet_pdf,
    ),
    _tag_router(
        "records",
        records.show_record,
        records.show_record_json,
        records.show_record_text,
        records.import_record,
    ),
    _tag_router(
        "links",
        links.make_link,
        links.list_links,
        links.revoke_link,
        access_stream.stay_signed_in,
    ),
]

operations = Router("/", tags=["operation"], route_handlers=[health.healthz, health.readyz])
published = Router("/schema", tags=["history"], route_handlers=[history.show_history_schema])
described = Router(
    "/schema",
    tags=["events"],
    route_handlers=[
        openapi.show_game_schema,
        openapi.show_entry_schema,
        asyncapi.show_asyncapi,
    ],
)
measured = Router("/", tags=["operation"], guards=[guard], route_handlers=[health.metrics])


def routes(of_extensions: Mapping[str, Sequence[HTTPRouteHandler]]) -> list[Router]:
    """Return all routes, with those of extensions by their tags."""
    added = [_tag_router(tag, *handlers) for tag, handlers in of_extensions.items()]
    api = Router(
        "/api",
        guards=[guard],
        response_headers={"Cache-Control": "no-store"},
        route_handlers=[*_API, *added],
    )
    return [api, operations, published, described, measured]
