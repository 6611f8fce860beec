"""A rendered board serves everybody who sees the same game alike."""

from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain.replay import opening
from domain.table.history import History
from schemas.catalogue import shapes
from service.play.game_cache import LoadedGame
from service.play.game_rows import Rows
from service.play.snapshots import GameSnapshot
from service.play.views import PlayerView
from service.web.recorder.table.board_cache import NO_COMMAND, BoardCache

COMMAND = UUID("0198c0de-0000-7000-8000-000000000001")
EUCHRE = shapes("euchre")


@pytest.fixture
def boards() -> BoardCache:
    return BoardCache(boards_max=2)


def load() -> LoadedGame:
    history = History(opening("euchre", EUCHRE.options(), 2))
    return LoadedGame(game_id=uuid4(), shapes=EUCHRE, rows=Rows.of([]), history=history)


def snapshot_of(loaded: LoadedGame, name: str = "Ann") -> GameSnapshot:
    return GameSnapshot(loaded=loaded, players=(PlayerView(id=UUID(int=1), name=name),))


def test_each_form_of_a_cached_board_has_a_command_of_its_own(boards: BoardCache) -> None:
    snapshot = snapshot_of(load())
    boards.put(snapshot, "en", f"<input value={NO_COMMAND}>")
    assert boards.get(snapshot, "en", COMMAND) == f"<input value={COMMAND}>"
    other = uuid4()
    assert boards.get(snapshot, "en", other) == f"<input value={other}>"


def test_another_variant_has_a_board_of_its_own(boards: BoardCache) -> None:
    snapshot = snapshot_of(load())
    boards.put(snapshot, "en", "board")
    assert boards.get(snapshot, "fr", COMMAND) is None


def test_a_game_loaded_anew_makes_another_board(boards: BoardCache) -> None:
    loaded = load()
    boards.put(snapshot_of(loaded), "en", "board")
    assert boards.get(snapshot_of(replace(loaded)), "en", COMMAND) is None


def test_another_name_of_a_player_makes_another_board(boards: BoardCache) -> None:
    loaded = load()
    boards.put(snapshot_of(loaded), "en", "board of Ann")
    assert boards.get(snapshot_of(loaded, "Anne"), "en", COMMAND) is None
    assert boards.get(snapshot_of(loaded), "en", COMMAND) == "board of Ann"


def test_boards_used_longest_ago_are_dropped(boards: BoardCache) -> None:
    snapshots = [snapshot_of(load()) for _ in range(3)]
    for snapshot in snapshots[:2]:
        boards.put(snapshot, "en", "board")
    assert boards.get(snapshots[0], "en", COMMAND)
    boards.put(snapshots[2], "en", "board")
    assert [bool(boards.get(one, "en", COMMAND)) for one in snapshots] == [True, False, True]
