"""What Carnet does with recorded games of Euchre: fold, judge, decode and replay."""

import msgspec

from domain.replay import Replayed, opening, replay
from schemas.catalogue import decode_record
from schemas.euchre import GameRecord
from tests.generation.euchre import PROFILES, true_game

GAMES = 150
Games = list[GameRecord]


def lines() -> list[bytes]:
    """Return true games, hands hidden, as `carnet check` reads them."""
    games = (true_game(seed, PROFILES["hidden"]) for seed in range(GAMES))
    return [msgspec.json.encode(game) for game in games]


def decoded(records: list[bytes]) -> Games:
    """Decode the records."""
    found: Games = []
    for line in records:
        record = decode_record(line)
        assert isinstance(record, GameRecord)
        found.append(record)
    return found


def folded(games: Games, *, exact: bool) -> int:
    """Judge and fold every entry; return how many."""
    entries = 0
    for game in games:
        outcome = replay(opening("euchre", game.options, game.seats, exact=exact), game.log)
        assert isinstance(outcome, Replayed)
        entries += len(game.log)
    return entries


def read_and_replayed(records: list[bytes]) -> int:
    """Decode and judge whole records; return how many."""
    folded(decoded(records), exact=True)
    return len(records)
