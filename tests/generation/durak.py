"""Random true games of Durak: records of `carnet check` with the expected answer.

A game is several real deals (`durak_play`) as a recorder writes them, with results as short cuts
and corrected mistakes; it stops at the end of the game or earlier. The expected answer is computed
independently of `domain` (`game_log`).
"""

from dataclasses import dataclass, replace
from random import Random

from tests.generation.durak_cards import Entry, table_rules
from tests.generation.durak_deal import Habits, RealDeal, Script
from tests.generation.durak_play import Played
from tests.generation.game_log import Effect, GameLog, Standing
from tests.generation.mending import forgetful, insert_corrections

WORDS = ("pari", "thé", "il est tard", "mal distribué", "noch einmal")
NEVER = 10**9


@dataclass
class DurakLog(GameLog):
    deals_max: int | None = None

    def after(self, now: Standing, effect: Effect) -> Standing:
        if effect.deal is None or now.over or self.deals_max != len(now.deals) + 1:
            return super().after(now, effect)
        total = [had + won for had, won in zip(now.totals, effect.deal, strict=True)]
        return replace(
            now,
            totals=tuple(total),
            deals=(*now.deals, effect.deal),
            over=True,
            dealer_next=effect.dealer,
            table=None,
            caused=(*now.caused, 2),
        )


class Recorder:
    """Writes one game. `record` is an input of `carnet check` with `expect`."""

    def __init__(self, chance: Random, habits: Habits, mends: Random | None = None) -> None:
        self.chance, self.habits, self.mends = chance, habits, mends
        self.seats = chance.choice([2, 3, 3, 4, 4, 5, 6])
        self.said, self.options = table_rules(chance, self.seats)
        self.game = DurakLog(self.seats, NEVER, deals_max=self.options["deals"])
        self.game.forgets = forgetful(mends)
        self.stopped = False
        self.last: tuple[list[list[int]], int | None] | None = None

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def word(self) -> str:
        return self.chance.choice(WORDS)

    def record(self) -> Entry:
        for _ in range(self.chance.choice([1, 1, 2, 3])):
            if self.game.now.over or self.stopped:
                break
            self.one_deal()
            self.remark(0.1)
        if self.often(0.15) and not self.game.now.over:
            self.game.say({"type": "finish", "reason": self.word()}, Effect(finishes=True))
            self.remark(0.5)
        insert_corrections(self.mends, self.game)
        return {
            "ruleset": "durak",
            "options": self.said,
            "seats": self.seats,
            "log": self.game.log,
            "expect": self.game.expected(36),
        }

    def remark(self, share: float) -> None:
        """Occasionally write a note, or an adjustment during the game."""
        if self.often(share):
            self.game.say({"type": "note", "text": self.word()}, Effect(remark=True))
        if self.often(share / 2) and not self.game.now.over:
            seat, points = self.chance.randrange(self.seats), self.chance.randint(-2, 2)
            entry = {"type": "adjust", "seat": seat, "points": points, "reason": "accord"}
            self.game.say(entry, Effect(awarded=(seat, points)))

    # --- one deal ---------------------------------------------------------------------------------

    def leader(self) -> int | None:
        """Return the leader of the next deal, None if the lowest trump decides."""
        places, durak = self.last or ([], None)
        if durak is None:
            return None
        if self.options["next_lead"] == "winner":
            return places[0][0]
        return (durak + (1 if self.options["next_lead"] == "spare" else -1)) % self.seats

    def one_deal(self) -> None:
        """Write a deal card by card, in short, or partly so; again after a `redeal`."""
        while True:
            dealer, waived = self.dealer()
            real = RealDeal(self.chance, self.options, self.seats, dealer, self.leader())
            script = Played(self.chance, real, self.habits).run()
            if script.places is not None and self.often(0.15):
                self.in_short(script, waived, begun=False)
                return
            if self.often(0.1):
                self.false_start(script, waived)
            end = len(script.happened)
            if self.often(0.3):
                end = self.chance.randrange(1, end + 1)
            if self.card_by_card(script, end, waived):
                if end < len(script.happened):
                    self.cut_short(script)
                else:
                    continue
            return

    def dealer(self) -> tuple[int, list[str]]:
        due = self.game.now.dealer_next
        if due is None:
            return self.chance.randrange(self.seats), []
        if self.often(self.habits.breach):
            other = self.chance.randrange(self.seats)
            return other, ["durak.dealer", "table.dealer"]
        return due, []

    def card_by_card(self, script: Script, end: int, waived: list[str]) -> bool:
        """Write the first `end` entries; return whether the deal is still open."""
        for place, happened in enumerate(script.happened[:end]):
            entry = happened.entry
            if place == 0 and waived:
                entry = {**entry, "waive": [*entry.get("waive", []), *waived]}
            effect = self.effect(script, place)
            before = self.game.standing_versions[-1]
            version = self.game.say(entry, effect)
            if place and effect.deal is None and self.often(0.02):
                self.game.take_back(before)
                version = self.game.say(entry, effect)
            if self.often(0.01):
                self.game.amend(version, {**entry, "at": "2024-05-01T20:00:00Z"}, effect)
            if effect.deal is not None:
                self.last = (script.places or [], script.durak)
                return False
            self.remark(0.01)
        return True

    def effect(self, script: Script, place: int) -> Effect:
        happened = script.happened[place]
        if place + 1 < len(script.happened):
            table = (happened.to_act, happened.counts, happened.stock)
            return Effect(dealer=script.dealer, table=table)
        if script.places is None:
            return Effect(dealer=script.dealer)
        return self.result_effect(script, script.dealer)

    def result_effect(self, script: Script, dealer: int | None) -> Effect:
        """Return the effect of the end of a deal: points and next dealer."""
        losers = {script.durak}
        if self.options["teams"] and script.durak is not None:
            losers.add((script.durak + 2) % 4)
        points = tuple(int(seat in losers) for seat in range(self.seats))
        following = script.durak
        if following is None and dealer is not None:
            following = (dealer + 1) % self.seats
        return Effect(deal=points, dealer=following)

    def false_start(self, script: Script, waived: list[str]) -> None:
        before = self.game.standing_versions[-1]
        self.card_by_card(script, self.chance.randrange(1, len(script.happened)), waived)
        self.game.take_back(before)

    def cut_short(self, script: Script) -> None:
        """End a deal in progress: by its result, by annulling it, or not at all."""
        way = self.chance.random()
        if way < 0.6 and script.places is not None:
            self.in_short(script, [], begun=True)
        elif way < 0.8:
            self.game.say({"type": "void", "reason": self.word()}, Effect(dealer=script.dealer))
        elif way < 0.9:
            self.game.say({"type": "finish", "reason": self.word()}, Effect(finishes=True))
        else:
            self.stopped = True

    def in_short(self, script: Script, waived: list[str], *, begun: bool) -> None:
        """Write a deal's result in its place or to end it."""
        entry: Entry = {"type": "result", "places": script.places, "durak": script.durak}
        due = self.game.now.dealer_next
        dealer = script.dealer if begun else due
        if waived or self.often(0.5):
            entry["dealer"] = dealer = script.dealer
        if waived:
            entry["waive"] = waived
        self.last = (script.places or [], script.durak)
        self.game.say(entry, self.result_effect(script, dealer))


PROFILES = {
    "plain": Habits(),
    "open": Habits(given=1.0, unsure=0.05),
    "hidden": Habits(given=0.0, odd_waive=0.05),
    "doubtful": Habits(unsure=0.25),
    "unruly": Habits(breach=0.08, odd_waive=0.05),
    "unruly and doubtful": Habits(breach=0.05, unsure=0.15),
}
OPEN, HIDDEN = "open", "hidden"
TIMED = ("hidden", "doubtful", "unruly and doubtful")
PRIVATE: dict[str, str] = {}
HAND_SEEN = True
ALIKE = "SHDC"


def true_game(seed: int, habits: Habits, *, mended: bool = False) -> Entry:
    """Return one record of `carnet check`, `expect` included."""
    mends = Random(seed) if mended else None  # noqa: S311 games, not secrets
    return Recorder(Random(seed), habits, mends).record()  # noqa: S311 games, not secrets
