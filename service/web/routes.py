"""All routes of the pages. `guard_page` admits only owners unless the route sets `access`."""

from collections.abc import Sequence

from litestar import Router
from litestar.handlers import HTTPRouteHandler

from service.access.admission import enter_by_token, guard_page, refuse_other_sites
from service.web import home
from service.web.access import (
    clubs_page,
    devices_page,
    links,
    login,
    people_section,
    programs_page,
    sample_pages,
    settings_page,
)
from service.web.archive import (
    describing,
    evenings,
    exporting,
    history,
    notation_page,
    pictures,
    remarks,
    replay,
    rules_page,
    screen,
    seasons_page,
    set_aside_page,
    sheet,
    what_if,
    year_page,
)
from service.web.error_pages import to_page
from service.web.format import static_files
from service.web.people import figures_page, me, players, standings
from service.web.recorder import recorder, resume_game, table_actions
from service.web.recorder.correcting import correction_form, corrections, deal_by_result
from service.web.recorder.entries import entries_page
from service.web.recorder.starting import (
    going_on,
    new_game,
    offline_start,
    replacement_page,
    titles_page,
)
from service.web.shared import pages as shared
from service.web.transfer import (
    backup_page,
    import_everything_page,
    import_games_page,
    record_downloads,
)

_PAGES = [
    home.home,
    home.more,
    history.history,
    seasons_page.add_season,
    seasons_page.change_season,
    describing.describe,
    set_aside_page.put_on_shelf,
    set_aside_page.take_from_shelf,
    exporting.history_csv,
    exporting.history_json,
    exporting.history_xlsx,
    exporting.history_pdf,
    exporting.export_file,
    players.show_players,
    players.add_player,
    players.change_player,
    players.show_person,
    titles_page.show_titles,
    titles_page.add_title,
    titles_page.show_title,
    titles_page.change_title,
    me.show_me,
    me.tie_me,
    figures_page.show_figures,
    standings.standings,
    new_game.new_game,
    new_game.start_game,
    new_game.same_again,
    offline_start.offline_page,
    offline_start.blank_tables,
    replacement_page.go_on_instead,
    going_on.show_change,
    going_on.change_game,
    going_on.undo_change,
    recorder.recorder,
    resume_game.go_on,
    recorder.board,
    recorder.enter,
    recorder.back_to_table,
    recorder.send,
    entries_page.timeline,
    correction_form.correct,
    correction_form.propose,
    corrections.consequences,
    deal_by_result.keep,
    deal_by_result.keep_with,
    entries_page.erase_text,
    entries_page.back_to_entry,
    evenings.evening,
    evenings.evening_pdf,
    pictures.game_picture,
    pictures.evening_picture,
    year_page.show_year,
    year_page.year_picture,
    sheet.sheet,
    sheet.sheet_csv,
    sheet.sheet_xlsx,
    sheet.sheet_pdf,
    screen.game_screen,
    screen.club_screen,
    remarks.remark,
    what_if.what_if,
    what_if.suppose,
    replay.replay,
    rules_page.rules_at_table,
    replay.at_version,
    record_downloads.record_text,
    record_downloads.record_json,
    import_games_page.show_import,
    import_games_page.upload_games,
    import_games_page.show_games,
    import_games_page.read_table_again,
    import_games_page.import_games,
    import_games_page.go_on_importing,
    import_games_page.stop_importing,
    import_games_page.follow_import,
    import_everything_page.show_everything,
    import_everything_page.import_everything,
    backup_page.show_backups,
    backup_page.download,
    table_actions.more,
    links.share,
    links.invite,
    links.revoke,
    people_section.invite_member,
    people_section.change_member,
    devices_page.show_devices,
    devices_page.change_device,
    devices_page.end_others,
    programs_page.show_programs,
    programs_page.make_token,
    programs_page.revoke_token,
    sample_pages.open_samples,
    sample_pages.leave_samples,
    sample_pages.remove_samples,
]

open_pages = Router(
    "/",
    guards=[refuse_other_sites],
    include_in_schema=False,
    exception_handlers={Exception: to_page},
    route_handlers=[
        login.show_login,
        login.login,
        login.show_invitation,
        login.join,
        login.logout,
        settings_page.show_settings,
        settings_page.store_settings,
        rules_page.rules,
        notation_page.notation,
        static_files.static_file,
        static_files.service_worker,
        clubs_page.show_other_club,
    ],
)

shared_pages = Router(
    "/",
    guards=[refuse_other_sites, enter_by_token],
    include_in_schema=False,
    exception_handlers={Exception: to_page},
    route_handlers=[
        shared.shared,
        shared.shared_at,
        shared.shared_replay,
        shared.shared_scores,
        shared.shared_picture,
        shared.shared_version,
    ],
)


def routes(of_extensions: Sequence[HTTPRouteHandler]) -> list[Router]:
    pages = Router(
        "/",
        guards=[refuse_other_sites, guard_page],
        include_in_schema=False,
        exception_handlers={Exception: to_page},
        route_handlers=[*_PAGES, *of_extensions],
    )
    return [pages, open_pages, shared_pages]
