"""Random moves in a deal of Durak, and the entries a recorder writes of them.

Each move is legal, or a breach that the table waived. An unsure card may be named wrongly, as
another card of the hand that could have been played there; the table then follows the name.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.generation.durak_cards import PACK, SUITS, UPWARD, Entry, can_beat
from tests.generation.durak_deal import Bout, Habits, Happened, RealDeal, Script

WAIVABLE = ("durak.rank", "durak.word", "durak.first-lead", "table.turn", "durak.beats")


class Played:
    def __init__(self, chance: Random, real: RealDeal, habits: Habits) -> None:
        self.chance, self.real, self.habits = chance, real, habits
        self.options = real.options
        self.script = Script(real.dealer)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def run(self) -> Script:
        self.write(self.deal())
        if self.redeal() or self.first_lead():
            return self.script
        while self.real.ended is None:
            if self.real.bout is None:
                self.between_bouts()
            else:
                self.in_bout(self.real.bout)
        self.script.places, self.script.durak = self.real.ended
        return self.script

    def write(self, entry: Entry, *waived: str, unsure: bool | None = None) -> None:
        waive = [clause for clause in waived if clause]
        if self.often(self.habits.odd_waive):
            waive.append(self.chance.choice(WAIVABLE))
        if waive:
            entry["waive"] = waive
        if unsure or (unsure is None and self.often(self.habits.unsure / 4)):
            entry["unsure"] = True
        real = self.real
        self.script.happened.append(
            Happened(
                entry,
                real.to_act() if real.ended is None else (),
                tuple(len(hand) for hand in real.hands),
                len(real.stock),
                tuple(real.flow),
            )
        )
        real.flow.clear()

    # --- before the first attack ------------------------------------------------------------------

    def deal(self) -> Entry:
        real = self.real
        entry: Entry = {"type": "deal", "dealer": real.dealer, "trump": real.shown}
        if self.often(self.habits.given):
            share = self.chance.choice([0.3, 0.6, 1.0])
            entry["hands"] = [
                self.chance.sample(hand, 6) if self.often(share) else None for hand in real.hands
            ]
        return entry

    def redeal(self) -> bool:
        real = self.real
        if real.asked and real.lowest() is None and self.options["redeal_no_trump"]:
            self.write({"type": "redeal", "reason": "no_trump"}, unsure=False)
            return True
        for seat, hand in enumerate(real.hands):
            for suit in SUITS:
                long = sum(card[1] == suit for card in hand) >= 5
                if not long or any(card[1] == real.trump for card in hand):
                    continue
                allowed = self.options["redeal_suit"]
                if self.often(0.5 if allowed else self.habits.breach):
                    entry = {"type": "redeal", "reason": "suit", "seat": seat, "suit": suit}
                    self.write(entry, "" if allowed else "durak.redeal", unsure=False)
                    return True
        return False

    def first_lead(self) -> bool:
        """Show the lowest trump; return whether a redeal was requested instead."""
        real = self.real
        if real.leader is not None:
            return False
        lowest = real.lowest()
        if lowest is None:
            real.leader = (real.dealer + 1) % real.seats
            self.lead(real.leader, "")
        elif self.often(self.habits.breach):
            real.leader = self.chance.randrange(real.seats)
            self.lead(real.leader, "durak.first-lead")
        else:
            seat, card = lowest
            real.leader = seat
            named = {"card": card} if self.often(0.7) else {}
            self.write({"type": "lowest", "seat": seat, **named})
        return False

    # --- attacks ----------------------------------------------------------------------------------

    def between_bouts(self) -> None:
        real = self.real
        for seat, cards in list(self.fours()):
            allowed = self.options["four_away"] and real.bouts
            if real.bouts and self.often(0.6 if allowed else self.habits.breach):
                real.lay_away(seat, cards)
                entry = {"type": "away", "seat": seat, "cards": cards}
                self.write(entry, "" if allowed else "durak.four-away")
                return
        leader = real.leader
        assert leader is not None
        if not self.often(self.habits.breach / 2):
            self.lead(leader, "")
            return
        other = self.chance.choice(real.holding())
        clause = "durak.turn" if real.bouts else "durak.next-lead"
        if not real.bouts and real.asked:
            clause = "durak.first-lead"
        self.lead(other, clause)

    def fours(self) -> Iterator[tuple[int, list[str]]]:
        for seat, hand in enumerate(self.real.hands):
            for rank in UPWARD:
                cards = [card for card in hand if card[0] == rank]
                if len(cards) == 4:
                    yield seat, cards

    def lead(self, seat: int, waived: str) -> None:
        real = self.real
        defender = real.target_of(seat, real.holding())
        room = min(real.cap(), len(real.hands[defender]))
        first = self.chance.choice(real.hands[seat])
        cards, breaks = self.of_rank(seat, first, room)
        self.lay_attack(seat, cards, [waived, *breaks], set(UPWARD))

    def of_rank(self, seat: int, first: str, room: int) -> tuple[list[str], list[str]]:
        """Add cards of the same rank to the first, as many as allowed or a little more."""
        alike = [c for c in self.real.hands[seat] if c[0] == first[0] and c != first]
        single = self.options["lead"] == "single"
        cards, breaks = [first], list[str]()
        if room < 1:
            breaks.append("durak.limit")
        for card in alike:
            likely = self.habits.breach if single else 0.6
            if len(cards) < room and self.often(likely):
                cards.append(card)
                breaks += ["durak.lead"] if single else []
        return cards, breaks

    def lay_attack(self, seat: int, cards: list[str], waived: list[str], ranks: set[str]) -> None:
        """Lay attack cards, sometimes unsure and then perhaps under another name."""
        unsure = self.often(self.habits.unsure)
        named = list(cards)
        if unsure and len(cards) == 1 and self.often(0.5):
            others = [card for card in self.real.hands[seat] if card[0] in ranks]
            named = [self.chance.choice(others or cards)]
        self.real.attack(seat, named, cards)
        self.write({"type": "attack", "seat": seat, "cards": named}, *waived, unsure=unsure)

    def add(self, bout: Bout, seat: int, waived: list[str], *, breach: bool = False) -> bool:
        """Let a seat add cards; return whether it did."""
        real = self.real
        ranks = real.ranks(bout)
        if real.room(bout) < 1 and not breach:
            return False
        fitting = [card for card in real.hands[seat] if card[0] in ranks]
        if self.often(self.habits.breach) and real.hands[seat]:
            first = self.chance.choice(real.hands[seat])
            waived = [*waived, "durak.rank"]
            ranks = set(UPWARD)
        elif fitting:
            first = self.chance.choice(fitting)
        else:
            return False
        cards, breaks = self.of_rank(seat, first, real.room(bout))
        self.lay_attack(seat, cards, [*waived, *breaks], ranks)
        return True

    # --- inside a bout ----------------------------------------------------------------------------

    def in_bout(self, bout: Bout) -> None:
        real = self.real
        waiting = bool(real.still_open(bout)) and not bout.taking
        if waiting and self.often(0.75):
            self.defend(bout)
            return
        if self.breach_in_bout(bout, waiting=waiting):
            return
        if real.room(bout) < 1 or not real.with_cards(bout):
            self.defend(bout)
            return
        if self.options["word"] == "loose":
            seat = self.chance.choice(real.with_cards(bout))
        else:
            speaker = real.speaker(bout)
            assert speaker is not None
            seat = speaker
        may = not waiting or self.options["while_unbeaten"]
        if may and self.often(0.7) and self.add(bout, seat, []):
            return
        said = None if not waiting and self.often(0.2) else seat
        real.said_done(said)
        self.write({"type": "done", "seat": said})

    def breach_in_bout(self, bout: Bout, *, waiting: bool) -> bool:
        real = self.real
        if not self.often(self.habits.breach):
            return False
        seat = self.chance.choice(real.holding())
        clauses: list[str] = []
        if waiting and not self.options["while_unbeaten"]:
            clauses.append("durak.unbeaten")
        if seat == bout.defender:
            return False
        if seat not in real.adders(bout):
            clauses.append("durak.who-adds")
        elif self.options["word"] == "strict" and seat != real.speaker(bout):
            clauses.append("durak.word")
        return self.add(bout, seat, clauses, breach=True)

    def defend(self, bout: Bout) -> None:
        """Beat, pass on or take."""
        real = self.real
        hand = real.hands[bout.defender]
        open_cards = [lying.card for lying in real.still_open(bout)]
        if self.may_pass_on(bout) and self.often(0.5) and self.pass_on(bout):
            return
        card = self.chance.choice(open_cards)
        able = [one for one in hand if can_beat(one, card, real.trump)]
        breach = self.often(self.habits.breach) and bool(hand)
        if (able or breach) and self.often(0.85):
            self.beat(bout, card, hand if breach else able)
            return
        if not able or self.often(0.3):
            real.take()
            self.write({"type": "take", "seat": bout.defender})

    def beat(self, bout: Bout, card: str, able: list[str]) -> None:
        real, seat = self.real, bout.defender
        chosen = self.chance.choice(able)
        waived = "" if can_beat(chosen, card, real.trump) else "durak.beats"
        unsure = self.often(self.habits.unsure)
        named = chosen
        if unsure and self.often(0.5):
            named = self.chance.choice(able)
            waived = "" if can_beat(named, card, real.trump) else "durak.beats"
        real.beat(card, named, chosen)
        entry = {"type": "beat", "seat": seat, "card": card, "with": named}
        self.write(entry, waived, unsure=unsure)

    def may_pass_on(self, bout: Bout) -> bool:
        real = self.real
        if any(lying.over for lying in bout.lying):
            return False
        following = real.target_of(bout.defender, bout.took_part)
        return bool(real.hands[following])

    def pass_on(self, bout: Bout) -> bool:
        real, seat = self.real, bout.defender
        allowed = self.options["transfer"]
        ranks = real.ranks(bout)
        fitting = [card for card in real.hands[seat] if card[0] in ranks]
        room = real.cap() - len(bout.lying)
        if not fitting or room < 1 or not (allowed or self.often(self.habits.breach)):
            return False
        cards, breaks = self.of_rank(seat, self.chance.choice(fitting), room)
        unsure = self.often(self.habits.unsure)
        real.pass_on(cards, cards)
        entry: dict[str, Any] = {"type": "pass_on", "seat": seat, "cards": cards}
        self.write(entry, "" if allowed else "durak.transfer", *breaks, unsure=unsure)
        return True


def never_named(script: Script) -> list[str]:
    said = str([happened.entry for happened in script.happened])
    return [card for card in PACK if card not in said]
