"""Time to compute what the record proves, including the number of deals that fit.

In CPU time, at each entry of generated games, 10,000 positions per game. Also listed: the share of
positions in which all deals were counted, and in which the answer was exact.
"""

import time
from collections.abc import Iterator
from itertools import count, islice

import msgspec
from msgspec import Struct

from domain.games import GAMES
from domain.inference import possible
from domain.replay import opening
from domain.table.hidden import Hidden
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record
from schemas.strict_json import Malformed
from tests.bench.table import Line, Size, Table, spread
from tests.generation.makers import FOLLOWED, MAKERS

MOMENTS, SEED = 10_000, 40_000


class MeasuredAnswer(Struct, frozen=True):
    """One answer: the processor's seconds, whether all deals were counted, whether it is exact."""

    seconds: float
    whole: bool
    exact: bool


def moments(ruleset: str) -> Iterator[Hidden]:
    module, manifest = MAKERS[ruleset], GAMES[ruleset]
    profiles = list(module.PROFILES.values())
    for seed in count(SEED):
        written = module.true_game(seed, profiles[seed % len(profiles)])
        record = decode_record(msgspec.json.encode(written))
        assert not isinstance(record, Malformed)
        history = History(opening(ruleset, record.options, written["seats"]))
        for entry in record.log:
            assert not isinstance(history.judge(entry), Refusal)
            if (hidden := manifest.hidden(history.game)) is not None:
                yield hidden


def describe(hidden: Hidden) -> MeasuredAnswer:
    began = time.process_time()
    found = possible(hidden)
    return MeasuredAnswer(time.process_time() - began, found.is_exact_count, found.exact)


def measure(size: Size) -> Iterator[Table]:
    lines: list[Line] = []
    for ruleset in FOLLOWED:
        answers = [describe(one) for one in islice(moments(ruleset), size.of(MOMENTS))]
        numbers = spread([one.seconds for one in answers]) | {
            "moments": len(answers),
            "counted %": 100 * sum(one.whole for one in answers) / len(answers),
            "exact %": 100 * sum(one.exact for one in answers) / len(answers),
        }
        lines.append(Line(ruleset, numbers))
    yield Table("what the record proves at a moment (possible)", tuple(lines))
