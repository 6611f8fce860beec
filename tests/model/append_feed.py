"""Append, sequencer and takeover as a state machine, and every state that it can reach.

`AppendFeed.tla` beside it is the same machine for TLC, step by step and invariant by invariant. A
state is a value; `steps` are all that may happen next; `explored` looks at each state once.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

_T = TypeVar("_T")

Fault = Literal["none", "no game lock", "no feed lock", "early position", "early ack"]

GAME_OF = (1, 1, 2)  # of each command; each has a writer of its own
COMMANDS = range(len(GAME_OF))
SEQUENCERS = range(2)
_HOLDING = frozenset({"check", "write", "commit"})


class State(Struct, frozen=True):
    """A moment. Indices are of commands and sequencers; names as in `AppendFeed.tla`.

    `log`: (command, version) by commit; `feed`, `seen`: (position, command). `crashes`: how many
    more there may be.
    """

    pc: tuple[str, ...] = ("see",) * len(GAME_OF)
    expected: tuple[int, ...] = (0,) * len(GAME_OF)
    early: tuple[int, ...] = (0,) * len(GAME_OF)
    log: tuple[tuple[int, int], ...] = ()
    acked: frozenset[int] = frozenset()
    snapshot: tuple[tuple[int, ...] | None, ...] = (None,) * len(SEQUENCERS)
    feed: frozenset[tuple[int, int]] = frozenset()
    given: int = 0
    seen: tuple[tuple[int, int], ...] = ()
    crashes: int = 0

    @property
    def place(self) -> int:
        return self.seen[-1][0] if self.seen else 0

    def version(self, game: int) -> int:
        return sum(GAME_OF[command] == game for command, _ in self.log)

    def stored(self, command: int) -> bool:
        return any(one == command for one, _ in self.log)


def steps(now: State, fault: Fault) -> Iterator[State]:
    for command in COMMANDS:
        yield from _writer(now, fault, command)
    for sequencer in SEQUENCERS:
        yield from _sequencer(now, fault, sequencer)
    beyond = sorted(one for one in now.feed if one[0] > now.place)
    if beyond:
        yield replace(now, seen=(*now.seen, beyond[0]))


def _writer(now: State, fault: Fault, command: int) -> Iterator[State]:
    def to(where: str, **more: object) -> State:
        return replace(now, pc=_with(now.pc, command, where), **more)

    game, at = GAME_OF[command], now.pc[command]
    match at:
        case "see":
            seen = _with(now.expected, command, now.version(game))
            yield to("begin", expected=seen)
        case "begin":
            held = any(now.pc[one] in _HOLDING for one in COMMANDS if GAME_OF[one] == game)
            if not held or fault == "no game lock":
                yield to("check")
        case "check":
            current = now.version(game) == now.expected[command]
            yield to("ack" if now.stored(command) else "write" if current else "see")
        case "write":
            acked = now.acked | {command} if fault == "early ack" else now.acked
            taken = fault == "early position"
            early = _with(now.early, command, now.given + 1) if taken else now.early
            yield to("commit", acked=acked, early=early, given=now.given + taken)
        case "commit":
            position = now.early[command]
            feed = now.feed | {(position, command)} if position else now.feed
            yield to("ack", log=(*now.log, (command, now.expected[command] + 1)), feed=feed)
        case "ack":
            yield to("done", acked=now.acked | {command})
        case _:
            return
    if at in _HOLDING | {"ack"} and now.crashes:
        early = _with(now.early, command, 0)
        again = "done" if command in now.acked else "begin"
        yield to(again, early=early, crashes=now.crashes - 1)


def _sequencer(now: State, fault: Fault, sequencer: int) -> Iterator[State]:
    found = now.snapshot[sequencer]
    if found is None:
        free = fault == "no feed lock" or all(one is None for one in now.snapshot)
        placed = {command for _, command in now.feed}
        unplaced = tuple(command for command, _ in now.log if command not in placed)
        if free and unplaced and fault != "early position":
            yield replace(now, snapshot=_with(now.snapshot, sequencer, unplaced))
        return
    over = replace(now, snapshot=_with(now.snapshot, sequencer, None))
    added = enumerate(found, now.given + 1)
    yield replace(over, feed=now.feed | {*added}, given=now.given + len(found))
    if now.crashes:
        yield replace(over, crashes=now.crashes - 1)


def _with(values: tuple[_T, ...], at: int, value: _T) -> tuple[_T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _versions_are_the_order(now: State) -> bool:
    counted = dict.fromkeys(GAME_OF, 0)
    for command, version in now.log:
        counted[GAME_OF[command]] += 1
        if version != counted[GAME_OF[command]]:
            return False
    return True


def _feed_keeps_the_order(now: State) -> bool:
    by_commit = {command: at for at, (command, _) in enumerate(now.log)}
    by_game = [
        [by_commit[command] for _, command in sorted(now.feed) if GAME_OF[command] == game]
        for game in {*GAME_OF}
    ]
    return all(commits == sorted(commits) for commits in by_game)


INVARIANTS: dict[str, Callable[[State], bool]] = {
    "AcknowledgedIsStored": lambda now: all(map(now.stored, now.acked)),
    "StoredOnce": lambda now: len({command for command, _ in now.log}) == len(now.log),
    "VersionsAreTheOrder": _versions_are_the_order,
    "FeedHasNoGap": lambda now: {at for at, _ in now.feed} == {*range(1, len(now.feed) + 1)},
    "FeedHoldsEachOnce": lambda now: len({one for _, one in now.feed}) == len(now.feed),
    "FeedKeepsTheOrder": _feed_keeps_the_order,
    "NobodyMisses": lambda now: all(one in now.seen for one in now.feed if one[0] <= now.place),
}


class Explored(Struct, frozen=True):
    states: int
    broken: frozenset[str]
    ends: tuple[State, ...]


def explored(fault: Fault, crashes: int) -> Explored:
    first = State(crashes=crashes)
    known, waiting = {first}, deque([first])
    broken: set[str] = set()
    ends: list[State] = []
    while waiting and not broken:
        now = waiting.popleft()
        broken |= {name for name, holds in INVARIANTS.items() if not holds(now)}
        following = {*steps(now, fault)}
        if not following:
            ends.append(now)
        waiting.extend(following - known)
        known |= following
    return Explored(len(known), frozenset(broken), tuple(ends))
