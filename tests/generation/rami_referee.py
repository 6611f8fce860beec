"""Is a log of one deal of Rami legal? By the rule text and by counting cards.

Written apart from `domain`. Where everything unseen was never seen, its cards are alike: a card can
be played if it is known in the hand, or if the hand has an unseen one and a copy is left. An entry
marked unsure leaves several ways; all of them are followed (`World`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from tests.generation.rami_cards import (
    SUITS,
    held,
    in_hand,
    is_combination,
    is_run,
    is_set,
    pack,
    worth,
)
from tests.generation.refereed import Clauses, NobodyKnows


def grown(there: Sequence[str], cards: Sequence[str], end: str) -> list[str] | None:
    """Return a combination with more cards; None if they do not fit (`rami.add`).

    `end` decides for a card that fits both ends.
    """
    if is_set(list(there)):
        return _larger_set([*there, *cards])
    found = list(_longer_runs(list(there), list(cards), end)) if is_run(list(there)) else []
    return found[0] if found else None


def _larger_set(cards: list[str]) -> list[str] | None:
    suits = [suit for suit in SUITS if suit not in {card[1] for card in cards}]
    opened = [card for card in cards[:3] if card[1] == "?"]
    if opened and len(cards) == 4 and len(suits) == 1:
        cards = [f"{one[0]}{suits[0]}*" if one in opened else one for one in cards]
    return cards if is_set(cards) else None


def _longer_runs(there: list[str], cards: list[str], end: str) -> Iterator[list[str]]:
    if not cards:
        yield there
    for place, card in enumerate(cards):
        rest = cards[:place] + cards[place + 1 :]
        ends = {"low": [card, *there], "high": [*there, card]}
        for way in (end, "low" if end == "high" else "high"):
            if is_run(ends[way]):
                yield from _longer_runs(ends[way], rest, end)


def swapped(there: Sequence[str], card: str) -> list[str]:
    """Return a combination with a card where its joker was; empty if it may not (`rami.swap`)."""
    at = next(place for place, one in enumerate(there) if one.endswith("*"))
    joker = there[at]
    missing = joker[1] == "?" and card[:1] == joker[0] and card[1] not in {o[1] for o in there}
    if not (missing or card == joker[:2]):
        return []
    return [*there[:at], card, *there[at + 1 :]]


STEPS_MAX = 20_000
Shares = tuple[tuple[int, int], ...]


def can_be_worth(left: Counter[int], shares: Sequence[tuple[int, int]]) -> bool:
    """Return whether the cards left can be split into hands of given sizes and values.

    `left`: the number of cards by value; `shares`: size and value of each hand.

    Raises:
        NobodyKnows: there are too many ways to try.

    """
    values = sorted((value for value, count in left.items() if count), reverse=True)
    steps = 0

    @lru_cache(None)
    def rest(place: int, wanted: Shares) -> bool:
        nonlocal steps
        steps += 1
        if steps > STEPS_MAX:
            raise NobodyKnows
        if not any(count for count, _ in wanted):
            return not any(points for _, points in wanted)
        if place == len(values):
            return False
        value = values[place]
        return any(rest(place + 1, after) for after in _given(value, left[value], wanted))

    return rest(0, tuple(sorted(shares)))


def _given(value: int, count: int, wanted: Shares) -> Iterator[Shares]:
    if not wanted:
        yield ()
        return
    (cards, points), *others = wanted
    for some in range(min(count, cards) + 1):
        if some * value > points:
            return
        for after in _given(value, count - some, tuple(others)):
            yield ((cards - some, points - some * value), *after)


Entry = dict[str, Any]
LEGAL: Clauses = frozenset()
CARDS = frozenset({"cards.seen", "cards.held", "cards.impossible"})
LAYING = frozenset(
    {"rami.meld-size", "rami.set", "rami.run", "rami.one-joker", "rami.joker-is", "rami.add"}
)
COPIES = Counter(pack())
WORLDS_MAX = 200
EACH = 13


@dataclass(frozen=True)
class World:
    """A possible state: per seat known cards and the number of unseen ones; the pile, None unseen.

    `seen` counts the cards whose place is known; `shares`: unseen cards of a hand and their total.
    """

    known: tuple[tuple[str, ...], ...]
    unseen: tuple[int, ...]
    pile: tuple[str | None, ...]
    seen: tuple[tuple[str, int], ...]
    shares: tuple[tuple[int, int], ...] = ()

    def hand(self, seat: int, known: Sequence[str], unseen: int, *new: str) -> "World | None":
        """Replace a hand; `new` are cards seen for the first time. None if a copy is lacking."""
        seen = Counter(dict(self.seen))
        seen.update(new)
        if unseen < 0 or any(seen[card] > COPIES[card] for card in new):
            return None
        hands, counts = list(self.known), list(self.unseen)
        hands[seat], counts[seat] = tuple(sorted(known)), unseen
        told = tuple(sorted(seen.items()))
        return replace(self, known=tuple(hands), unseen=tuple(counts), seen=told)

    def laid(self, seat: int, cards: Sequence[str]) -> "World | None":
        world: World | None = self
        for card in cards:
            if world is None:
                return None
            known = list(world.known[seat])
            if card in known:
                known.remove(card)
                world = world.hand(seat, known, world.unseen[seat])
            else:
                world = world.hand(seat, known, world.unseen[seat] - 1, card)
        return world

    def left(self, values: Mapping[str, int]) -> Counter[int]:
        seen, found = dict(self.seen), Counter[int]()
        for card, copies in COPIES.items():
            found[values[card]] += copies - seen.get(card, 0)
        return found


def same(worlds: Iterator[World | None]) -> list[World]:
    """Keep the ways there are, each once.

    Raises:
        NobodyKnows: they are too many.

    """
    found = list(dict.fromkeys(one for one in worlds if one is not None))
    if len(found) > WORLDS_MAX:
        raise NobodyKnows
    return found


@dataclass
class Turn:
    """The public state of a turn: whether a card was drawn, and what must still be melded."""

    seat: int
    drawn: bool = False
    taken: str | None = None  # the card taken, until one alike is laid
    jokers: int = 0  # won, not yet laid


@dataclass
class Board:
    counts: list[int]
    turn: Turn
    pile: list[str]  # as named
    stock: int
    opened: list[bool]
    melds: list[list[str]] = field(default_factory=list[list[str]])
    winner: int | None = None
    counting: list[int] = field(default_factory=list[int])


class Referee:
    def __init__(self, options: Entry, seats: int) -> None:
        """`options` are complete."""
        self.options, self.seats = options, seats
        self.values = {card: in_hand(card, options["joker_in_hand"]) for card in COPIES}
        self.board: Board | None = None
        self.worlds: list[World] = []
        self.over = False

    def copy(self) -> "Referee":
        return deepcopy(self)

    def is_the_reason(self, index: int, rule: str) -> bool:  # noqa: ARG002 it does not remember
        return True

    def judge(self, entry: Entry) -> Clauses:
        """Return the clauses an entry breaks; without any, apply it."""
        board, kind = self.board, entry["type"]
        if kind == "deal" and board is None:
            return self.deal(entry)
        if kind == "deal" and self.over:
            raise NobodyKnows
        if board is None or self.over or kind == "deal":
            return frozenset({"table.phase"})
        if kind == "count":
            return self.count(board, entry)
        broken = self.turn(board, entry)
        judges: Mapping[str, Callable[[Board, Entry], Clauses]] = {
            "draw": self.draw,
            "take": self.take,
            "meld": self.meld,
            "add": self.add,
            "swap_joker": self.swap,
            "discard": self.discard,
        }
        return broken or judges[kind](board, entry)

    def keep(self, entry: Entry, sure: list[World], doubted: Callable[[], list[World]]) -> Clauses:
        """Continue with the worlds an entry leaves; if it is unsure, with those of the doubt."""
        if not sure:
            return CARDS
        self.worlds = doubted() if entry.get("unsure") else sure
        return LEGAL

    def deal(self, entry: Entry) -> Clauses:
        given: list[list[str] | None] = entry.get("hands") or [None] * self.seats
        shown = [entry["up"], *(card for hand in given for card in hand or ())]
        twice = [hand for hand in given if hand and any((Counter(hand) - COPIES).values())]
        if Counter(shown) - COPIES:
            return CARDS | frozenset({"cards.count"} if twice else ())
        if entry.get("unsure"):
            shown = shown[1:]
        self.worlds = [
            World(
                tuple(tuple(sorted(hand or ())) for hand in given),
                tuple(0 if hand else EACH for hand in given),
                (None if entry.get("unsure") else entry["up"],),
                tuple(sorted(Counter(shown).items())),
            )
        ]
        begins = Turn((entry["dealer"] + 1) % self.seats)
        stock = sum(COPIES.values()) - EACH * self.seats - 1
        counts, opened = [EACH] * self.seats, [False] * self.seats
        self.board = Board(counts, begins, [entry["up"]], stock, opened)
        return LEGAL

    def turn(self, board: Board, entry: Entry) -> Clauses:
        """`rami.draw-first`, and whose turn it is."""
        turn = board.turn
        if board.winner is not None:
            return frozenset({"table.phase"})
        if entry["seat"] != turn.seat:
            return frozenset({"table.turn"})
        if turn.drawn == (entry["type"] in {"draw", "take"}):
            return frozenset({"rami.draw-first"})
        return LEGAL

    def draw(self, board: Board, entry: Entry) -> Clauses:
        if not board.stock:
            raise NobodyKnows
        seat: int = entry["seat"]
        card: str | None = entry.get("card")
        unseen = same(one.hand(seat, one.known[seat], one.unseen[seat] + 1) for one in self.worlds)
        sure = unseen
        if card is not None:
            sure = same(
                one.hand(seat, (*one.known[seat], card), one.unseen[seat], card)
                for one in self.worlds
            )
        broken = self.keep(entry, sure, lambda: unseen)
        if not broken:
            board.stock -= 1
            board.counts[seat] += 1
            board.turn.drawn = True
        return broken

    def take(self, board: Board, entry: Entry) -> Clauses:
        if not board.pile:
            return frozenset({"rami.stock-empty"})
        seat = entry["seat"]
        self.worlds = same(_took(one, seat) for one in self.worlds)
        board.turn.drawn, board.turn.taken = True, board.pile.pop()
        board.counts[seat] += 1
        return LEGAL

    def unable(self, board: Board, seat: int, cards: Sequence[str]) -> Clauses:
        names = [held(card) for card in cards]
        if len(names) > board.counts[seat]:
            return CARDS | {"cards.count"}
        return LEGAL if same(one.laid(seat, names) for one in self.worlds) else CARDS

    def lay(self, board: Board, entry: Entry, cards: Sequence[str]) -> None:
        if entry.get("unsure"):
            raise NobodyKnows
        seat, names, turn = entry["seat"], [held(card) for card in cards], board.turn
        self.worlds = same(one.laid(seat, names) for one in self.worlds)
        for name in names:
            if name == turn.taken:
                turn.taken = None
            elif name == "XX" and turn.jokers:
                turn.jokers -= 1
        board.counts[seat] -= len(names)

    def meld(self, board: Board, entry: Entry) -> Clauses:
        """Lay combinations, a first time or again."""
        melds: list[list[str]] = entry["melds"]
        seat, cards = entry["seat"], [card for one in melds for card in one]
        broken = self.unable(board, seat, cards)
        if not all(map(is_combination, melds)):
            broken |= LAYING
        elif not board.opened[seat]:
            broken |= self.opening(melds)
        if not broken:
            self.lay(board, entry, cards)
            board.opened[seat] = True
            board.melds += [list(one) for one in melds]
            self.go_out(board, seat)
        return broken

    def opening(self, melds: Sequence[list[str]]) -> Clauses:
        """`rami.opening`, `rami.opening-run`."""
        pure = self.options["pure_run"] == "no_joker"
        run = any(is_run(one) and not (pure and "*" in "".join(one)) for one in melds)
        enough = sum(map(worth, melds)) >= self.options["opening"]
        lacking = {"rami.opening": enough, "rami.opening-run": run}
        return frozenset(clause for clause, met in lacking.items() if not met)

    def add(self, board: Board, entry: Entry) -> Clauses:
        seat, number = entry["seat"], int(entry["meld"])
        broken = self.unable(board, seat, entry["cards"])
        if not board.opened[seat]:
            broken |= {"rami.opened-first"}
        if not 1 <= number <= len(board.melds):
            return broken | {"rami.meld-number"}
        more = grown(board.melds[number - 1], entry["cards"], entry.get("end", "high"))
        if more is None:
            return broken | LAYING
        if not broken:
            self.lay(board, entry, entry["cards"])
            board.melds[number - 1] = more
            self.go_out(board, seat)
        return broken

    def swap(self, board: Board, entry: Entry) -> Clauses:
        seat, number = int(entry["seat"]), int(entry["meld"])
        card: str = entry["card"]
        broken = self.unable(board, seat, [card])
        if not board.opened[seat]:
            broken |= {"rami.opened-first"}
        melds = board.melds
        if not 1 <= number <= len(melds) or "*" not in "".join(melds[number - 1]):
            return broken | {"rami.meld-number"}
        after = swapped(melds[number - 1], card)
        if not after:
            return broken | {"rami.swap"}
        if not broken:
            self.lay(board, entry, [card])
            melds[number - 1] = after
            board.turn.jokers += 1
            board.counts[seat] += 1  # the joker: it was seen before, and is now known in the hand
            self.worlds = same(
                one.hand(seat, (*one.known[seat], "XX"), one.unseen[seat]) for one in self.worlds
            )
        return broken

    def discard(self, board: Board, entry: Entry) -> Clauses:
        seat: int = entry["seat"]
        card: str = entry["card"]
        turn = board.turn
        owed = {"rami.take-use": turn.taken is not None, "rami.swap-use": turn.jokers > 0}
        broken = frozenset(clause for clause, due in owed.items() if due)
        broken |= self.unable(board, seat, [card])
        if broken:
            return broken
        before = self.worlds
        self.worlds = same(_threw(one, seat, card) for one in before)
        if entry.get("unsure"):
            self.worlds = same(way for one in before for way in _any_thrown(one, seat))
        board.counts[seat] -= 1
        board.pile.append(card)
        board.turn = Turn((seat + 1) % self.seats)
        self.go_out(board, seat)
        return LEGAL

    def go_out(self, board: Board, seat: int) -> None:
        """End play if a hand is empty; determine the losers to count."""
        if not board.counts[seat]:
            board.winner = seat
            losers = [one for one in range(self.seats) if one != seat]
            board.counting = [one for one in losers if board.opened[one]]
            self.over = not board.counting

    def count(self, board: Board, entry: Entry) -> Clauses:
        """Count the hand of a loser, by its cards or points."""
        seat: int = entry["seat"]
        cards: list[str] | None = entry.get("cards")
        if board.winner is None:
            return frozenset({"table.phase"})
        if seat not in board.counting:
            return frozenset({"table.turn"})
        if cards is not None and len(cards) != board.counts[seat]:
            return frozenset({"cards.count"})
        if cards is None:
            sure = same(self.worth(one, seat, entry["points"]) for one in self.worlds)
        else:
            sure = same(self.with_cards(one, seat, cards) for one in self.worlds)
        broken = self.keep(entry, sure, lambda: self.worlds)
        if not broken:
            board.counting.remove(seat)
            self.over = not board.counting
        elif Counter[str](cards or ()) - COPIES:
            broken |= {"cards.count"}
        return broken

    def with_cards(self, world: World, seat: int, cards: Sequence[str]) -> World | None:
        new = Counter(cards)
        new.subtract(world.known[seat])
        if min(new.values(), default=0) < 0:
            return None
        after = world.hand(seat, cards, 0, *new.elements())
        fits = after and can_be_worth(after.left(self.values), after.shares)
        return after if fits else None

    def worth(self, world: World, seat: int, points: int) -> World | None:
        rest = points - sum(self.values[card] for card in world.known[seat])
        shares = (*world.shares, (world.unseen[seat], rest))
        fits = can_be_worth(world.left(self.values), shares)
        return replace(world, shares=shares) if fits else None


def _took(world: World, seat: int) -> World | None:
    top, known = world.pile[-1], world.known[seat]
    world = replace(world, pile=world.pile[:-1])
    if top is None:
        return world.hand(seat, known, world.unseen[seat] + 1)
    return world.hand(seat, (*known, top), world.unseen[seat])


def _threw(world: World, seat: int, card: str) -> World | None:
    after = world.laid(seat, [card])
    return after and replace(after, pile=(*world.pile, card))


def _any_thrown(world: World, seat: int) -> Iterator[World | None]:
    for card in set(world.known[seat]):
        yield _threw(world, seat, card)
    after = world.hand(seat, world.known[seat], world.unseen[seat] - 1)
    yield after and replace(after, pile=(*world.pile, None))
