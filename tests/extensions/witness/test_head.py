from pathlib import Path

from service.extensions.witness.signed_notes import read_note
from service.store.records import DEFAULT_CLUB
from tests.service.stored_club import PLAYED_VERSIONS, Club, played


async def test_head__printed_and_kept_elsewhere_proves_that_nothing_is_gone(
    club: Club, tmp_path: Path
) -> None:
    settings = {"CARNET_DATA_DIR": str(tmp_path)}
    game_id = await club.record(played())
    printed = club.carnet("head", **settings)
    note = read_note(printed.stdout)
    assert (note.checkpoint.origin, note.checkpoint.size) == (
        f"carnet/{DEFAULT_CLUB}",
        PLAYED_VERSIONS,
    )
    kept = tmp_path / "kept"
    kept.write_text(printed.stdout)
    keys = club.carnet("head", "--new-key", "--keys", **settings).stdout.splitlines()
    assert len(keys) == 2
    assert note.signed_by(keys) == [keys[1]]

    run = club.carnet("verify", "--head", str(kept), **settings)
    assert run.stdout.splitlines() == [
        "3 heads: the log holds all that they stood for",
        f"1 games, {PLAYED_VERSIONS} entries: all hash chains are intact",
    ]
    await club.tamper(
        "DELETE FROM carnet.entry WHERE version = (SELECT max(version) FROM carnet.entry)",
        "UPDATE carnet.game SET version = version - 1",
    )
    run = club.carnet("verify", "--head", str(kept), **settings)
    assert run.returncode == 1
    missing = f"entry {PLAYED_VERSIONS} of game {game_id}, position {PLAYED_VERSIONS}, is missing"
    assert run.stdout.splitlines() == [
        *[f"the head of {PLAYED_VERSIONS} entries does not match: {missing}"] * 3,
        "1 games: 0 broken; 3 heads do not match",
    ]


async def test_verify__a_head_copied_without_its_last_line_end_holds(
    club: Club, tmp_path: Path
) -> None:
    settings = {"CARNET_DATA_DIR": str(tmp_path)}
    await club.record(played())
    kept = tmp_path / "copied"
    kept.write_text(club.carnet("head", **settings).stdout.rstrip("\n"))
    assert club.carnet("verify", "--head", str(kept), **settings).returncode == 0


async def test_verify__a_file_without_a_head_is_told(club: Club, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_text("hello\n")
    run = club.carnet("verify", "--head", str(file))
    assert run.returncode == 2
    assert run.stderr == "carnet verify: not a signed head (C2SP tlog-checkpoint)\n"
    run = club.carnet("verify", "--head", str(tmp_path / "nothing"))
    assert run.returncode == 2
