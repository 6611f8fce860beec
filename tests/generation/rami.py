"""Random true games of Rami 51: records of `carnet check` with the expected answer.

A game is several real deals (`rami_deal`) as a recorder writes them, with results as short cuts and
corrected mistakes; it stops at the end of the game or earlier. The expected answer is computed
independently of `domain` (`game_log`).
"""

from random import Random
from typing import Any

from tests.generation.game_log import Effect, GameLog
from tests.generation.mending import forgetful, insert_corrections
from tests.generation.rami_cards import in_hand
from tests.generation.rami_deal import Habits, RealDeal, Script
from tests.generation.rami_layings import Entry

CARDS = 108


class Recorder:
    """Writes one game. `record` is an input of `carnet check` with `expect`."""

    def __init__(self, chance: Random, habits: Habits, mends: Random | None = None) -> None:
        """Choose the table: its seats and options."""
        self.chance, self.habits, self.mends = chance, habits, mends
        self.seats = chance.randint(2, 6)
        self.options: Entry = {
            "target": chance.choice([100, 200, 500, 1000, 5000]),
            "opening": chance.choice([0, 30, 51, 51, 75]),
            "pure_run": chance.choice(["no_joker", "any_run"]),
            "not_opened": chance.choice([0, 50, 100, 150]),
            "dry": chance.choice([0, 200, 300]),
            "joker_in_hand": chance.choice([0, 1, 20, 25, 50]),
            "reshuffle": chance.choice(["all", "keep_top"]),
        }
        self.game = GameLog(self.seats, self.options["target"])
        self.game.forgets = forgetful(mends)

    def often(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.chance.random() < share

    def record(self) -> Entry:
        for _ in range(self.chance.choice([1, 1, 2, 4])):
            if self.game.now.over:
                break
            self.one_deal()
            self.remark(0.1)
        if self.often(0.1) and not self.game.now.over:
            self.game.say({"type": "finish", "reason": "tard"}, Effect(finishes=True))
            self.remark(0.5)
        insert_corrections(self.mends, self.game)
        return {
            "ruleset": "rami",
            "options": self.options,
            "seats": self.seats,
            "log": self.game.log,
            "expect": self.game.expected(CARDS),
        }

    def remark(self, share: float) -> None:
        """Occasionally write a note, or an adjustment during the game."""
        if self.often(share):
            self.game.say({"type": "note", "text": "thé"}, Effect(remark=True))
        if self.often(share / 2) and not self.game.now.over:
            seat, points = self.chance.randrange(self.seats), self.chance.randint(-20, 20)
            entry = {"type": "adjust", "seat": seat, "points": points, "reason": "accord"}
            self.game.say(entry, Effect(awarded=(seat, points)))

    # --- one deal ---------------------------------------------------------------------------

    def one_deal(self) -> None:
        """Write a deal card by card, in short, or partly so."""
        due = self.game.now.dealer_next
        breaks = due is not None and self.often(self.habits.breach)
        dealer = self.chance.randrange(self.seats) if due is None or breaks else due
        script = RealDeal(self.chance, self.options, self.seats, dealer, self.habits).run()
        whole = script.winner is not None
        if whole and self.often(0.1):
            self.in_short(script, dealer, begun=False)
            return
        last = len(script.happened)
        end = self.chance.randrange(1, last + 1) if self.often(0.3) else last
        self.card_by_card(script, end, breaks=breaks)
        if self.game.now.table is None:
            return
        if whole and self.often(0.5) and self.shrank(script) and not kept_joker(script, end):
            self.in_short(script, dealer, begun=True)
        elif self.often(0.7):
            self.game.say({"type": "void", "reason": "maldonne"}, Effect())
        else:
            self.game.say({"type": "finish", "reason": "tard"}, Effect(finishes=True))

    def shrank(self, script: Script) -> bool:
        awaited, counts, _ = self.game.now.table or ((), (), 0)
        counting = 0 in counts
        return all(
            len(hand) <= counts[seat] - (seat in awaited and not counting)
            for seat, hand in enumerate(script.hands)
            if seat != script.winner
        )

    def card_by_card(self, script: Script, end: int, *, breaks: bool) -> None:
        """Write the first `end` entries of a deal."""
        for place, happened in enumerate(script.happened[:end]):
            entry = happened.entry
            if place == 0 and breaks:
                entry = {**entry, "waive": [*entry.get("waive", []), "table.dealer"]}
            if place + 1 == len(script.happened) and script.points is not None:
                effect = Effect(deal=script.points, rotates=True)
            else:
                dealer = script.dealer if place == 0 else None
                effect = Effect(dealer=dealer, table=happened.table)
            version = self.game.say(entry, effect)
            if effect.deal is None and self.often(0.02):
                self.game.amend(version, entry, effect)
            if place and effect.deal is None and self.often(0.01):
                self.game.take_back(self.game.standing_versions[-2])
                if not any(step.version == version for step in self.game.steps):
                    self.game.say(entry, effect)
            self.remark(0.01)

    def in_short(self, script: Script, dealer: int, *, begun: bool) -> None:
        """Write a deal's result in its place or to end it."""
        if script.points is None or script.winner is None:
            return
        hands = [
            None if seat == script.winner else self.held(script, seat) for seat in range(self.seats)
        ]
        entry: Entry = {"type": "result", "winner": script.winner, "hands": hands}
        named = self.often(0.5)
        if named:
            entry["dealer"] = dealer
        due = self.game.now.dealer_next
        if named and not begun and due is not None and dealer != due:
            entry["waive"] = ["table.dealer"]
        tells = dealer if named and not begun else None
        self.game.say(entry, Effect(deal=script.points, dealer=tells, rotates=True))

    def held(self, script: Script, seat: int) -> Entry:
        if not script.opened[seat]:
            return {"opened": False}
        hand = script.hands[seat]
        if self.often(0.5):
            return {"opened": True, "cards": self.chance.sample(hand, len(hand))}
        joker = self.options["joker_in_hand"]
        return {"opened": True, "points": sum(in_hand(card, joker) for card in hand)}


def kept_joker(script: Script, end: int) -> bool:
    """Return whether a joker moved from the table to a hand after the recorded part.

    The table waived that, but a result cannot: the joker was on the table when the record stopped,
    so that no hand may name it (`table.result`).
    """
    left = script.happened[end:]
    return any("rami.swap-use" in happened.entry.get("waive", ()) for happened in left)


PROFILES = {
    "plain": Habits(),
    "open": Habits(given=1.0, unsure=0.1),
    "hidden": Habits(given=0.0, named=0.05, odd_waive=0.05),
    "long": Habits(given=0.1, eager=0.25, rich=0.3, turns=200),
    "doubtful": Habits(unsure=0.25),
    "unruly": Habits(breach=0.3, odd_waive=0.05),
    "unruly and doubtful": Habits(breach=0.2, unsure=0.15, odd_waive=0.05),
}
OPEN, HIDDEN = "open", "hidden"
TIMED = ("hidden", "doubtful", "long")
# The player sees the drawn card.
PRIVATE = {"draw": "card"}
HAND_SEEN = True
ALIKE = "SHDC"
# Long games with many doubtful cards, which take longest to judge: too slow for every test.
HARDER = {
    "long and doubtful": Habits(given=0.0, eager=0.25, rich=0.3, turns=200, unsure=0.25),
}


def true_game(seed: int, habits: Habits, *, mended: bool = False) -> dict[str, Any]:
    """Return the record of a true game; `mended`: with splices, and perhaps set aside."""
    mends = Random(seed) if mended else None  # noqa: S311 games, not secrets
    return Recorder(Random(seed), habits, mends).record()  # noqa: S311 games, not secrets
