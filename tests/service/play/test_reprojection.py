from collections.abc import Iterator, Sequence
from uuid import UUID, uuid4

import msgspec
import pytest
from msgspec import structs

from domain.games import GAMES
from domain.replay import StoppedRecord, opening, replay
from domain.table.history import History
from schemas.catalogue import decode_record
from schemas.entries import Entry
from schemas.strict_json import Malformed
from service.errors import IntegrityBroken
from service.play import reprojection
from service.play.game_cache import LoadedGame, fold
from service.play.reprojection import compute_projection, projection
from service.store.records import StoredEntry
from tests.bench import stored
from tests.generic.recorded import GAMES as RECORDED

GAME = UUID(int=1)
PEOPLE = [UUID(int=number) for number in range(1, 9)]


def logs(ruleset: str) -> Iterator[list[StoredEntry]]:
    for path in sorted((RECORDED / ruleset).glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            seats = msgspec.json.decode(line)["seats"]
            record = decode_record(line)
            if isinstance(record, Malformed):
                continue
            if isinstance(
                replay(opening(ruleset, record.options, seats), record.log), StoppedRecord
            ):
                continue  # kept for the tests of refusals
            entries = stored.entries_of(ruleset, record, seats)
            links = stored.chained(GAME, PEOPLE[:seats], entries)
            yield [link.entry for link in links]


@pytest.mark.parametrize("ruleset", sorted(GAMES))
def test_a_game_is_projected_as_the_log_says(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exactly: list[bool] = []

    def counted(game_id: UUID, rows: Sequence[StoredEntry], *, exact: bool = True) -> LoadedGame:
        exactly.append(exact)
        return fold(game_id, rows, exact=exact)

    monkeypatch.setattr(reprojection, "fold", counted)
    games = list(logs(ruleset))
    for rows in games:
        assert compute_projection(GAME, rows) == projection(fold(GAME, rows))
    assert len(games) > 3
    assert exactly.count(True) <= len(games) // 20, "nearly all are folded by sight"


def test_a_game_whose_outcomes_sight_does_not_come_to_is_folded_with_all_that_can_be_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = next(rows for rows in logs("euchre") if any(row.type == "deal_ended" for row in rows))
    right, restore = projection(fold(GAME, rows)), History.restore
    ended = next(row for row in rows if row.type == "deal_ended")

    def misled(history: History, log: Sequence[Entry]) -> None:
        known = history.opening.exact
        restore(history, log if known else log[: ended.version - 2])

    monkeypatch.setattr(History, "restore", misled)
    assert compute_projection(GAME, rows) == right


def test_a_log_that_no_fold_comes_to_is_told() -> None:
    rows = next(rows for rows in logs("euchre") if rows[-1].type == "game_ended")
    more = [*rows, structs.replace(rows[-1], version=rows[-1].version + 1, command_id=uuid4())]
    with pytest.raises(IntegrityBroken):
        compute_projection(GAME, more)
