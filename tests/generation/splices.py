"""Properties of splices in true games of any ruleset.

The reference for a splice is a new history of the remaining entries and the moves: both must end in
the same state, or be refused for the same reason. Each function in `HELD` raises `AssertionError`
for a counterexample.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History, Step
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.catalogue import decode_record, ruleset_of, shapes
from schemas.entries import SPLICED_MAX, Amend, Entry, Note, SetAside, Splice
from schemas.strict_json import Malformed
from service.play.queries import consequences
from tests.answers import judged
from tests.generation.makers import MAKERS

TRIES = 4
# As many games as the statements about one kind of game have in common.
GAMES_KEPT = 16
NEAR_THE_END = 60


def chance_of(seed: int) -> Random:
    return Random(seed)  # noqa: S311 games, not secrets


@lru_cache(GAMES_KEPT)
def true_record(name: str, profile: str, seed: int) -> dict[str, Any]:
    """Write a true game: corrections of every kind in it, perhaps set aside."""
    maker = MAKERS[name]
    record: dict[str, Any] = maker.true_game(seed, maker.PROFILES[profile], mended=True)
    return record


def true_history(name: str, profile: str, seed: int) -> History:
    return _folded(name, profile, seed).copy()


@lru_cache(GAMES_KEPT)
def _folded(name: str, profile: str, seed: int) -> History:
    record = true_record(name, profile, seed)
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed), decoded
    options = shapes(ruleset_of(decoded)).complete_options(decoded.options, record["seats"])
    assert isinstance(options, msgspec.Struct)
    history = History(opening(ruleset_of(decoded), options, record["seats"]))
    for entry in decoded.log:
        assert not isinstance(history.judge(entry), Refusal), record
    return history


def state(game: Game) -> tuple[Any, ...]:
    seen = judgement.situation(game)
    return (game.totals, game.deals, game.status, game.set_aside, game.dealer, seen)


def record_one_by_one(opened: Game, entries: Sequence[Entry]) -> Game | tuple[int, str]:
    """Record entries one by one; for a refused one, return its index and clause."""
    history = History(opened)
    for place, entry in enumerate(entries):
        judged = history.judge(entry)
        if isinstance(judged, Refusal):
            return place, judged.rule
    return history.game


def splice_at(steps: Sequence[Step], place: int, drop: int, moves: Sequence[Entry]) -> Entry:
    at = steps[place]
    return Splice[Entry](version=at.version, part=at.part, drop=drop, moves=tuple(moves))


def some_entries(chance: Random, steps: Sequence[Step], place: int, drop: int) -> list[Entry]:
    """Choose moves: the dropped ones, some of them, others, a note, or an end."""
    dropped = [step.entry for step in steps[place : place + drop]]
    elsewhere = [step.entry for step in steps]
    kinds: tuple[list[Entry], ...] = (
        dropped,
        dropped[: len(dropped) // 2],
        [*dropped, chance.choice(elsewhere)],
        [Note(text="tea"), *dropped],
        [chance.choice(elsewhere)],
        [*dropped, SetAside(reason="a trial")],
    )
    return chance.choice(kinds)[:SPLICED_MAX]


def record_comes_to_the_truth(name: str, profile: str, seed: int) -> None:
    """Insert forgotten entries, set a game aside: the result equals the reference."""
    record = true_record(name, profile, seed)
    found, expected = judged(record), record["expect"]
    log = record["log"][: found.get("at", len(record["log"])) + 1]
    assert found == expected, f"{name}: expected {expected}, got {found} after {log}"


def dropped_and_put_in_again(name: str, profile: str, seed: int) -> None:
    """Drop entries and put the same in again: nothing changes."""
    history, chance = true_history(name, profile, seed), chance_of(seed)
    before, steps = state(history.game), history.steps()
    for _ in range(TRIES if steps else 0):
        place = chance.randrange(len(steps))
        drop = chance.randint(1, min(len(steps) - place, SPLICED_MAX))
        same = [step.entry for step in steps[place : place + drop]]
        judged = history.judge(splice_at(steps, place, drop, same))
        assert not isinstance(judged, Refusal), (seed, place, drop, judged)
        assert state(history.game) == before, (seed, place, drop)
        steps = history.steps()


def left_out_and_put_in(name: str, profile: str, seed: int) -> None:
    """Leave entries out and put them in: it is the true game."""
    true, chance = true_history(name, profile, seed), chance_of(seed)
    entries = [step.entry for step in true.steps()]
    if not entries or true.game.set_aside:
        return
    place = chance.randrange(len(entries))
    left_out = entries[place : place + SPLICED_MAX]
    history = History(true.opening)
    for entry in (*entries[:place], Note(text="and then?")):
        assert not isinstance(history.judge(entry), Refusal)
    late = splice_at(history.steps(), place, 0, left_out)
    assert not isinstance(history.judge(late), Refusal), (seed, place)
    for entry in entries[place + SPLICED_MAX :]:
        assert not isinstance(history.judge(entry), Refusal), (seed, place)
    assert state(history.game) == state(true.game), (seed, place)


def judged_as_the_record_it_makes(name: str, profile: str, seed: int) -> None:
    history, chance = true_history(name, profile, seed), chance_of(seed)
    for _ in range(TRIES):
        steps = history.steps()
        if not steps:
            break
        place = max(chance.randrange(len(steps)), len(steps) - NEAR_THE_END)
        drop = chance.randint(0, min(4, len(steps) - place))
        moves = some_entries(chance, steps, place, drop)
        if not (drop or moves):
            continue
        entries = [step.entry for step in steps]
        edited = [*entries[:place], *moves, *entries[place + drop :]]
        splice = splice_at(steps, place, drop, moves)
        afresh, judged = record_one_by_one(history.opening, edited), history.judge(splice)
        if isinstance(judged, Refusal):
            assert isinstance(afresh, tuple), (seed, splice, judged)
            assert afresh[1] == judged.rule, (seed, splice, judged)
        else:
            assert isinstance(afresh, Game), (seed, splice, afresh)
            assert state(history.game) == state(afresh), (seed, splice)


def ways_out_stand_or_name_their_gaps(name: str, profile: str, seed: int) -> None:
    """Append each offered repair, unless it has gaps."""
    history, chance = true_history(name, profile, seed), chance_of(seed)
    steps = history.steps()
    if len(steps) < 2:
        return
    at = max(chance.randrange(len(steps)), len(steps) - NEAR_THE_END)
    wrong = chance.choice(steps).entry
    for correction in (
        splice_at(steps, at, 1, []),
        Amend[Entry](version=steps[at].version, part=steps[at].part, move=wrong),
    ):
        told = consequences(history, correction)
        assert (told.ways is not None) == bool(told.preview.fallen), (seed, correction)
        for way in (told.ways.back, told.ways.keep) if told.ways else ():
            twin = history.copy()
            for entry in way.entries if way and not way.gaps else ():
                assert not isinstance(twin.judge(entry), Refusal), (seed, correction, entry)


HELD: tuple[Callable[[str, str, int], None], ...] = (
    record_comes_to_the_truth,
    dropped_and_put_in_again,
    left_out_and_put_in,
    judged_as_the_record_it_makes,
    ways_out_stand_or_name_their_gaps,
)
