from datetime import date
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from msgspec import json

from schemas.catalogue import encode, type_of
from schemas.entries import Note
from service.store.club.players import Players
from service.store.club.seasons import Seasons
from service.store.club.titles import Titles
from service.store.log.events import EventStore
from service.store.read_models.descriptions import Descriptions
from service.store.read_models.listing import GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import (
    DEFAULT_CLUB,
    ChainedEntry,
    Description,
    GameInList,
    NewEntry,
    Season,
)
from tests.service.stored_club import PLAYED_VERSIONS, Club, played


async def log_of(club: Club) -> list[ChainedEntry]:
    return [link async for link in EventStore(club.pool, DEFAULT_CLUB).walk()]


async def games_of(club: Club) -> dict[UUID, GameInList]:
    page = await GameIndex(club.pool, DEFAULT_CLUB).games(GameFilter())
    return {game.game_id: game for game in page.games}


async def test_everything__comes_back_with_the_same_heads_hashes_people_and_sheets(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    for _ in range(3):
        await here.record(played())
    forgotten = (await Players(here.pool, DEFAULT_CLUB).all())[0]
    await Players(here.pool, DEFAULT_CLUB).forget(forgotten.player_id)
    assert here.carnet("rebuild").returncode == 0
    file = tmp_path / "everything.jsonl"

    exported = here.carnet("export", str(file))
    assert exported.stderr == f"3 games, {3 * PLAYED_VERSIONS} entries, 6 people exported\n"
    imported = elsewhere.carnet("import", str(file))
    assert imported.stdout == "3 games and 6 people imported\n"
    assert (exported.returncode, imported.returncode) == (0, 0)

    assert await log_of(elsewhere) == await log_of(here)
    assert await games_of(elsewhere) == await games_of(here)
    people = Players(elsewhere.pool, DEFAULT_CLUB)
    assert await people.all() == await Players(here.pool, DEFAULT_CLUB).all()
    scores = [
        await GameIndex(club.pool, DEFAULT_CLUB).deal_scores(*await games_of(club))
        for club in (here, elsewhere)
    ]
    assert scores[0] == scores[1] != []
    assert elsewhere.carnet("verify").stdout.endswith("all hash chains are intact\n")
    again = tmp_path / "again.jsonl"
    assert elsewhere.carnet("export", str(again)).returncode == 0
    assert again.read_bytes() == file.read_bytes()
    assert file.stat().st_mode & 0o077 == 0


WRITTEN = "Zebedee peeked"


async def test_free_text__comes_back_and_what_was_erased_stays_so(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    game_id = await here.record([*played(), Note(text=WRITTEN), Note(text="at the fire")])
    whole = tmp_path / "whole.jsonl"
    here.carnet("export", str(whole))
    assert WRITTEN in whole.read_text()
    await EventStore(here.pool, DEFAULT_CLUB).erase_text(game_id, PLAYED_VERSIONS + 1)
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    assert WRITTEN not in file.read_text()

    assert elsewhere.carnet("import", str(file)).returncode == 0
    assert await log_of(elsewhere) == await log_of(here)
    assert [link.entry.erased for link in await log_of(elsewhere)][-2:] == [True, False]
    assert elsewhere.carnet("verify").stdout.endswith("all hash chains are intact\n")
    # An older export brings nothing back.
    assert "were here already" in elsewhere.carnet("import", str(whole)).stdout
    assert await log_of(elsewhere) == await log_of(here)


async def test_import__a_text_that_was_changed_keeps_its_game_out(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    game_id = await here.record([*played(), Note(text=WRITTEN)])
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    file.write_text(file.read_text().replace(WRITTEN, "Anna peeked"))
    run = elsewhere.carnet("import", str(file))
    assert run.stdout.splitlines()[0] == (
        f"game {game_id} was not imported:"
        f" entry {PLAYED_VERSIONS + 1} is not what was recorded (text)"
    )


async def test_import__entries_from_before_texts_stood_apart_are_taken_in(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    log = [*played(), Note(text=WRITTEN)]
    plain = [NewEntry(type=type_of(one), schema_version=1, data=encode(one)) for one in log]
    await here.store(plain)
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    run = elsewhere.carnet("import", str(file))
    assert (run.stdout, run.stderr) == ("1 games and 2 people imported\n", "")
    assert await log_of(elsewhere) == await log_of(here)
    assert elsewhere.carnet("verify").returncode == 0


async def test_import__again_changes_nothing_and_says_so(here: Club, tmp_path: Path) -> None:
    await here.record(played())
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    before = await log_of(here)
    run = here.carnet("import", str(file))
    assert run.stdout == "0 games and 0 people imported; 1 games were here already\n"
    assert run.returncode == 0
    assert await log_of(here) == before


async def test_import__a_game_without_its_projection_is_given_one(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    await here.record(played())
    here.carnet("rebuild")
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    elsewhere.carnet("import", str(file))
    await elsewhere.tamper("DELETE FROM carnet.game")
    assert elsewhere.carnet("import", str(file)).returncode == 0
    assert await games_of(elsewhere) == await games_of(here)


async def test_import__an_entry_that_was_changed_keeps_its_game_out_and_no_other(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    for _ in range(2):
        await here.record(played())
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    lines = file.read_bytes().splitlines(keepends=True)
    changed = next(n for n, line in enumerate(lines) if b'"line":"game"' in line)
    game_id = json.decode(lines[changed])["id"]
    lines[changed] = lines[changed].replace(b'"card":"KS"', b'"card":"QS"', 1)
    file.write_bytes(b"".join(lines))

    run = elsewhere.carnet("import", str(file))
    assert run.returncode == 2
    assert run.stdout.startswith(f"game {game_id} was not imported: entry 8 is not what was")
    assert "lines before this one are missing, or were changed" in run.stderr
    assert len(await games_of(elsewhere)) == 1


async def test_import__a_game_that_is_here_with_fewer_entries_is_told_as_that(
    here: Club, tmp_path: Path
) -> None:
    game_id = await here.record(played())
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    await here.tamper("DELETE FROM carnet.entry WHERE version > 5")
    run = here.carnet("import", str(file))
    assert run.returncode == 1
    assert run.stdout.splitlines()[0] == (
        f"game {game_id} was not imported:"
        f" it is here already, but only 5 of {PLAYED_VERSIONS} entries"
    )


async def test_import__an_export_that_was_cut_off_is_told(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    await here.record(played())
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))
    run = elsewhere.carnet("import", str(file))
    assert run.returncode == 2
    assert run.stderr == "carnet import: line 6: the export ends here, before it is whole\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "line 1: the export ends here"),
        ("{}\n", "line 1: not a line of an export of Carnet"),
        ("[Carnet 1]\n", "line 1: not a line of an export of Carnet"),
        ('{"line":"end","players":0,"games":0,"entries":0,"sha256":""}\n', "line 1: an export be"),
        (
            '{"line":"carnet-export","format":3,"club":"9f2a7f1e-2f0f-5a3b-8a55-7d7c3f6f2f0a"}\n',
            "line 1: the export of another club",
        ),
    ],
)
async def test_import__what_is_no_export_is_told_with_its_line(
    here: Club, tmp_path: Path, content: str, told: str
) -> None:
    await here.record(played())  # an empty database accepts any club
    file = tmp_path / "something"
    file.write_text(content)
    run = here.carnet("import", str(file))
    assert run.returncode == 2
    assert told in run.stderr


async def test_export__a_chain_that_is_not_whole_is_named(here: Club, tmp_path: Path) -> None:
    game_id = await here.record(played())
    await here.tamper("UPDATE carnet.entry SET hash = sha256(hash) WHERE version = 3")
    run = here.carnet("export", str(tmp_path / "everything.jsonl"))
    assert run.returncode == 1
    assert f"game {game_id}: bad link at entry 3" in run.stderr


async def test_files__that_cannot_be_read_or_written_are_told(here: Club, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere" / "everything.jsonl")
    for command, cannot in (("export", "be written"), ("import", "be read")):
        run = here.carnet(command, nowhere)
        assert run.returncode == 2
        assert run.stderr.startswith(f"carnet {command}: {nowhere} cannot {cannot}: No such file")


async def test_export__goes_to_standard_output_too(here: Club) -> None:
    run = here.carnet("export")
    assert run.stdout.splitlines()[0].startswith('{"line":"carnet-export"')
    assert run.stdout.splitlines()[-1].startswith('{"line":"end"')


async def test_what_stands_beside_the_games_comes_back_and_takes_no_ones_place(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    first, second = [await here.record(played()) for _ in range(2)]
    lake = Description(place="At the lake", tags=("Christmas", "Ömi"))
    home = Description(place="At home")
    winter = Season(
        season_id=uuid4(), name="Winter", first_day=date(2026, 10, 1), last_day=date(2027, 3, 31)
    )
    said = Descriptions(here.pool, DEFAULT_CLUB)
    await said.describe(first, lake)
    await said.describe(second, lake)
    await Seasons(here.pool, DEFAULT_CLUB).write(winter)
    file = tmp_path / "everything.jsonl"
    assert here.carnet("export", str(file)).returncode == 0
    there = Descriptions(elsewhere.pool, DEFAULT_CLUB)
    for _ in range(2):
        taken = elsewhere.carnet("import", str(file))
        assert taken.returncode == 0, taken.stderr
        assert await there.of_game(first) == lake
        assert await Seasons(elsewhere.pool, DEFAULT_CLUB).all() == [winter]
        await there.describe(second, home)
    assert await there.of_game(second) == home


async def test_people_who_were_merged_are_one_elsewhere_too(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    await here.record(played())
    players = Players(here.pool, DEFAULT_CLUB)
    one = (await players.all())[0].player_id
    other = (await players.create(uuid4(), "Somebody")).player_id
    last = (await players.create(uuid4(), "Nobody")).player_id
    await players.merge(one, other)
    await players.merge(other, last)
    assert here.carnet("rebuild").returncode == 0
    file = str(tmp_path / "everything.jsonl")
    assert here.carnet("export", file).returncode == 0
    assert elsewhere.carnet("import", file).returncode == 0
    assert await games_of(elsewhere) == await games_of(here)
    there = Players(elsewhere.pool, DEFAULT_CLUB)
    assert await there.all() == await players.all()
    assert await there.list_merged() == await players.list_merged()
    await there.undo_merge(one)
    assert (await there.by_ids([one]))[one].player_id == one


async def test_titles_that_were_merged_are_one_elsewhere_too(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    titles, file = Titles(here.pool, DEFAULT_CLUB), str(tmp_path / "everything.jsonl")
    one, other = [(await titles.create(uuid4(), name)).title_id for name in ("Skyjoo", "Skyjo")]
    before = str(tmp_path / "before.jsonl")
    assert here.carnet("export", before).returncode == 0
    await titles.merge(one, other)
    assert here.carnet("export", file).returncode == 0
    there = Titles(elsewhere.pool, DEFAULT_CLUB)
    for restored in (file, before):  # an older export does not undo the merge
        assert elsewhere.carnet("import", restored).returncode == 0
        assert await there.list_merged() == await titles.list_merged()
    assert here.carnet("import", before).returncode == 0
    assert [title.title_id for title in await titles.all()] == [other]


async def test_who_was_forgotten_here_is_forgotten_by_a_merge_of_an_older_export(
    here: Club, tmp_path: Path
) -> None:
    players, file = Players(here.pool, DEFAULT_CLUB), str(tmp_path / "everything.jsonl")
    one, other = [(await players.create(uuid4(), name)).player_id for name in ("Léa", "Lea M.")]
    await players.merge(one, other)
    assert here.carnet("export", file).returncode == 0
    await players.forget(other)
    assert here.carnet("import", file).returncode == 0
    assert [person.name for person in await players.all() if person.player_id == other] == [None]
    assert [merged.name for merged in await players.list_merged()] == [None]


EXPORTS = Path(__file__).with_name("exports")


@pytest.mark.parametrize(
    ("name", "games", "entries"), [("format-1.jsonl", 6, 100), ("format-2.jsonl", 11, 550)]
)
async def test_an_early_export_is_imported_whole(
    elsewhere: Club, name: str, games: int, entries: int
) -> None:
    run = elsewhere.carnet("import", str(EXPORTS / name))
    assert run.stdout == f"{games} games and 4 people imported\n", run.stderr
    run = elsewhere.carnet("verify")
    assert run.stdout == f"{games} games, {entries} entries: all hash chains are intact\n"
    run = elsewhere.carnet("audit")
    assert run.stdout == f"{games} games replayed under today's rules: none differs\n"


async def test_a_changed_entry_of_an_early_export_is_named(elsewhere: Club, tmp_path: Path) -> None:
    text = (EXPORTS / "format-1.jsonl").read_text("utf-8")
    file = tmp_path / "changed.jsonl"
    file.write_text(text.replace('"type":"pass","seat":1', '"type":"pass","seat":0', 1), "utf-8")
    run = elsewhere.carnet("import", str(file))
    assert run.returncode != 0
    assert "is not what was recorded" in run.stdout


FAILED = 2


async def exported(club: Club, folder: Path) -> list[bytes]:
    file = folder / "whole"
    for _ in range(2):
        await club.record(played())
    assert club.carnet("export", str(file)).returncode == 0
    return file.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("number", "found", "damaged"),
    [
        (2, rb'"name":"', rb'"name":"\u0000'),
        (6, rb'"ordinal":0', rb'"ordinal":1000000000'),
        (6, rb'"schema_version":', rb'"schema_version":99999'),
        (6, rb'"recorded_at":"2', rb'"recorded_at":"9'),
    ],
)
async def test_a_line_that_no_log_could_hold_is_told_without_a_traceback(
    number: int, found: bytes, damaged: bytes, here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    lines = await exported(here, tmp_path)
    assert found in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(found, damaged)
    (tmp_path / "damaged").write_bytes(b"".join(lines))
    told = elsewhere.carnet("import", str(tmp_path / "damaged"))
    assert told.returncode == FAILED
    assert "Traceback" not in told.stderr
    assert told.stderr.startswith("carnet import: line ")


async def test_what_stood_before_the_damage_is_in_and_the_whole_file_goes_on_after_it(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    lines = await exported(here, tmp_path)
    assert json.decode(lines[6])["line"] == "game"
    (tmp_path / "damaged").write_bytes(b"".join([*lines[:6], lines[6][:100]]))
    told = elsewhere.carnet("import", str(tmp_path / "damaged"))
    assert told.returncode == FAILED
    assert told.stdout.startswith("Imported before the error: 1 games and 4 people imported\n")
    again = elsewhere.carnet("import", str(tmp_path / "whole"))
    assert again.stdout == "1 games and 0 people imported; 1 games were here already\n"
