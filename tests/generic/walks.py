"""Games walked at random: at every point one of the entries that `choices` offers is entered."""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import islice, product
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import IntType, Metadata

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History, Line
from domain.table.judgement import situation
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game, Status
from schemas.catalogue import shapes
from schemas.entries import Entry
from schemas.strict_json import Malformed
from tests.generic.values import drawn, entry_fields, option_fields

Written = dict[str, Any]

SELDOM = {"result": 0.03, "void": 0.01, "adjust": 0.02, "note": 0.02}
NEVER = {"finish", "set_aside"}  # they end the walk
FILLED = 8  # times a free field is drawn, for an entry that is accepted
AWAITED = 0.8  # probability that a seat to act acts, if another seat may
LATER = 2**31 - 1


class Walk(Struct, frozen=True):
    """A random walk: the entries as written, and the resulting history."""

    ruleset: str
    options: Struct
    seats: int
    log: tuple[Written, ...]
    history: History

    @property
    def record(self) -> Written:
        """The walk as `carnet check` reads it."""
        of = shapes(self.ruleset)
        chosen = of.non_default_options(self.options, self.seats)
        return {
            "ruleset": self.ruleset,
            "options": msgspec.to_builtins(chosen),
            "seats": self.seats,
            "log": list(self.log),
        }


def walk(ruleset: str, seed: int, length: int) -> Walk:
    """Walk through a game until it is over, or for `length` entries."""
    chance = Random(f"{ruleset} {seed}")  # noqa: S311 games, not secrets
    options, seats = table(ruleset, chance)
    history = History(opening(ruleset, options, seats))
    log: list[Written] = []
    used = Counter[str]()
    while len(log) < length and history.game.status is Status.OPEN:
        last = len(log) == length - 1 and not history.game.deals
        written = (last and result(history.game, chance)) or step(history.game, chance, used)
        accept(history, decoded(ruleset, written))
        log.append(written)
        used[written["type"]] += 1
    return Walk(ruleset, options, seats, tuple(log), history)


def table(ruleset: str, chance: Random) -> tuple[Struct, int]:
    """Choose how many play, and about every other option; numbers stay as they are usually."""
    of = shapes(ruleset)
    while True:
        seats = chance.choice(of.seats)
        chosen: Written = {
            field.encode_name: drawn(field.type, chance, seats)
            for field in option_fields(ruleset)
            if field.required or (not _is_number(field.type) and chance.random() < 0.5)
        }
        decoded_options = of.decode_options(msgspec.json.encode(chosen))
        if isinstance(decoded_options, Malformed):
            continue
        settled = of.complete_options(decoded_options, seats)
        if not isinstance(settled, Malformed):
            return settled, seats


def _is_number(kind: object) -> bool:
    return isinstance(kind.type if isinstance(kind, Metadata) else kind, IntType)


def step(game: Game, chance: Random, used: Counter[str]) -> Written:
    """Choose an entry that is offered; where a field is free, one that is accepted too.

    `used`: how often each type was chosen so far.
    """
    choices = judgement.choices(game)
    for kind in _kinds(game, choices, chance, used):
        if kind == "result" and (written_result := result(game, chance)):
            return written_result
        choice = chance.choice([one for one in choices if one.type == kind])
        for _ in range(FILLED if free(choice) else 1):
            written = filled(game, choice, chance)
            entry = submitted(game.rules.name, written)
            if entry is not None and judgement.refuse(game, entry, LATER) is None:
                return written
            assert free(choice), f"{written} is offered and refused"
    raise AssertionError(
        f"{game.rules.name}: none of the entries that choices offers is accepted: {choices}"
    )


def result(game: Game, chance: Random) -> Written | None:
    """Return a legal result, if the generator of true games has `result`.

    Random numbers seldom fit: the deal is played to its end, and `result` takes its points.
    """
    of_points = getattr(import_module(f"tests.generation.{game.rules.name}"), "result", None)
    points = _play_on(game, chance) if of_points else None
    if of_points is None or points is None:
        return None
    written: Written = of_points(list(points))
    entry = submitted(game.rules.name, written)
    legal = entry is not None and judgement.refuse(game, entry, LATER) is None
    return written if legal else None


def _play_on(game: Game, chance: Random) -> tuple[int, ...] | None:
    """Play a deal to its end by offered entries, without results; return its points."""
    aside = {"result", "void", "adjust", "note", *NEVER}
    for version in range(LATER - 1000, LATER):
        if game.outcome is not None:
            return game.outcome.points
        choices = [one for one in judgement.choices(game) if one.type not in aside]
        if not choices:
            return None
        entry = submitted(game.rules.name, filled(game, chance.choice(choices), chance))
        judged = judgement.judge(game, entry, version) if entry is not None else game
        game = game if isinstance(judged, Refusal) else judged
    return None


def _kinds(game: Game, choices: Sequence[Choice], chance: Random, used: Counter[str]) -> list[str]:
    to_act = situation(game).to_act
    awaited = {one.type for one in choices if one.seat in to_act}
    seldom = [kind for kind, share in SELDOM.items() if chance.random() < share]
    there = sorted({one.type for one in choices} - NEVER)
    there.sort(key=lambda kind: used[kind] * chance.random())
    if chance.random() < AWAITED:
        there.sort(key=lambda kind: kind not in awaited)
    often = [kind for kind in there if kind not in SELDOM]
    return [*(kind for kind in seldom if kind in there), *often, *there]


def free(choice: Choice) -> bool:
    return not all(isinstance(values, tuple) for values in choice.fields.values())


def filled(game: Game, choice: Choice, chance: Random) -> Written:
    """Fill a choice; free fields are left out where they may be, and else drawn by their shape."""
    written = named(choice)
    for name, values in choice.fields.items():
        if isinstance(values, tuple):
            written[name] = msgspec.to_builtins(chance.choice(values))
        elif not values.get("optional"):
            field = entry_fields(game.rules.name)[choice.type][name]
            written[name] = drawn(field.type, chance, game.seats, values.get("count"))
    return written


def named(choice: Choice) -> Written:
    if choice.seat is None:
        return {"type": choice.type}
    return {"type": choice.type, "seat": choice.seat}


def listed(choice: Choice, most: int, chance: Random) -> Iterator[Written]:
    """Yield the entries of a choice without free fields: all, or at most `most` at random."""
    fields = {name: found for name, found in choice.fields.items() if isinstance(found, tuple)}
    size = 1
    for values in fields.values():
        size *= len(values)
    if size <= most:
        combinations: Iterator[tuple[Any, ...]] = product(*fields.values())
    else:
        one = (tuple(map(chance.choice, fields.values())) for _ in range(most))
        combinations = islice(one, most)
    for combination in combinations:
        values = msgspec.to_builtins(combination)
        yield named(choice) | dict(zip(fields, values, strict=True))


def submitted(ruleset: str, written: Written) -> Entry | None:
    """Decode an entry as a stranger would send it; None where it is malformed."""
    found = shapes(ruleset).decode_submitted(msgspec.json.encode([written]))
    return None if isinstance(found, Malformed) else found[0]


def decoded(ruleset: str, written: Written) -> Entry:
    entry = submitted(ruleset, written)
    assert entry is not None, written
    return entry


def accept(history: History, entry: Entry) -> tuple[Line, ...]:
    """Append an entry that must be accepted; return the stored lines."""
    judged = history.judge(entry)
    assert not isinstance(judged, Refusal), f"expected {entry} to be accepted, got {judged}"
    return judged


def picture(game: Game) -> Written:
    """Return everything visible of a game; different games have different pictures."""
    seen = situation(game)
    return {
        "situation": msgspec.to_builtins(seen),
        "choices": msgspec.to_builtins(judgement.choices(game)),
        "totals": game.totals,
        "deals": [*game.deals],
        "details": msgspec.to_builtins([*game.details]),
        "dealer": game.dealer,
        "status": game.status.value,
    }
