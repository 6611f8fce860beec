from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, TypeGuard

import msgspec
from msgspec import NODEFAULT

from domain.games import GAMES
from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game
from schemas.catalogue import decode_record, shapes, type_of
from schemas.entries import Entry
from schemas.strict_json import Malformed
from tests.generation.makers import MAKERS
from tests.generic.games import every_game, walks
from tests.generic.values import drawn, entry_fields
from tests.generic.walks import LATER, Written, decoded, free, listed, submitted

MOMENTS = 6  # looked at in each walk
OFFERED = 10  # entries tried of each choice
GUESSED = 40  # entries of each moment that may be offered or not
UNRULY = 8  # true games that are looked at
CORRECTIONS = {"take_back", "amend", "splice"}  # judged by the whole log, never offered
# For lists of any length, `choices` must contain only those of one item.
SHORT = 1


def moments(ruleset: str) -> Iterator[tuple[Game, Random]]:
    for number, one in enumerate(walks(ruleset)):
        chance = Random(number)  # noqa: S311 games, not secrets
        standing = one.history.take_back_targets
        for version in {1, *chance.sample(standing, min(MOMENTS, len(standing)))}:
            yield one.history.at(version), chance


def accept(game: Game, entry: Entry) -> bool:
    return judgement.refuse(game, entry, LATER) is None


def offer(game: Game, written: Written) -> bool:
    return any(_is(game.rules.name, choice, written) for choice in judgement.choices(game))


def _is(ruleset: str, choice: Choice, written: Written) -> bool:
    if written["type"] != choice.type:
        return False
    told = {name: value for name, value in written.items() if name != "type"}
    if choice.seat is not None and told.pop("seat", None) != choice.seat:
        return False
    if told.keys() - choice.fields.keys():
        return False
    fields = entry_fields(ruleset)[choice.type]
    for name, values in choice.fields.items():
        if not isinstance(values, tuple):
            if name not in told and fields[name].required:
                return False
            continue
        default = fields[name].default
        if name not in told and default is NODEFAULT and not fields[name].required:
            continue  # it may be absent, or one of these
        if _alike(told.get(name, default)) not in map(_alike, msgspec.to_builtins(values)):
            return False
    return True


def _alike(value: object) -> object:
    if not is_list(value):
        return value
    return [sorted(part, key=str) if is_list(part) else part for part in value]


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


def guesses(game: Game, chance: Random) -> Iterator[Written]:
    ruleset = game.rules.name
    kinds = sorted(entry_fields(ruleset).keys() - CORRECTIONS)
    choices = judgement.choices(game)
    for _ in range(GUESSED):
        yield _guess(ruleset, chance.choice(kinds), game.seats, chance)
        choice = chance.choice(choices)
        (written,) = listed(choice, 1, chance) if not free(choice) else ({"type": choice.type},)
        fields = entry_fields(ruleset)[choice.type]
        changeable = [*fields.keys() - UNTOUCHED]
        if not changeable:
            continue
        changed = chance.choice(changeable)
        yield written | {changed: drawn(fields[changed].type, chance, game.seats, SHORT)}


UNTOUCHED = {"waive", "unsure", "at"}


def _guess(ruleset: str, kind: str, seats: int, chance: Random) -> Written:
    fields = entry_fields(ruleset)[kind]
    return {"type": kind} | {
        name: drawn(field.type, chance, seats, SHORT)
        for name, field in fields.items()
        if name not in UNTOUCHED and (field.required or chance.random() < 0.5)
    }


@every_game
def test_choices__whatever_is_offered_is_accepted(ruleset: str) -> None:
    tried = 0
    for game, chance in moments(ruleset):
        for choice in judgement.choices(game):
            if any(values and not values.get("optional") for values in _free(choice)):
                continue
            for written in listed(choice, OFFERED, chance):
                tried += 1
                refused = judgement.refuse(game, decoded(ruleset, written), LATER)
                assert refused is None, f"choices offers {written}, which is refused: {refused}"
    assert tried or not GAMES[ruleset].tracks_cards, "choices offers no entry without a free field"


def _free(choice: Choice) -> list[dict[str, Any]]:
    return [dict(values) for values in choice.fields.values() if not isinstance(values, tuple)]


@every_game
def test_choices__what_is_accepted_is_offered(ruleset: str) -> None:
    seen = {True: 0, False: 0}
    for game, chance in moments(ruleset):
        for written in guesses(game, chance):
            entry = submitted(ruleset, written)
            if entry is None:
                continue
            told: Written = msgspec.to_builtins(entry)
            stands = accept(game, entry)
            seen[stands] += 1
            missing = f"{told} is accepted, but not offered by choices: {judgement.choices(game)}"
            assert stands <= offer(game, told), missing
    assert all(seen.values()), f"of random entries, so many were accepted and refused: {seen}"


@every_game
def test_choices__name_what_happens_in_true_games(ruleset: str) -> None:
    maker, asked = MAKERS[ruleset], 0
    *_, unruly = maker.PROFILES.values()
    for seed in range(UNRULY):
        record = maker.true_game(seed, unruly)
        decoded = decode_record(msgspec.json.encode(record))
        assert not isinstance(decoded, Malformed), decoded
        history = History(opening(ruleset, decoded.options, record["seats"]))
        for entry in decoded.log:
            if not (is_correction(entry) or entry.waive):
                asked += 1
                offered = {(one.type, one.seat) for one in judgement.choices(history.game)}
                kind, seat = type_of(entry), getattr(entry, "seat", None)
                missing = f"{entry} happens in a true game, but choices offers only {offered}"
                assert {(kind, seat), (kind, None)} & offered, missing
            assert not isinstance(history.judge(entry), Refusal), entry
    assert asked


def is_correction(entry: Entry) -> bool:
    return type_of(entry) in CORRECTIONS


@every_game
def test_choices__name_only_fields_that_their_entry_has(ruleset: str) -> None:
    for game, _chance in moments(ruleset):
        for choice in judgement.choices(game):
            assert choice.fields.keys() <= entry_fields(ruleset)[choice.type].keys()


@every_game
def test_choices__every_entry_of_the_game_but_corrections_is_offered_at_some_time(
    ruleset: str,
) -> None:
    met = {
        choice.type
        for one in walks(ruleset)
        for version in one.history.take_back_targets
        for choice in judgement.choices(one.history.at(version))
    }
    assert met <= entry_fields(ruleset).keys() - CORRECTIONS
    told = {"deal", "result"} & entry_fields(
        ruleset
    ).keys()  # a game may be recorded by results alone
    never = {*told, "result", "note", "adjust", "finish"} - met
    assert not never, f"choices never offers {never}"


def left(ruleset: str, last: bytes) -> set[str]:
    history = walks(ruleset)[0].history.until(1)
    assert not isinstance(history.judge(shapes(ruleset).decode_stored(last)), Refusal)
    return {choice.type for choice in judgement.choices(history.game)}


@every_game
def test_choices__after_the_end_a_note_and_setting_aside_are_offered(ruleset: str) -> None:
    assert left(ruleset, b'{"type":"finish","reason":"late"}') == {"note", "set_aside"}


@every_game
def test_choices__once_set_aside_only_a_note_is_offered(ruleset: str) -> None:
    assert left(ruleset, b'{"type":"set_aside","reason":"a trial"}') == {"note"}
