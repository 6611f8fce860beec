"""Random true games of two-handed Euchre: records of `carnet check` with the expected answer.

A game is several real deals (`euchre_deal`) as a recorder writes them, with results as short cuts
and corrected mistakes; it stops at the end of the game or earlier. The expected answer is computed
independently of `domain` (`game_log`).
"""

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.generation.euchre_cards import answer_wins, suit_of
from tests.generation.euchre_deal import Entry, Habits, Happened, RealDeal, Script
from tests.generation.game_log import Effect, GameLog
from tests.generation.mending import forgetful, insert_corrections

WORDS = ("pari", "renonce", "thé", "il est tard", "mal distribué")


@dataclass(frozen=True)
class Mistaken:
    version: int
    move: Entry
    effect: Effect


class Recorder:
    """Writes one game. `record` is an input of `carnet check` with `expect`."""

    def __init__(self, chance: Random, habits: Habits, mends: Random | None = None) -> None:
        self.chance, self.habits, self.mends = chance, habits, mends
        self.options: Entry = {
            "deck": chance.choice([24, 24, 25, 32]),
            "target": chance.choice([1, 2, 3, 4, 5, 10, 100]),
            "last_bid": chance.choice(["pass", "stick"]),
            "turned_down_suit": chance.choice(["allowed", "forbidden"]),
        }
        self.game = GameLog(2, self.options["target"])
        self.game.forgets = forgetful(mends)
        self.mistakes: list[Mistaken] = []
        self.unnoticed_revoke = False

    def often(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.chance.random() < share

    def record(self) -> Entry:
        for _ in range(self.chance.choice([1, 2, 3, 6, 12])):
            if self.game.now.over:
                self.reopen()
            if self.game.now.over:
                break
            self.one_deal()
            self.between_deals()
        if self.often(0.15) and not self.game.now.over:
            self.game.say({"type": "finish", "reason": self.word()}, Effect(finishes=True))
            self.remark(0.5)
        while self.mistakes:
            self.correct()
        insert_corrections(self.mends, self.game)
        options = {name: self.options[name] for name in self.options if self.given_out(name)}
        return {
            "ruleset": "euchre",
            "options": options,
            "seats": 2,
            "log": self.game.log,
            "expect": self.game.expected(self.options["deck"]),
        }

    def given_out(self, option: str) -> bool:
        defaults = {"deck": 24, "target": 10, "last_bid": "pass", "turned_down_suit": "allowed"}
        return self.options[option] != defaults[option] or self.often(0.5)

    def word(self) -> str:
        return self.chance.choice(WORDS)

    def remark(self, share: float = 0.04) -> None:
        """Occasionally write a note, or an adjustment during the game."""
        if self.often(share):
            self.game.say({"type": "note", "text": self.word()}, Effect(remark=True))
        if self.often(share / 2) and not self.game.now.over:
            seat, points = self.chance.randrange(2), self.chance.randint(-2, 2)
            wrong = self.chance.randint(-2, 2)
            version = self.game.say(_adjust(seat, wrong), Effect(awarded=(seat, wrong)))
            if wrong != points:
                self.mistakes.append(
                    Mistaken(version, _adjust(seat, points), Effect(awarded=(seat, points)))
                )

    def between_deals(self) -> None:
        """Remark, correct, or take back a whole deal and more."""
        self.remark()
        if self.mistakes and self.often(0.3):
            self.correct()
        if self.often(0.08):
            self.take_back(self.chance.choice(self.game.standing_versions))

    def reopen(self) -> None:
        self.remark(0.2)
        if self.often(0.3):
            self.take_back(self.chance.choice(self.game.standing_versions))

    def take_back(self, to: int) -> None:
        """Take back to any version, mistakes since included; annul the deal reopened so."""
        self.game.take_back(to)
        self.forget_lost_mistakes()
        if self.game.now.table is None:
            return
        reason = {"reason": self.word()}
        if self.often(0.2):
            self.game.say({"type": "finish", **reason}, Effect(finishes=True))
        else:
            self.game.say({"type": "void", **reason}, Effect())

    def forget_lost_mistakes(self) -> None:
        """Keep only mistakes whose entries still count."""
        standing = {step.version: step.entry for step in self.game.steps}
        self.mistakes = [
            one
            for one in self.mistakes
            if standing.get(one.version, one.move)["type"] == one.move["type"]
            and one.version in standing
        ]

    def correct(self) -> None:
        one = self.mistakes.pop(self.chance.randrange(len(self.mistakes)))
        if not self.game.fold(self.game.amended(one.version, one.move, one.effect)).broken:
            self.game.amend(one.version, one.move, one.effect)

    # --- one deal ---------------------------------------------------------------------------

    def one_deal(self) -> None:
        """Write a deal card by card, in short, or partly so."""
        dealer, breaks = self.dealer()
        script = RealDeal(self.chance, self.options, dealer, self.habits).run()
        self.unnoticed_revoke |= script.unnoticed_revoke
        if self.often(0.15):
            self.in_short(script, breaks=breaks, begun=False)
            return
        if self.often(0.15):
            self.false_start(dealer, breaks=breaks)
            if self.game.now.over:
                return
        end = (
            self.chance.randrange(1, len(script.happened) + 1)
            if self.often(0.25)
            else len(script.happened)
        )
        if not self.card_by_card(script, end, breaks=breaks):
            return
        if end < len(script.happened):
            self.cut_short(script)

    def dealer(self) -> tuple[int, bool]:
        due = self.game.now.dealer_next
        if due is None:
            return self.chance.randrange(2), False
        if self.often(self.habits.breach):
            return 1 - due, True
        return due, False

    def false_start(self, dealer: int, *, breaks: bool) -> None:
        before = self.game.standing_versions[-1]
        other = RealDeal(self.chance, self.options, dealer, self.habits).run()
        self.unnoticed_revoke |= other.unnoticed_revoke
        self.card_by_card(other, self.chance.randrange(1, len(other.happened) + 1), breaks=breaks)
        self.game.take_back(before)
        self.forget_lost_mistakes()

    def card_by_card(self, script: Script, end: int, *, breaks: bool) -> bool:
        """Write the first `end` entries of a deal; return whether the game is still open."""
        slip = self.slip(script) if self.often(0.3) else None
        for place, happened in enumerate(script.happened[:end]):
            entry = happened.entry
            if place == 0 and breaks:
                entry = {**entry, "waive": [*entry.get("waive", []), "table.dealer"]}
            effect = self.effect(script, place, happened)
            if slip is not None and place == slip[0]:
                version = self.game.say({**entry, "card": slip[1]}, effect)
                self.mistakes.append(Mistaken(version, entry, effect))
            else:
                self.game.say(entry, effect)
            if place + 1 < len(script.happened) and self.step_back(place):
                self.game.say(entry, effect)
            if place + 1 == len(script.happened):
                return False
            self.remark(0.02)
        return True

    def step_back(self, place: int) -> bool:
        """Sometimes take back the last entry; it is then written again."""
        last = self.game.standing_versions[-1]
        if place == 0 or not self.often(0.02) or self.game.steps[-1].version != last:
            return False
        if any(one.version == last for one in self.mistakes):
            return False
        self.game.take_back(self.game.standing_versions[-2])
        return True

    def effect(self, script: Script, place: int, happened: Happened) -> Effect:
        if place + 1 == len(script.happened):
            return Effect(deal=script.points, rotates=True)
        dealer = script.dealer if place == 0 else None
        table = ((happened.to_act,), happened.counts, happened.stock)
        return Effect(dealer=dealer, table=table)

    def slip(self, script: Script) -> tuple[int, str] | None:
        """Find a card to misread as one of its suit that was not dealt and wins as it does."""
        written = {
            happened.entry.get(key)
            for happened in script.happened
            for key in ("card", "discard", "turn_up")
        }
        given = {
            card for hand in script.happened[0].entry.get("hands") or () for card in hand or ()
        }
        plays = [
            place
            for place, happened in enumerate(script.happened)
            if happened.entry["type"] == "play" and not happened.entry.get("unsure")
        ]
        self.chance.shuffle(plays)
        turned = script.happened[0].entry["turn_up"]
        for place in plays:
            real = script.happened[place].entry["card"]
            if real in given or real == turned or self.hand_given(script, place):
                continue
            for card in script.never_dealt:
                alike = suit_of(card, script.trump) == suit_of(real, script.trump)
                if alike and card not in written and self.wins_alike(script, place, card):
                    return place, card
        return None

    def hand_given(self, script: Script, place: int) -> bool:
        hands = script.happened[0].entry.get("hands")
        return bool(hands and hands[script.happened[place].entry["seat"]])

    def wins_alike(self, script: Script, place: int, card: str) -> bool:
        """Return whether the trick has the same winner with `card` in that place."""
        plays = [
            one for one, happened in enumerate(script.happened) if happened.entry["type"] == "play"
        ]
        first = plays[plays.index(place) // 2 * 2]
        cards = [script.happened[one].entry["card"] for one in (first, first + 1)]
        other = list(cards)
        other[place - first] = card
        before = answer_wins(cards[0], cards[1], script.trump)
        return before == answer_wins(other[0], other[1], script.trump)

    # --- deals in short ---------------------------------------------------------------------

    def cut_short(self, script: Script) -> None:
        """End a deal in progress: by its result, by annulling it, or not at all."""
        way = self.chance.random()
        if way < 0.5:
            self.in_short(script, breaks=False, begun=True)
        elif way < 0.75:
            self.game.say({"type": "void", "reason": self.word()}, Effect())
        elif way < 0.85:
            self.game.say({"type": "finish", "reason": self.word()}, Effect(finishes=True))
        else:
            self.game.take_back(self.before_this_deal())
            self.forget_lost_mistakes()

    def before_this_deal(self) -> int:
        return max(
            version
            for version in self.game.standing_versions
            if self.game.fold(self.game.stood[version]).table is None
        )

    def in_short(self, script: Script, *, breaks: bool, begun: bool) -> None:
        """Write a deal's result in its place or to end it; perhaps wrongly at first."""
        entry = self.result(script, breaks=breaks)
        if not begun and "dealer" not in entry and self.often(0.5):
            entry["dealer"] = script.dealer
        if begun and self.often(0.3):
            entry["dealer"] = script.dealer
        effect = _result_effect(script, entry)
        if not begun and script.maker is not None and self.often(0.2):
            self.wrong_result(script, entry)
            return
        self.game.say(entry, effect)

    def wrong_result(self, script: Script, true: Entry) -> None:
        tricks = self.chance.randrange(6)
        other = Script(script.dealer, maker=script.maker, tricks=list(script.tricks))
        other.tricks[script.maker or 0] = tricks
        wrong = {**true, "tricks": tricks}
        version = self.game.say(wrong, _result_effect(other, wrong))
        self.mistakes.append(Mistaken(version, true, _result_effect(script, true)))

    def result(self, script: Script, *, breaks: bool) -> Entry:
        entry: Entry = {"type": "result", "maker": script.maker}
        if script.maker is not None:
            entry["tricks"] = script.tricks[script.maker]
        elif self.options["last_bid"] == "stick":
            entry["waive"] = ["euchre.stick"]
        if breaks:
            entry["dealer"] = script.dealer
            entry["waive"] = [*entry.get("waive", []), "table.dealer"]
        return entry


def _result_effect(script: Script, entry: Entry) -> Effect:
    dealer: int | None = entry.get("dealer")
    return Effect(deal=script.points, dealer=dealer, rotates=True)


def _adjust(seat: int, points: int) -> dict[str, Any]:
    return {"type": "adjust", "seat": seat, "points": points, "reason": "accord"}


PROFILES = {
    "plain": Habits(),
    "open": Habits(given=1.0, unsure=0.1),
    "hidden": Habits(given=0.0, odd_waive=0.05),
    "doubtful": Habits(unsure=0.25),
    "unruly": Habits(breach=0.12, odd_waive=0.05),
    "unruly and doubtful": Habits(breach=0.1, unsure=0.15, odd_waive=0.05),
}
OPEN, HIDDEN = "open", "hidden"
TIMED = ("hidden", "doubtful")
# The dealer lays a card away face down.
PRIVATE = {"exchange": "discard", "accept": "discard"}
HAND_SEEN = True
ALIKE = "SC"  # colours are paired
LOOSE = Habits(breach=0.05, unnoticed=0.4, unsure=0.05, given=0.2)


def true_game(seed: int, habits: Habits, *, mended: bool = False) -> dict[str, Any]:
    """Return the record of a true game; `mended`: with splices, and perhaps set aside."""
    mends = Random(seed) if mended else None  # noqa: S311 games, not secrets
    return Recorder(Random(seed), habits, mends).record()  # noqa: S311 games, not secrets
