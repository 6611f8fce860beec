"""Splices at random places: what stands afterwards is what a fresh record of it would be.

The judge is a history of its own, told entry by entry what is left once the entries are dropped and
the moves put in: it must end in the same state, or refuse what the splice was refused for.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History, Step
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.catalogue import decode_record, ruleset_of, shapes
from schemas.entries import SPLICED_MAX, Amend, Entry, Note, SetAside, Splice
from schemas.malformed import Malformed
from service.play.previews import consequences
from tests.generation import durak, dutch, euchre, rami
from tests.generation.sizes import games

FIRST_SEED = 80_000
SHARE = 10
TRIES = 4
MAKERS = [
    pytest.param(maker, profile, id=f"{name}-{profile}".replace(" ", "-"))
    for name, maker in (("durak", durak), ("dutch", dutch), ("euchre", euchre), ("rami", rami))
    for profile in maker.PROFILES
]


def chance_of(seed: int) -> Random:
    return Random(seed)  # noqa: S311 games, not secrets


def true_history(maker: Any, profile: str, seed: int) -> History:  # noqa: ANN401 a generator's module
    """Fold a true game."""
    record = maker.true_game(seed, maker.PROFILES[profile])
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed), decoded
    options = shapes(ruleset_of(decoded)).settled(decoded.options, record["seats"])
    assert isinstance(options, msgspec.Struct)
    history = History(opening(ruleset_of(decoded), options, record["seats"]))
    for entry in decoded.log:
        assert not isinstance(history.judge(entry), Refusal), record
    return history


def state(game: Game) -> tuple[Any, ...]:
    """Say what people see of a game."""
    seen = judgement.situation(game)
    return (game.totals, game.deals, game.status, game.set_aside, game.dealer, seen)


def told_afresh(opened: Game, entries: Sequence[Entry]) -> Game | tuple[int, str]:
    """Record entries one by one; where one is refused, say which, and by what clause."""
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
    """Choose moves: what was dropped, a part of it, something from elsewhere, a note, an end."""
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


@pytest.mark.parametrize(("maker", "profile"), MAKERS)
def test_splice__entries_dropped_and_put_in_again_change_nothing(
    maker: Any,  # noqa: ANN401 a generator's module
    profile: str,
) -> None:
    for seed in games(FIRST_SEED, SHARE):
        history, chance = true_history(maker, profile, seed), chance_of(seed)
        before, steps = state(history.game), history.steps()
        for _ in range(TRIES if steps else 0):
            place = chance.randrange(len(steps))
            drop = chance.randint(1, min(len(steps) - place, SPLICED_MAX))
            same = [step.entry for step in steps[place : place + drop]]
            judged = history.judge(splice_at(steps, place, drop, same))
            assert not isinstance(judged, Refusal), (seed, place, drop, judged)
            assert state(history.game) == before, (seed, place, drop)
            steps = history.steps()


@pytest.mark.parametrize(("maker", "profile"), MAKERS)
def test_splice__entries_left_out_and_put_in_make_the_true_game(
    maker: Any,  # noqa: ANN401 a generator's module
    profile: str,
) -> None:
    for seed in games(FIRST_SEED + 1, SHARE):
        true, chance = true_history(maker, profile, seed), chance_of(seed)
        entries = [step.entry for step in true.steps()]
        if not entries or true.game.set_aside:
            continue
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


@pytest.mark.parametrize(("maker", "profile"), MAKERS)
def test_splice__at_random_is_judged_as_the_record_it_makes(
    maker: Any,  # noqa: ANN401 a generator's module
    profile: str,
) -> None:
    for seed in games(FIRST_SEED + 2, SHARE):
        history, chance = true_history(maker, profile, seed), chance_of(seed)
        for _ in range(TRIES):
            steps = history.steps()
            if not steps:
                break
            place = max(chance.randrange(len(steps)), len(steps) - 60)
            drop = chance.randint(0, min(4, len(steps) - place))
            moves = some_entries(chance, steps, place, drop)
            if not (drop or moves):
                continue
            entries = [step.entry for step in steps]
            edited = [*entries[:place], *moves, *entries[place + drop :]]
            splice = splice_at(steps, place, drop, moves)
            afresh, judged = told_afresh(history.opening, edited), history.judge(splice)
            if isinstance(judged, Refusal):
                assert isinstance(afresh, tuple), (seed, splice, judged)
                assert afresh[1] == judged.rule, (seed, splice, judged)
            else:
                assert isinstance(afresh, Game), (seed, splice, afresh)
                assert state(history.game) == state(afresh), (seed, splice)


@pytest.mark.parametrize(("maker", "profile"), MAKERS)
def test_ways_out__of_a_correction_at_random_stand_or_name_their_gaps(
    maker: Any,  # noqa: ANN401 a generator's module
    profile: str,
) -> None:
    for seed in games(FIRST_SEED + 3, SHARE * 2):
        history, chance = true_history(maker, profile, seed), chance_of(seed)
        steps = history.steps()
        if len(steps) < 2:
            continue
        at = max(chance.randrange(len(steps)), len(steps) - 60)
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


def test_set_aside__at_random_awaits_notes_alone_and_comes_back_whole() -> None:
    for seed in games(FIRST_SEED + 4):
        history = true_history(euchre, "unruly and doubtful", seed)
        if history.game.set_aside:
            continue
        before, last = state(history.game), history.standing[-1]
        set_aside, note, back = SetAside(reason="a trial"), Note(text="tea"), last
        assert not isinstance(history.judge(set_aside), Refusal)
        assert isinstance(history.judge(set_aside), Refusal)
        assert not isinstance(history.judge(note), Refusal)
        assert history.game.set_aside
        gone = splice_at(history.steps(), len(history.steps()) - 2, 1, [])
        assert not isinstance(history.judge(gone), Refusal)
        assert (state(history.game), back) == (before, last)
