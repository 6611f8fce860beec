"""When those who only watch are told what could be known."""

from uuid import UUID

import msgspec
import pytest

from domain.replay import ReplayedRecord, opening, replay
from schemas.catalogue import decode_record, shapes
from schemas.strict_json import Malformed
from service.play.game_cache import LoadedGame
from service.play.game_rows import Rows
from service.play.possibilities import hidden_from_viewers
from service.play.snapshots import GameSnapshot
from service.settings import ViewersKnow
from tests.http.club import DEAL, MADE, Json

VOID: Json = {"type": "void", "reason": "misdeal"}


def moment(*log: Json) -> GameSnapshot:
    record = decode_record(
        msgspec.json.encode({"ruleset": "euchre", "options": {}, "seats": 2, "log": list(log)})
    )
    assert not isinstance(record, Malformed), record
    played = replay(opening("euchre", record.options, 2), record.log)
    assert isinstance(played, ReplayedRecord), played
    folded = LoadedGame(
        game_id=UUID(int=1),
        shapes=shapes("euchre"),
        rows=Rows.of([]),
        history=played.history,
    )
    return GameSnapshot(loaded=folded, players=())


@pytest.mark.parametrize(
    ("told", "log", "secret"),
    [
        ("live", DEAL, False),
        ("deal", DEAL, True),
        ("deal", [*DEAL, VOID], False),
        ("game", [*DEAL, VOID], True),
        ("game", [MADE, {"type": "finish", "reason": "late"}], False),
        ("never", [MADE, {"type": "finish", "reason": "late"}], True),
    ],
)
def test_watchers_are_told_when_the_setting_says(
    told: ViewersKnow, log: list[Json], *, secret: bool
) -> None:
    assert hidden_from_viewers(moment(*log), 2, told) == secret
