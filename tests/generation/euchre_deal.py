"""One real deal of two-handed Euchre, and the entries that an observer records.

Real cards are dealt, bid and played; each event becomes the entry of a truthful recorder: hands
hidden or given, discards named or not, cards marked unsure (right or wrong), breaches that the
table waived. The result is true, so no rule may refuse it. Written from the rule text,
independently of `domain`.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.generation.euchre_cards import SUITS, answer_wins, pack, playable, suit_of

Entry = dict[str, Any]
FOLLOW = "euchre.follow-suit"


@dataclass(frozen=True)
class Happened:
    entry: Entry
    to_act: int
    counts: tuple[int, int]
    stock: int


@dataclass
class Habits:
    """How often (0 to 1) tables err and recorders doubt."""

    breach: float = 0.0
    unnoticed: float = 0.0
    unsure: float = 0.0
    given: float = 0.4
    odd_waive: float = 0.0


@dataclass
class Script:
    """A whole deal as written down. `maker` is None when it was passed out."""

    dealer: int
    happened: list[Happened] = field(default_factory=list[Happened])
    maker: int | None = None
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    passed_out_waived: bool = False
    unnoticed_revoke: bool = False
    never_dealt: list[str] = field(default_factory=list[str])
    trump: str = ""

    @property
    def points(self) -> tuple[int, int]:
        """Score the deal (`euchre.points`)."""
        if self.maker is None:
            return (0, 0)
        taken = self.tricks[self.maker]
        won, scorer = (1, self.maker) if taken in {3, 4} else (2, self.maker)
        if taken < 3:
            won, scorer = 2, 1 - self.maker
        return (won, 0) if scorer == 0 else (0, won)


class RealDeal:
    def __init__(self, chance: Random, options: Entry, dealer: int, habits: Habits) -> None:
        """Shuffle and deal; `options` are complete."""
        self.chance, self.options, self.habits = chance, options, habits
        cards = pack(options["deck"])
        chance.shuffle(cards)
        self.hands = [cards[:5], cards[5:10]]
        self.turned, self.rest = cards[10], cards[11:]
        self.dealer, self.elder = dealer, 1 - dealer
        self.given = [chance.random() < habits.given for _ in range(2)]
        self.named: set[str] = set()  # cards whose place the recorder knows
        self.script = Script(dealer, never_dealt=list(self.rest))
        self.stock = len(cards) - 10
        self.revoked: list[set[str]] = [set(), set()]  # suits denied falsely, unnoticed

    def often(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.chance.random() < share

    def write(self, entry: Entry, to_act: int, breaks: str = "") -> None:
        if breaks:
            entry["waive"] = [*entry.get("waive", []), breaks]
        elif self.often(self.habits.odd_waive):
            entry.setdefault("waive", []).append(
                self.chance.choice(
                    ["cards.seen", "euchre.follow-suit", "table.turn", "euchre.accept"]
                )
            )
        counts = (len(self.hands[0]), len(self.hands[1]))
        self.script.happened.append(Happened(entry, to_act, counts, self.stock))

    def run(self) -> Script:
        self.deal()
        if self.bid():
            self.play()
        return self.script

    def deal(self) -> None:
        """Write the deal: the turned card, perhaps unsure and wrong, and the hands given."""
        turned = self.turned
        self.turned_suit = self.chance.choice(SUITS) if turned == "XX" else turned[1]
        entry: Entry = {"type": "deal", "dealer": self.dealer, "turn_up": turned}
        shown = [
            list(hand) if given else None
            for hand, given in zip(self.hands, self.given, strict=True)
        ]
        for hand in shown:
            self.named.update(hand or [])
        self.turned_sure = not self.often(self.habits.unsure)
        if not self.turned_sure:
            entry["unsure"] = True
            entry["turn_up"] = self.chance.choice(
                [
                    card
                    for card in pack(self.options["deck"])
                    if card not in self.named and card[1] in (self.turned_suit, "X")
                ]
            )
        else:
            self.named.add(turned)
        if entry["turn_up"] == "XX":
            entry["turn_up_suit"] = self.turned_suit
        if any(self.given) or self.often(0.2):
            entry["hands"] = shown
        self.write(entry, self.elder)

    def bid(self) -> bool:
        """Bid both rounds; return whether a trump was made."""
        for last_round in (False, True):
            passed: set[int] = set()
            if self.often(self.habits.breach):
                self.early_pass(last_round=last_round)
                passed.add(self.dealer)
            for seat in (self.elder, self.dealer):
                if seat in passed:
                    continue
                if self.bids(seat, last_round=last_round):
                    return True
                passed.add(seat)
                waiting = self.dealer if self.dealer not in passed else self.elder
                broken = last_round and seat == self.dealer and self.options["last_bid"] == "stick"
                self.write(
                    {"type": "pass", "seat": seat}, waiting, "euchre.stick" if broken else ""
                )
        return False

    def early_pass(self, *, last_round: bool) -> None:
        entry: Entry = {"type": "pass", "seat": self.dealer}
        if last_round and self.options["last_bid"] == "stick":
            entry["waive"] = ["euchre.stick"]
        self.write(entry, self.elder, "euchre.bid-first")

    def bids(self, seat: int, *, last_round: bool) -> bool:
        """Let a seat bid; return whether it made trump."""
        if not last_round:
            if not self.often(0.5):
                return False
            self.order() if seat == self.elder else self.accept()
            return True
        sticks = seat == self.dealer and self.options["last_bid"] == "stick"
        if not (self.often(0.5) or (sticks and not self.often(self.habits.breach))):
            return False
        self.name(seat)
        return True

    def order(self) -> None:
        """Order by the non-dealer, then perhaps exchange (`euchre.exchange`)."""
        self.script.maker, self.script.trump = self.elder, self.turned_suit
        self.write({"type": "order", "seat": self.elder}, self.dealer)
        entry: Entry = {"type": "exchange", "seat": self.dealer, "take": self.often(0.7)}
        if entry["take"]:
            self.take(entry, "euchre.exchange")
        else:
            self.write(entry, self.elder)

    def accept(self) -> None:
        """Accept by the dealer (`euchre.accept`)."""
        self.script.maker, self.script.trump = self.dealer, self.turned_suit
        self.take({"type": "accept", "seat": self.dealer}, "euchre.accept")

    def take(self, entry: Entry, clause: str) -> None:
        hand = self.hands[self.dealer]
        wrong = self.often(self.habits.breach)
        laid = self.turned if wrong else self.chance.choice(hand)
        hand.append(self.turned)
        hand.remove(laid)
        self.laid = laid
        self.stock -= 1
        way = self.chance.choice(["named", "unseen", "left out", "unsure"])
        if way == "named" or (way == "unsure" and not self.habits.unsure):
            entry["discard"] = laid
            self.named.add(laid)
        elif way == "unseen":
            entry["discard"] = "??"
        elif way == "unsure":
            entry["discard"], entry["unsure"] = (
                self.chance.choice([laid, *self.not_the_turned(hand)]),
                True,
            )
        self.write(entry, self.elder, clause if wrong else "")

    def not_the_turned(self, hand: list[str]) -> list[str]:
        """List the cards of a hand but the turned one."""
        return [card for card in hand if card != self.turned]

    def name(self, seat: int) -> None:
        """Name trump in round two (`euchre.name`, `euchre.turned-down`)."""
        forbidden = self.options["turned_down_suit"] == "forbidden"
        breach = self.often(self.habits.breach)
        suits = [suit for suit in SUITS if not forbidden or breach or suit != self.turned_suit]
        suit = self.chance.choice(suits)
        broken = forbidden and suit == self.turned_suit
        self.script.maker, self.script.trump = seat, suit
        self.write(
            {"type": "name", "seat": seat, "suit": suit},
            self.elder,
            "euchre.turned-down" if broken else "",
        )

    def play(self) -> None:
        leader = self.elder
        for _ in range(5):
            leader = self.trick(leader)

    def trick(self, entitled: int) -> int:
        trump = self.script.trump
        breach = self.often(self.habits.breach)
        leader = 1 - entitled if breach else entitled
        lead = self.chance.choice(self.hands[leader])
        answers = playable(self.hands[1 - leader], lead, trump)
        revoke = self.often(self.habits.breach) or self.often(self.habits.unnoticed)
        answer = self.chance.choice(self.hands[1 - leader] if revoke else answers)
        winner = 1 - leader if answer_wins(lead, answer, trump) else leader
        self.script.tricks[winner] += 1
        written = self.written_down(leader, lead, answer)
        self.lay(leader, lead, written[0], ("euchre.lead" if breach else "", 1 - leader))
        broken = self.breaks(
            1 - leader, lead, answer, sure_lead=not written[0].get("unsure", False)
        )
        self.lay(1 - leader, answer, written[1], (broken, winner))
        return winner

    def breaks(self, seat: int, lead: str, answer: str, *, sure_lead: bool) -> str:
        trump = self.script.trump
        if answer in playable(self.hands[seat], lead, trump):
            return ""
        if not sure_lead:
            return ""  # nothing is concluded from an answer to a lead the recorder is unsure of
        hidden = not self.given[seat] and self.turned not in self.hands[seat]
        if hidden and self.often(self.habits.unnoticed):
            self.revoked[seat].add(suit_of(lead, trump))
            self.script.unnoticed_revoke = True
            return ""
        return FOLLOW

    def lay(self, seat: int, card: str, entry: Entry, then: tuple[str, int]) -> None:
        broken, to_act = then
        trump = self.script.trump
        if suit_of(entry["card"], trump) in self.revoked[seat] and broken != FOLLOW:
            entry["waive"] = [FOLLOW]
        self.hands[seat].remove(card)
        if not entry.get("unsure"):
            self.named.add(card)
        self.write(entry, to_act, broken)

    def written_down(self, leader: int, lead: str, answer: str) -> tuple[Entry, Entry]:
        """Write both cards of a trick; a wrong unsure card must not change the winner."""
        trump = self.script.trump
        entries: list[Entry] = [
            {"type": "play", "seat": leader, "card": lead},
            {"type": "play", "seat": 1 - leader, "card": answer},
        ]
        honest = answer in playable(self.hands[1 - leader], lead, trump)
        for place, real in enumerate((lead, answer)):
            if not self.often(self.habits.unsure) or (place == 1 and not honest):
                self.named.add(real)
                continue
            sure_lead = lead if place == 1 and not entries[0].get("unsure") else None
            cards = [entries[0]["card"], entries[1]["card"]]
            cards[place] = self.mistaken(entries[place]["seat"], real, sure_lead)
            if answer_wins(cards[0], cards[1], trump) == answer_wins(lead, answer, trump):
                entries[place]["card"] = cards[place]
            entries[place]["unsure"] = True
        return entries[0], entries[1]

    def mistaken(self, seat: int, real: str, lead: str | None) -> str:
        """Pick a card the recorder may take `real` for, such that some deal has it in that hand."""
        trump = self.script.trump
        hand = self.hands[seat]
        able = playable(hand, lead, trump)
        known = real in self.named or self.given[seat]
        if not known:
            able += [
                card
                for card in pack(self.options["deck"])
                if card not in self.named and suit_of(card, trump) == suit_of(real, trump)
            ]
        return self.chance.choice(able)
