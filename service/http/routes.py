"""All routes of the API. Those under `guard` are the owner's unless they say otherwise."""

from litestar import Router

from service.access.identity import guard
from service.http import (
    entries,
    games,
    health,
    history,
    links,
    live,
    people,
    players,
    records,
    rulesets,
    sheet,
)

api = Router(
    "/api",
    guards=[guard],
    response_headers={"Cache-Control": "no-store"},
    route_handlers=[
        rulesets.list_rulesets,
        rulesets.show_ruleset,
        players.add_player,
        players.list_players,
        players.rename_player,
        players.forget_player,
        people.show_person,
        people.show_standings,
        history.show_history,
        history.export_json,
        history.export_csv,
        history.export_xlsx,
        history.export_pdf,
        games.start_game,
        games.list_games,
        games.show_game,
        games.show_game_at,
        entries.append_entries,
        entries.show_log,
        entries.preview_entry,
        entries.erase_text,
        live.follow_game,
        sheet.show_sheet,
        sheet.show_sheet_json,
        sheet.show_sheet_csv,
        sheet.show_sheet_xlsx,
        sheet.show_sheet_pdf,
        records.show_record,
        records.show_record_json,
        records.show_record_text,
        records.import_record,
        links.make_link,
        links.list_links,
        links.revoke_link,
    ],
)

operations = Router("/", include_in_schema=True, route_handlers=[health.healthz, health.readyz])
published = Router("/schema", include_in_schema=True, route_handlers=[history.show_schema])
measured = Router("/", guards=[guard], route_handlers=[health.metrics])

route_handlers = [api, operations, published, measured]
