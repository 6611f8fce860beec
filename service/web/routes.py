"""All routes of the pages. Those under `guard` are the owner's unless they say otherwise."""

from litestar import Router

from service.access.identity import guard, refuse_other_sites
from service.web import home
from service.web.access import links, login, settings_page
from service.web.archive import (
    evenings,
    exporting,
    history,
    notation_page,
    remarks,
    replay,
    room_screen,
    rules_page,
    sheet,
    what_if,
)
from service.web.error_pages import to_page
from service.web.format import static_files
from service.web.people import player, players, standings
from service.web.recorder import (
    correction_form,
    corrections,
    entries_page,
    erasing,
    instead,
    keeping,
    new_game,
    recorder,
    table_actions,
)
from service.web.shared import pages as shared
from service.web.transfer import import_page, record_downloads

pages = Router(
    "/",
    guards=[refuse_other_sites, guard],
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
        players.show_players,
        players.add_player,
        players.change_player,
        player.show_person,
        standings.standings,
        new_game.new_game,
        new_game.start_game,
        new_game.same_again,
        instead.go_on_instead,
        recorder.recorder,
        recorder.board,
        recorder.enter,
        recorder.back_to_table,
        recorder.send,
        entries_page.timeline,
        correction_form.correct,
        correction_form.propose,
        corrections.consequences,
        keeping.keep,
        keeping.keep_with,
        erasing.erase_text,
        erasing.back_to_entry,
        evenings.evenings,
        evenings.evening,
        sheet.sheet,
        sheet.sheet_csv,
        sheet.sheet_xlsx,
        sheet.sheet_pdf,
        room_screen.game_screen,
        room_screen.club_screen,
        remarks.remark,
        what_if.what_if,
        what_if.suppose,
        replay.replay,
        replay.at_version,
        record_downloads.record_text,
        record_downloads.record_json,
        import_page.show_import,
        import_page.take_record,
        table_actions.more,
        links.share,
        links.invite,
        links.revoke,
    ],
)

open_pages = Router(
    "/",
    guards=[refuse_other_sites],
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
        static_files.worker,
        shared.shared,
        shared.shared_at,
        shared.shared_replay,
        shared.shared_scores,
        shared.shared_picture,
    ],
)

route_handlers = [pages, open_pages]
