"""All routes of the pages. Those under `guard` are the owner's unless they say otherwise."""

from litestar import Router

from service.identity import guard
from service.web import (
    corrections,
    exporting,
    giving,
    history,
    home,
    importing,
    login,
    more,
    notation_page,
    people,
    person,
    reading,
    recorder,
    rules_page,
    settings_page,
    sharing,
    standings,
    start,
    static_files,
)
from service.web.trouble import to_page

pages = Router(
    "/",
    guards=[guard],
    include_in_schema=False,
    exception_handlers={Exception: to_page},
    route_handlers=[
        home.home,
        history.history,
        exporting.history_csv,
        exporting.history_json,
        exporting.history_xlsx,
        exporting.history_pdf,
        exporting.kept_file,
        people.show_players,
        people.add_player,
        people.change_player,
        person.show_person,
        standings.standings,
        start.new_game,
        start.start_game,
        start.same_again,
        recorder.recorder,
        recorder.board,
        recorder.enter,
        recorder.back_to_table,
        recorder.send,
        corrections.timeline,
        corrections.correct,
        corrections.consequences,
        corrections.back_to_log,
        reading.sheet,
        reading.sheet_csv,
        reading.sheet_xlsx,
        reading.sheet_pdf,
        reading.replay,
        reading.at_version,
        giving.record_text,
        giving.record_json,
        importing.show_import,
        importing.take_record,
        more.more,
        sharing.share,
        sharing.invite,
        sharing.revoke,
    ],
)

open_pages = Router(
    "/",
    include_in_schema=False,
    exception_handlers={Exception: to_page},
    route_handlers=[
        login.show_login,
        login.login,
        login.logout,
        settings_page.show_settings,
        settings_page.keep_settings,
        rules_page.rules,
        notation_page.notation,
        static_files.static_file,
    ],
)

route_handlers = [pages, open_pages]
