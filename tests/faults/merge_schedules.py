"""Generated schedules: several connections merge, undo, rename, forget and seat the same people.

The outcome of a schedule has to be one of its sequential ones. A model answers what those are.
"""

import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

Kind: TypeAlias = Literal["merge", "undo", "rename", "forget", "start", "restore"]

KINDS: tuple[Kind, ...] = (
    *("merge", "merge", "merge", "undo", "undo", "start", "start"),
    *("rename", "forget", "restore"),
)
THINGS = 4

_T = TypeVar("_T")


class Step(Struct, frozen=True):
    """What one connection asks for, of one or two things by number. `name`: a new one."""

    kind: Kind
    one: int
    other: int
    name: str


class State(Struct, frozen=True):
    """Names (None: forgotten), merges (None: not merged), and who sits in the games."""

    names: tuple[str | None, ...]
    into: tuple[int | None, ...]
    games: tuple[tuple[int, ...], ...] = ()

    def root(self, thing: int) -> int:
        up = self.into[thing]
        return thing if up is None else self.root(up)

    def visible(self) -> "State":
        """Return the state as people read it."""
        seated = sorted(tuple(map(self.root, game)) for game in self.games)
        return replace(self, games=tuple(seated))


Outcome: TypeAlias = tuple[State, list[list[str]]]


class World(Protocol):
    """The service. `run` answers as `follow`, or "conflict": nothing was stored."""

    async def run(self, step: Step) -> str: ...
    async def state(self) -> State: ...


def follow(state: State, step: Step, *, meet: bool) -> tuple[State, str]:
    """Do one step in the model. `meet`: two that were in one game cannot be merged."""
    one, other = step.one, step.other
    match step.kind:
        case "merge":
            return _merge(state, one, other, meet=meet, restoring=False)
        case "restore":
            merged, answer = _merge(state, one, other, meet=meet, restoring=True)
            return merged, answer if answer == "done" else "apart"
        case "undo":
            if state.into[one] is None:
                return state, "NotFound"
            return replace(state, into=_put(state.into, one, None)), "done"
        case "rename":
            root = state.root(one)
            if state.names[root] is None:
                return state, "NotFound"
            return replace(state, names=_put(state.names, root, step.name)), "done"
        case "forget":
            return _forgotten(state, one), "done"
        case "start":
            roots = [state.root(one), state.root(other)] if meet else [state.root(one)]
            if any(state.names[root] is None for root in roots):
                return state, "refused"
            if len({*roots}) < len(roots):
                return state, "refused"
            return replace(state, games=(*state.games, tuple(roots))), "done"


def _merge(state: State, one: int, other: int, *, meet: bool, restoring: bool) -> tuple[State, str]:
    unnamed = state.names[one] is None or state.names[other] is None
    if unnamed and not restoring:
        return state, "NotFound"
    root = state.root(other)
    if state.into[one] is not None:
        same = other in {state.into[one], state.root(one)}
        return state, "done" if same else "merged-already"
    if root == one:
        return state, "merged-already"
    if meet and any({one, root} <= {*map(state.root, game)} for game in state.games):
        return state, "SameGame"
    merged = replace(state, into=_put(state.into, one, other))
    return (_forgotten(merged, one) if unnamed else merged), "done"


def _forgotten(state: State, one: int) -> State:
    root = state.root(one)
    names = [None if state.root(n) == root else name for n, name in enumerate(state.names)]
    return replace(state, names=tuple(names))


def _put(values: tuple[_T, ...], at: int, value: _T) -> tuple[_T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def schedule(random: Random) -> list[list[Step]]:
    """Draw the steps of two or three connections, six at most."""
    return [
        [draw(random, KINDS) for _ in range(random.randint(1, 2))]
        for _ in range(random.randint(2, 3))
    ]


def draw(random: Random, kinds: Sequence[Kind]) -> Step:
    one, other = random.sample(range(THINGS), 2)
    return Step(random.choice(kinds), one, other, f"Name {random.getrandbits(64):x}")


def orders(schedule: Sequence[Sequence[Step]]) -> Iterator[list[tuple[int, Step]]]:
    """List every order of the steps of all connections."""
    numbers = [number for number, steps in enumerate(schedule) for _ in steps]
    for order in {*itertools.permutations(numbers)}:
        left = [iter(steps) for steps in schedule]
        yield [(number, next(left[number])) for number in order]


def outcomes(begin: State, schedule: Sequence[Sequence[Step]], *, meet: bool) -> list[Outcome]:
    """Return what people read after each order, and the answers to each connection."""
    found: list[Outcome] = []
    for order in orders(schedule):
        state = begin
        answers: list[list[str]] = [[] for _ in schedule]
        for number, step in order:
            state, answer = follow(state, step, meet=meet)
            answers[number].append(answer)
        found.append((state.visible(), answers))
    return found
