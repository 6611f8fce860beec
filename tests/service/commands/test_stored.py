import os
import re
import socket
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from typing import LiteralString
from uuid import UUID, uuid4

import httpx
import pytest
from msgspec.structs import replace

from schemas.catalogue import encode, type_of
from schemas.euchre import Play
from service.access.secrets import token_hash
from service.commands.verify import WRONG
from service.store.access.grants import Grants
from service.store.club.players import Players
from service.store.club.titles import Titles
from service.store.log.events import EventStore
from service.store.read_models.projections import GameIndex
from service.store.records import DEFAULT_CLUB
from tests.service.stored_club import FIRST_DEAL_ENDED, PLAYED_VERSIONS, Club, played


async def test_verify__whole_chains_are_counted(club: Club) -> None:
    for _ in range(2):
        await club.record(played())
    run = club.carnet("verify")
    assert run.stdout == f"2 games, {2 * PLAYED_VERSIONS} entries: all hash chains are intact\n"
    assert (run.returncode, run.stderr) == (0, "")


async def test_verify__the_first_bad_link_is_named(club: Club) -> None:
    await club.record(played())
    game_id = await club.record(played())
    await club.tamper(
        "UPDATE carnet.entry SET data = convert_to('{}', 'UTF8') WHERE version IN (5, 7) AND"
        " game_id = (SELECT game_id FROM carnet.entry ORDER BY recorded_at DESC LIMIT 1)"
    )
    run = club.carnet("verify")
    assert run.returncode == 1
    assert run.stdout.splitlines() == [
        f"game {game_id}: bad link at entry 5: {WRONG['hash']}",
        "2 games: 1 broken",
    ]


async def test_verify__a_text_that_is_not_what_was_recorded_is_named(club: Club) -> None:
    game_id = await club.record(played())
    reason = FIRST_DEAL_ENDED + 1
    await club.tamper(
        "ALTER TABLE carnet.free_text DISABLE TRIGGER free_text_keeps_rows",
        "UPDATE carnet.free_text SET text = 'a card seen'",
    )
    run = club.carnet("verify")
    assert run.returncode == 1
    assert run.stdout.splitlines()[0] == (
        f"game {game_id}: bad link at entry {reason}: its text was changed"
    )


async def test_verify_and_audit__find_a_game_whole_whose_text_was_erased(club: Club) -> None:
    game_id = await club.record(played())
    await EventStore(club.pool, DEFAULT_CLUB).erase_text(game_id, FIRST_DEAL_ENDED + 1)
    club.carnet("rebuild")
    assert club.carnet("verify").stdout.endswith("all hash chains are intact\n")
    assert club.carnet("audit").stdout.endswith("none differs\n")


async def test_audit__games_as_today_s_rules_have_them_do_not_differ(club: Club) -> None:
    await club.record(played())
    club.carnet("rebuild")
    run = club.carnet("audit")
    assert run.stdout == "1 games replayed under today's rules: none differs\n"
    assert run.returncode == 0


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE carnet.game SET totals = '{4,-1}'",
        "UPDATE carnet.game SET status = 'finished'",
        "UPDATE carnet.game SET players = ARRAY[players[2], players[1]]",
        "UPDATE carnet.deal_score SET points = '{2,0}' WHERE deal = 1",
        "DELETE FROM carnet.game",
    ],
)
async def test_audit__what_people_read_is_held_against_the_log(
    change: LiteralString, club: Club
) -> None:
    game_id = await club.record(played())
    club.carnet("rebuild")
    await club.tamper(change)
    run = club.carnet("audit")
    assert run.returncode == 1
    assert run.stdout.startswith(f"game {game_id}: its stored results do not follow")


async def three_people(club: Club) -> tuple[Players, list[UUID]]:
    players = Players(club.pool, DEFAULT_CLUB)
    ids = [(await players.create(uuid4(), name)).player_id for name in ("Ada", "Bea", "Cleo")]
    await players.merge(ids[0], ids[1])
    return players, ids


async def test_audit__a_chain_of_merges_is_named_and_a_rebuild_repairs_it(club: Club) -> None:
    players, (ada, bea, cleo) = await three_people(club)
    await club.tamper(
        "UPDATE carnet.player SET merged_into = c.player_id, person_id = c.player_id"
        " FROM carnet.player c WHERE player.name = 'Bea' AND c.name = 'Cleo'"
    )
    run = club.carnet("audit")
    assert (run.returncode, run.stdout.splitlines()[0]) == (
        1,
        f"player {ada}: it does not belong to the end of its merges (`carnet rebuild` repairs it)",
    )
    assert club.carnet("rebuild").stdout.startswith("1 merges of people and titles did not lead")
    assert club.carnet("audit").returncode == 0
    assert {one.person for one in await players.list_merged()} == {cleo}
    assert {one.player_id for one in await players.list_merged()} == {ada, bea}


async def test_audit__merges_in_a_circle_are_named(club: Club) -> None:
    _, (ada, bea, _) = await three_people(club)
    await club.tamper(
        "UPDATE carnet.player SET merged_into = a.player_id, person_id = a.player_id"
        " FROM carnet.player a WHERE player.name = 'Bea' AND a.name = 'Ada'"
    )
    run = club.carnet("audit")
    assert run.returncode == 1
    ends = "its merges end nowhere: in a circle, or in a row that is missing"
    assert run.stdout.splitlines()[:2] == [f"player {one}: {ends}" for one in (ada, bea)]


async def test_audit__a_name_in_a_forgotten_group_is_named_and_removed_by_a_rebuild(
    club: Club,
) -> None:
    titles = Titles(club.pool, DEFAULT_CLUB)
    one, other = [(await titles.create(uuid4(), name)).title_id for name in ("Skyjoo", "Skyjo")]
    await titles.merge(one, other)
    await club.tamper("UPDATE carnet.title SET name = NULL, folded = NULL WHERE name = 'Skyjo'")
    run = club.carnet("audit")
    assert run.returncode == 1
    assert run.stdout.startswith(f"title {one}: it has a name and the rest of its group has none")
    club.carnet("rebuild")
    assert club.carnet("audit").returncode == 0
    assert [merged.name for merged in await titles.list_merged()] == [None]


async def test_audit__two_seats_of_one_person_are_named(club: Club) -> None:
    game_id = await club.record(played())
    await club.tamper(
        "UPDATE carnet.player SET merged_into = o.player_id, person_id = o.player_id"
        " FROM carnet.player o WHERE o.player_id < player.player_id"
    )
    club.carnet("rebuild")
    run = club.carnet("audit")
    assert run.returncode == 1
    assert f"game {game_id}: player " in run.stdout


async def test_audit__a_game_that_is_only_listed_is_named(club: Club) -> None:
    game_id = await club.record(played())
    club.carnet("rebuild")
    await club.tamper("DELETE FROM carnet.entry")
    run = club.carnet("audit")
    assert (run.returncode, run.stdout.splitlines()[0]) == (
        1,
        f"game {game_id}: it is listed, but the log has no entry of it",
    )


async def test_audit__another_outcome_on_the_day_is_told_and_left_as_it_is(club: Club) -> None:
    log = played()
    ended = log[FIRST_DEAL_ENDED - 1]
    assert type_of(ended) == "deal_ended"
    log[FIRST_DEAL_ENDED - 1] = replace(ended, points=(0, 4))
    game_id = await club.record(log)
    run = club.carnet("audit")
    assert run.returncode == 1
    told = run.stdout.splitlines()[0]
    assert told.startswith(f"game {game_id}: entry {FIRST_DEAL_ENDED}: recorded {{")
    assert '"points":[0,4]' in told.partition(", today ")[0]
    assert '"points":[0,2]' in told.partition(", today ")[2]
    stored = await EventStore(club.pool, DEFAULT_CLUB).read(game_id)
    assert [row.json for row in stored] == [encode(entry) for entry in log]


async def test_audit__an_outcome_that_today_nobody_would_write_is_told(club: Club) -> None:
    log = played()
    last = log[-1]
    await club.record([*log, last])
    assert "today nothing" in club.carnet("audit").stdout


async def test_audit__an_entry_that_today_would_be_refused_is_told_with_its_clause(
    club: Club,
) -> None:
    log = played()
    game_id = await club.record([*log[:6], Play(seat=0, card="QC"), *log[7:]])
    run = club.carnet("audit", "--lang", "de")
    assert run.returncode == 1
    assert run.stdout.splitlines()[0] == (
        f"game {game_id}: entry 7 would be refused today (cards.seen):"
        " Spieler 1 kann Kreuz-Dame nicht haben:"
        " Das ist die aufgedeckte Karte, und niemand hat sie genommen."
    )


async def test_rebuild__writes_the_list_and_the_deals_anew_from_the_log(club: Club) -> None:
    game_id = await club.record(played())
    run = club.carnet("rebuild")
    assert (run.returncode, run.stdout) == (
        0,
        "1 games rebuilt from their log; 1 differed from it\n",
    )
    index = GameIndex(club.pool, DEFAULT_CLUB)
    game = await index.game(game_id)
    assert (game.status, game.deals, game.totals) == ("open", 2, (-1, 4))
    assert game.version == PLAYED_VERSIONS
    scores = await index.deal_scores(game_id)
    assert [(score.deal, score.version, score.points) for score in scores] == [
        (1, FIRST_DEAL_ENDED, (0, 2)),
        (2, PLAYED_VERSIONS, (0, 2)),
    ]


async def test_rebuild__a_game_recorded_elsewhere_keeps_its_day(club: Club) -> None:
    began_at = datetime(2019, 5, 4, 20, 15, tzinfo=timezone(timedelta(hours=2)))
    started, *later = played()
    game_id = await club.record([replace(started, at=began_at), *later])
    club.carnet("rebuild")
    assert (await GameIndex(club.pool, DEFAULT_CLUB).game(game_id)).started_at == began_at


async def test_rebuild__twice_changes_nothing(club: Club) -> None:
    game_id = await club.record(played())
    index = GameIndex(club.pool, DEFAULT_CLUB)
    club.carnet("rebuild")
    once = (await index.game(game_id), await index.deal_scores(game_id))
    assert club.carnet("rebuild").stdout.endswith("; 0 differed from it\n")
    assert (await index.game(game_id), await index.deal_scores(game_id)) == once


async def test_key__a_new_one_is_shown_and_is_the_one_that_counts(club: Club) -> None:
    run = club.carnet("key", "--new", CARNET_PORT="8080", CARNET_HOST="192.0.2.7")
    found = re.search(r"http://192\.0\.2\.7:8080/login\?key=(\S+)", run.stdout)
    assert found is not None
    stored = await Grants(club.pool, DEFAULT_CLUB).owner_key_hash()
    assert stored == token_hash(found[1])
    assert run.returncode == 0


async def test_key__of_which_only_a_hash_is_kept_cannot_be_shown(club: Club) -> None:
    run = club.carnet("key")
    assert (run.returncode, run.stdout) == (1, "")
    assert "--new makes a new one" in run.stderr


@pytest.mark.parametrize("arguments", [(), ("--new",)], ids=str)
async def test_key__of_the_settings_is_neither_shown_nor_replaced(
    club: Club, arguments: tuple[str, ...]
) -> None:
    run = club.carnet("key", *arguments, CARNET_OWNER_KEY="sesame-open-for-the-tests")
    assert (run.returncode, run.stdout) == (1, "")
    assert "sesame" not in run.stderr
    assert await Grants(club.pool, DEFAULT_CLUB).owner_key_hash() is None


def test_serve__shows_once_the_link_that_lets_its_owner_in(club: Club) -> None:
    for first in (True, False):
        with subprocess.Popen(
            [sys.executable, "-m", "service.cli", "serve"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"CARNET_DATABASE_URL": club.url, "CARNET_PORT": "0"},
        ) as service:
            assert service.stdout is not None
            said = ""
            while "CARNET_HOST=0.0.0.0" not in said:
                line = service.stdout.readline()
                assert line, said
                said += line
            found = re.search(r"(http://127\.0\.0\.1:\d+)/(?:login\?key=(\S+))?", said)
            assert found is not None
            assert (found[2] is not None) == first
            bearer = {"Authorization": f"Bearer {found[2]}"}
            answer = httpx.get(f"{found[1]}/api/players", headers=bearer)
            assert answer.status_code == (200 if first else 401)
            service.terminate()
        assert service.returncode == 0


def test_serve__an_address_that_is_taken_is_told_before_a_key_is_made(club: Club) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = club.carnet("serve", CARNET_PORT=str(port))
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(f"carnet serve: 127.0.0.1 port {port} is not usable: ")


async def test_settings__that_make_no_sense_are_one_line_on_standard_error(club: Club) -> None:
    run = club.carnet("verify", CARNET_PORT="eighty")
    assert run.returncode == 2
    assert run.stderr == (
        "carnet verify: CARNET_PORT is 'eighty'; expected a number from 0 to 65535\n"
    )


# One row of one game changed past privileges and triggers. Each must be named, also where the row
# can no longer be decoded.
TAMPERINGS: dict[str, LiteralString] = {
    "type": "UPDATE carnet.entry SET type = 'deal' WHERE game_id = %s AND version = 5",
    "type-unknown": "UPDATE carnet.entry SET type = 'dance' WHERE game_id = %s AND version = 5",
    "data": "UPDATE carnet.entry SET data = '{}' WHERE game_id = %s AND version = 5",
    "data-no-json": "UPDATE carnet.entry SET data = '\\xff' WHERE game_id = %s AND version = 5",
    "data-null": "UPDATE carnet.entry SET data = 'null' WHERE game_id = %s AND version = 2",
    "started": "UPDATE carnet.entry SET data = '{}' WHERE game_id = %s AND version = 1",
    "shape": "UPDATE carnet.entry SET schema_version = 9 WHERE game_id = %s AND version = 5",
    "text-apart": "UPDATE carnet.entry SET schema_version = 2 WHERE game_id = %s AND version = 5",
    "hash": "UPDATE carnet.entry SET hash = sha256('x') WHERE game_id = %s AND version = 5",
    "missing": "DELETE FROM carnet.entry WHERE game_id = %s AND version = 5",
    "first-missing": "DELETE FROM carnet.entry WHERE game_id = %s AND version = 1",
    "seat": "DELETE FROM carnet.seat WHERE game_id = %s AND seat = 1",
    "text": "UPDATE carnet.free_text SET text = '\\xff' WHERE game_id = %s",
}


async def tamper_with(club: Club, statement: LiteralString) -> tuple[UUID, UUID]:
    first, second = sorted([await club.record(played()), await club.record(played())])
    club.carnet("rebuild")
    club.carnet("head")  # numbers both in the feed
    await club.tamper(
        "ALTER TABLE carnet.free_text DISABLE TRIGGER USER",
        "ALTER TABLE carnet.seat DISABLE TRIGGER USER",
        "ALTER TABLE carnet.feed DISABLE TRIGGER USER",
    )
    await club.execute(statement, first)
    return first, second


# An audit compares outcomes; hashes are for `verify`.
UNSEEN_BY_AUDIT = {"hash"}
SUMMARIES = {
    "verify": "2 games: 1 broken",
    "audit": "2 games replayed",
    "export": "people exported",
}


@pytest.mark.parametrize("kind", TAMPERINGS)
@pytest.mark.parametrize("command", SUMMARIES)
async def test_a_changed_row_is_named_and_other_games_are_judged(
    club: Club, command: str, kind: str
) -> None:
    first, second = await tamper_with(club, TAMPERINGS[kind])
    run = club.carnet(command)
    if command == "audit" and kind in UNSEEN_BY_AUDIT:
        assert run.returncode == 0, run.stdout
        return
    assert run.returncode == 1, run.stderr
    assert "Traceback" not in run.stderr, run.stderr
    report = run.stdout if command != "export" else run.stderr
    assert f"game {first}:" in report, report
    assert f"game {second}:" not in report, report
    assert SUMMARIES[command] in report, report


async def test_a_removed_row_of_the_feed_is_named(club: Club) -> None:
    statement: LiteralString = "DELETE FROM carnet.feed WHERE game_id = %s AND version = 5"
    await tamper_with(club, statement)
    for command in ("verify", "audit", "export"):
        run = club.carnet(command)
        assert "Traceback" not in run.stderr, run.stderr
    assert "missing" in club.carnet("verify").stdout
