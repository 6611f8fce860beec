"""A generator of true games for a game that only defines how a real deal is played.

It writes deals card by card, as results, cut short or annulled, with notes, corrections and
splices.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.generation.game_log import NOTE, Effect, Entry, GameLog
from tests.generation.mending import forgetful, insert_corrections


@dataclass(frozen=True)
class Happened:
    """An entry, and the table after it: seats to act, cards in hand, cards in the stock."""

    entry: Entry
    to_act: tuple[int, ...]
    counts: tuple[int, ...]
    stock: int


@dataclass(frozen=True)
class RealDeal:
    """The events of a real deal; `result`: the entry that summarises it."""

    happened: list[Happened]
    points: tuple[int, ...]
    result: Entry


@dataclass(frozen=True)
class Table:
    """What a deal is played under; everybody sees the hands of the seats `given`.

    `deals`: how many deals were scored before this one.
    """

    options: Entry
    seats: int
    dealer: int = 0
    given: tuple[int, ...] = ()
    deals: int = 0


@dataclass(frozen=True)
class Habits:
    """How a table records: shares of hands shown, deals in short, deals cut short, taken back."""

    given: float = 0.3
    short: float = 0.2
    cut: float = 0.2
    back: float = 0.1


PROFILES = {
    "plain": Habits(),
    "open": Habits(given=1.0, short=0.0, cut=0.1),
    "hidden": Habits(given=0.0, short=0.0),
    "unruly": Habits(short=0.6, cut=0.6, back=0.4),
}


@dataclass(frozen=True)
class Maker:
    """Makes true games of a game; `play` plays one real deal."""

    ruleset: str
    seats: range
    pack: Callable[[int], int]  # the size of the pack, by seats
    options: Callable[[Random, int], Entry]
    target: Callable[[Entry], int]
    play: Callable[[Random, Table], RealDeal]

    def true_game(self, seed: int, habits: Habits, *, mended: bool = False) -> Entry:
        """Return the record of a true game; `mended`: with splices, and perhaps set aside."""
        chance = Random(seed)  # noqa: S311 games, not secrets
        mends = Random(seed) if mended else None  # noqa: S311 games, not secrets
        seats = chance.choice(self.seats)
        options = self.options(chance, seats)
        game = GameLog(seats, self.target(options))
        game.forgets = forgetful(mends)
        for _ in range(chance.choice([1, 2, 3])):
            if not game.now.over:
                self._write(game, chance, options, habits)
        if not game.now.over and chance.random() < 0.2:
            game.say({"type": "finish", "reason": "tea"}, Effect(finishes=True))
        insert_corrections(mends, game)
        named = {"ruleset": self.ruleset, "options": options, "seats": seats}
        return {**named, "log": game.log, "expect": game.expected(self.pack(seats))}

    def _write(self, game: GameLog, chance: Random, options: Entry, habits: Habits) -> None:
        due = game.now.dealer_next
        dealer = chance.randrange(game.seats) if due is None else due
        given = tuple(seat for seat in range(game.seats) if chance.random() < habits.given)
        table = Table(options, game.seats, dealer, given, len(game.now.deals))
        real = self.play(chance, table)
        before = game.standing_versions[-1]
        ended = Effect(deal=real.points, rotates=True)
        if chance.random() < habits.short:
            short = Effect(deal=real.points, dealer=dealer, rotates=True)
            game.say({**real.result, "dealer": dealer}, short)
            return
        whole = len(real.happened)
        cut = chance.random() < habits.cut
        for place, one in enumerate(real.happened[: chance.randrange(1, whole) if cut else whole]):
            shown = (one.to_act, one.counts, one.stock)
            over = place + 1 == whole
            game.say(one.entry, ended if over else Effect(dealer=dealer, table=shown))
            if chance.random() < 0.02 and not over:
                game.say(NOTE, Effect(remark=True))
        if cut:
            ways: list[tuple[Entry, Effect]] = [
                (real.result, ended),
                ({"type": "void", "reason": "misdealt"}, Effect(dealer=dealer)),
            ]
            game.say(*chance.choice(ways))
        if not game.now.over and chance.random() < habits.back:
            game.take_back(before)


def hands_given(hands: list[list[str]], given: tuple[int, ...]) -> dict[str, Any]:
    """Return the field `hands` of a deal, empty if no hand was seen."""
    shown = [list(hand) if seat in given else None for seat, hand in enumerate(hands)]
    return {"hands": shown} if given else {}
