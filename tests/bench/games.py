"""Generated games of every ruleset: judging, folding and decoding.

All hands are hidden. In the long games of Rami players hardly ever meld, so that the stock is
rebuilt from the discard pile repeatedly, which is the hardest case for inference.
"""

from functools import cache
from math import ceil
from typing import Any, cast

import msgspec
from msgspec import Struct

from domain.replay import ReplayedRecord, opening, replay
from schemas.catalogue import decode_record
from schemas.entries import Record
from schemas.strict_json import Malformed
from tests.generation import rami
from tests.generation.makers import FOLLOWED, MAKERS
from tests.generation.rami_deal import Habits

GAMES, LONG_GAMES = 150, 20
LONG = "rami, long"
HARDLY_EVER = Habits(given=0.0, named=0.0, eager=0.05, rich=0.0, turns=400)


def _write(kind: str, seed: int) -> dict[str, Any]:
    if kind == LONG:
        return rami.true_game(seed, HARDLY_EVER)
    maker = MAKERS[kind]
    profile = maker.HIDDEN if kind in FOLLOWED else next(iter(maker.PROFILES))
    return cast("dict[str, Any]", maker.true_game(seed, maker.PROFILES[profile]))


class Games(Struct, frozen=True):
    """Games of one ruleset: as lines that `carnet check` reads, and decoded."""

    ruleset: str
    seats: tuple[int, ...]
    lines: tuple[bytes, ...]
    records: tuple[Record[Any, Any], ...]

    @property
    def entries(self) -> int:
        return sum(len(record.log) for record in self.records)


@cache  # sections need the same ones, and some take seconds to make
def generated(kind: str, share: float = 1) -> Games:
    """Return the same games of a kind every time; a `share` of them where that is enough."""
    number = ceil((LONG_GAMES if kind == LONG else GAMES) * share)
    written = [_write(kind, seed) for seed in range(number)]
    lines = tuple(msgspec.json.encode(record) for record in written)
    seats = tuple(record["seats"] for record in written)
    return Games(written[0]["ruleset"], seats, lines, tuple(map(_decode, lines)))


def _decode(line: bytes) -> Record[Any, Any]:
    record = decode_record(line)
    assert not isinstance(record, Malformed)
    return record


def folded(games: Games, *, exact: bool) -> int:
    """Judge and fold all entries, keeping all history; return the number of entries."""
    for record, seats in zip(games.records, games.seats, strict=True):
        _replay(games.ruleset, record, seats, exact=exact)
    return games.entries


def _replay(ruleset: str, record: Record[Any, Any], seats: int, *, exact: bool) -> None:
    outcome = replay(opening(ruleset, record.options, seats, exact=exact), record.log)
    assert isinstance(outcome, ReplayedRecord)
