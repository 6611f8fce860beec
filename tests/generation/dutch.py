"""Random true games of Dutch: records of `carnet check` with the expected answer.

A game is several real deals (`dutch_deal`) as a recorder writes them, with results as short cuts,
corrections and annulled deals; it stops at the end of the game or earlier. The expected answer is
computed independently of `domain` (`game_log`).
"""

from dataclasses import dataclass
from random import Random

from tests.generation.dutch_deal import RealDeal
from tests.generation.dutch_table import score
from tests.generation.dutch_watched import Entry, Habits, Happened, Script
from tests.generation.game_log import Effect, GameLog, Standing
from tests.generation.mending import forgetful, insert_corrections

PROFILES = {
    "hidden hands": Habits(),
    "open hands": Habits(given=0.9, told=0.7),
    "partly open": Habits(given=0.5, told=0.3, unsure=0.05),
    "unsure": Habits(unsure=0.3, given=0.2),
    "unruly": Habits(breach=0.25, mistake=0.2),
    "unruly and unsure": Habits(breach=0.2, unsure=0.15, given=0.2, mistake=0.3, odd_waive=0.1),
    "mistaken": Habits(mistake=0.9, call=0.02, snap=0.3),
    "long": Habits(call=0.01, snap=0.1, given=0.2, unsure=0.02),
    "ranks alone": Habits(rank=0.5, given=0.3, told=0.4, mistake=0.2),
    "ranks alone, unruly and unsure": Habits(rank=0.4, unsure=0.2, breach=0.2, told=0.3),
    "snapping": Habits(snap=1.0, call=0.01, given=0.3),
}
OPEN, HIDDEN = "open hands", "hidden hands"
TIMED = ("hidden hands", "unsure", "long")
# A look shows cards to one player; the slots are face down for all.
PRIVATE = {"look": "cards", "draw": "card", "peek": "card"}
HAND_SEEN = False
ALIKE = "SC"  # the red kings have values of their own
WORDS = ("le thé est prêt", "mal distribué", "il est tard")


@dataclass
class DutchLog(GameLog):
    """A log that also ends after a number of deals (`dutch.win`)."""

    points_end: int | None = None
    deals_end: int | None = None

    def after(self, now: Standing, effect: Effect) -> Standing:
        enough = self.deals_end is not None and len(now.deals) + 1 >= self.deals_end
        self.target = -(10**9) if enough else self.points_end or 10**9
        return super().after(now, effect)


class Recorder:
    """Writes one game. `record` is an input of `carnet check` with `expect`."""

    def __init__(self, chance: Random, habits: Habits, mends: Random | None = None) -> None:
        self.chance, self.habits, self.mends = chance, habits, mends
        self.seats = chance.choice([2, 2, 3, 3, 4, 5, 6, 7, 8])
        self.options: Entry = {
            "target": chance.choice([None, 20, 60, 100, 100]),
            "deals": chance.choice([None, None, 1, 2, 3]),
            "red_kings": chance.choice(["hearts", "both"]) if self.seats > 4 else "hearts",
            "penalty": chance.choice([1, 1, 2, 3, 4]),
            "call": chance.choice(["turn", "turn", "any"]),
            "tie": chance.choice(["caller", "others"]),
        }
        self.game = DutchLog(
            self.seats, 0, points_end=self.options["target"], deals_end=self.options["deals"]
        )
        self.game.forgets = forgetful(mends)

    def often(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.chance.random() < share

    def record(self) -> Entry:
        for _ in range(self.chance.choice([1, 1, 2, 3])):
            if self.game.now.over:
                break
            self.one_deal()
            self.between_deals()
        if self.often(0.1) and not self.game.now.over:
            self.game.say({"type": "finish", "reason": self.word()}, Effect(finishes=True))
        insert_corrections(self.mends, self.game)
        return {
            "ruleset": "dutch",
            "options": self.options,
            "seats": self.seats,
            "log": self.game.log,
            "expect": self.game.expected(52),
        }

    def word(self) -> str:
        return self.chance.choice(WORDS)

    def between_deals(self) -> None:
        """Remark, adjust, or take back a whole deal and more."""
        if self.often(0.1):
            self.game.say({"type": "note", "text": self.word()}, Effect(remark=True))
        if self.often(0.1) and not self.game.now.over:
            seat, points = self.chance.randrange(self.seats), self.chance.randint(-9, 9)
            entry = {"type": "adjust", "seat": seat, "points": points, "reason": self.word()}
            self.game.say(entry, Effect(awarded=(seat, points)))
        if self.often(0.1):
            self.game.take_back(self.chance.choice(self.game.standing_versions))
            if self.game.now.table is not None:
                self.game.say({"type": "void", "reason": self.word()}, Effect())

    def one_deal(self) -> None:
        """Write a deal card by card, in short, or partly so."""
        due = self.game.now.dealer_next
        dealer = self.chance.randrange(self.seats) if due is None else due
        breaks = due is not None and self.often(self.habits.breach)
        if breaks:
            dealer = (dealer + self.chance.randrange(1, self.seats)) % self.seats
        deal = RealDeal(self.chance, self.options, self.seats, dealer, self.habits)
        if self.often(0.12):
            self.short(
                deal.in_short(), dealer if breaks or self.often(0.4) else None, breaks=breaks
            )
            return
        script = deal.run()
        whole = len(script.happened)
        end = self.chance.randrange(1, whole + 1) if self.often(0.3) else whole
        if self.card_by_card(script, end, breaks=breaks) and end < whole:
            self.cut_short(script.happened[end - 1], dealer)

    def card_by_card(self, script: Script, end: int, *, breaks: bool) -> bool:
        """Write the first `end` entries of a deal; return whether it is still open."""
        for place, happened in enumerate(script.happened[:end]):
            entry = happened.entry
            if place == 0 and breaks:
                entry = {**entry, "waive": [*entry.get("waive", []), "table.dealer"]}
            if place + 1 == len(script.happened):
                self.game.say(entry, Effect(deal=script.points, rotates=True))
                return False
            dealer = script.dealer if place == 0 else None
            table = (happened.to_act, happened.counts, happened.stock)
            effect = Effect(dealer=dealer, table=table)
            version = self.game.say(entry, effect)
            if place and self.often(0.01):
                self.write_again(version, entry, effect)
        return True

    def write_again(self, version: int, entry: Entry, effect: Effect) -> None:
        """Take the entry just written back and write it again, or amend it into itself."""
        if self.often(0.5):
            self.game.take_back(self.game.standing_versions[-2])
            self.game.say(entry, effect)
        else:
            self.game.amend(version, entry, effect)

    def cut_short(self, happened: Happened, dealer: int) -> None:
        """End a deal in progress by its result, annul it, finish or leave it."""
        way = self.chance.random()
        if way < 0.6:
            self.short(happened.result, dealer if self.often(0.3) else None, breaks=False)
        elif way < 0.75:
            self.game.say({"type": "void", "reason": self.word()}, Effect())
        elif way < 0.85:
            self.game.say({"type": "finish", "reason": self.word()}, Effect(finishes=True))
        else:
            self.game.take_back(1)

    def short(self, result: Entry, dealer: int | None, *, breaks: bool) -> None:
        """Write a deal's result in its place or to end it."""
        entry: Entry = {**result, **({} if dealer is None else {"dealer": dealer})}
        if breaks:
            entry["waive"] = ["table.dealer"]
        points = score(
            tuple(entry["totals"]), entry["caller"], entry["counter"], self.options["tie"]
        )
        self.game.say(entry, Effect(deal=tuple(points), dealer=dealer, rotates=True))


def true_game(seed: int, habits: Habits, *, mended: bool = False) -> Entry:
    mends = Random(seed) if mended else None  # noqa: S311 games, not secrets
    return Recorder(Random(seed), habits, mends).record()  # noqa: S311 the same game for the same seed
