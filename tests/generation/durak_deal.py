"""One real deal of Durak, and the entries that an observer records.

Real cards are dealt, laid, beaten, taken and drawn; each event becomes the entry of a truthful
recorder: hands hidden or given, cards marked unsure (right or wrong), breaches that the table
waived. The result is true, so no rule may refuse it. Written from the rule text, independently of
`domain`.
"""

from dataclasses import dataclass, field
from random import Random

from tests.generation.durak_cards import PACK, UPWARD, Entry

Flow = tuple[str, int]  # "take", "beaten off" or "draw", and the seat


@dataclass
class Habits:
    """How often (0 to 1) tables err and recorders doubt."""

    breach: float = 0.0
    unsure: float = 0.0
    given: float = 0.3
    odd_waive: float = 0.0


@dataclass
class Happened:
    entry: Entry
    to_act: tuple[int, ...]
    counts: tuple[int, ...]
    stock: int
    flow: tuple[Flow, ...] = ()  # the automatic consequences


@dataclass
class Script:
    """A whole deal as written down; `places` None: it was annulled by a `redeal`."""

    dealer: int
    happened: list[Happened] = field(default_factory=list[Happened])
    places: list[list[int]] | None = None
    durak: int | None = None


@dataclass
class OnTable:
    card: str
    real: list[str]
    over: str | None = None


@dataclass
class Bout:
    main_attacker: int
    defender: int
    took_part: list[int]
    limit: int
    lying: list[OnTable] = field(default_factory=list[OnTable])
    word: int = 0
    last: int = 0
    opener: int = 0
    done: set[int] = field(default_factory=set[int])
    taking: bool = False


def shuffle(chance: Random, seats: int) -> list[str]:
    """Shuffle the pack, sometimes so that a redeal may be requested."""
    cards = chance.sample(PACK, len(PACK))
    way = chance.random()
    if way < 0.04:
        suit, seat = chance.choice("SHDC"), chance.randrange(seats)
        long = [card for card in cards if card[1] == suit][: chance.choice([5, 6])]
        rest = [card for card in cards if card not in long]
        cards = rest[: 6 * seat] + long + rest[6 * seat :]
    elif way < 0.08 and seats < 5:
        trumps = [card for card in cards if card[1] == cards[6 * seats][1]]
        cards = [card for card in cards if card not in trumps] + trumps
        cards[6 * seats], cards[-1] = cards[-1], cards[6 * seats]
    return cards


class RealDeal:
    """Plays one deal. `leader` None: the lowest trump decides."""

    def __init__(
        self, chance: Random, options: Entry, seats: int, dealer: int, leader: int | None
    ) -> None:
        self.chance, self.options, self.seats = chance, options, seats
        self.dealer, self.leader, self.asked = dealer, leader, leader is None
        cards = shuffle(chance, seats)
        self.hands = [cards[6 * seat : 6 * seat + 6] for seat in range(seats)]
        self.stock = cards[6 * seats :]
        self.shown = self.stock[-1] if self.stock else self.hands[dealer][-1]
        self.trump = self.shown[1]
        self.bout: Bout | None = None
        self.bouts = 0
        self.beaten_off = False
        self.emptied: list[int] = []
        self.out: list[int] = []
        self.flow: list[Flow] = []
        self.ended: tuple[list[list[int]], int | None] | None = None

    # --- roles -----------------------------------------------------------------------------

    def after(self, seat: int) -> list[int]:
        return [(seat + step) % self.seats for step in range(1, self.seats)]

    def holding(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.hands[seat]]

    def foes(self, one: int, other: int) -> bool:
        return not self.options["teams"] or (one + other) % 2 == 1

    def target_of(self, attacker: int, among: list[int]) -> int:
        return next(s for s in self.after(attacker) if s in among and self.foes(attacker, s))

    def adders(self, bout: Bout) -> list[int]:
        able = [seat for seat in self.after(bout.main_attacker) if seat in bout.took_part]
        able = [seat for seat in able if seat != bout.defender]
        if self.options["teams"]:
            able = [seat for seat in able if not self.foes(seat, bout.main_attacker)]
        elif self.options["throwers"] == "neighbours":
            left = next(seat for seat in self.after(bout.defender) if seat in bout.took_part)
            able = [seat for seat in able if seat == left]
        return [bout.main_attacker, *able]

    def with_cards(self, bout: Bout) -> list[int]:
        return [seat for seat in self.adders(bout) if self.hands[seat]]

    def speaker(self, bout: Bout) -> int | None:
        adders = self.adders(bout)
        turn = adders[adders.index(bout.word) :] + adders[: adders.index(bout.word)]
        return next((seat for seat in turn if self.hands[seat]), None)

    def cap(self) -> int:
        caps = [36, self.options["max_bout"] or 36]
        if not self.beaten_off:
            caps.append(self.options["first_bout"] or 36)
        return min(caps)

    def room(self, bout: Bout) -> int:
        return bout.limit - len(bout.lying)

    def to_act(self) -> tuple[int, ...]:
        bout = self.bout
        if bout is None:
            return tuple(range(self.seats)) if self.leader is None else (self.leader,)
        waiting = self.still_open(bout) and not bout.taking
        speaking: set[int] = set()
        if self.room(bout) > 0 and self.with_cards(bout):
            speaking = set(self.with_cards(bout)) - bout.done
            if self.options["word"] == "strict":
                speaking = {seat for seat in [self.speaker(bout)] if seat is not None}
        if not waiting:
            return tuple(sorted(speaking))
        if not self.options["while_unbeaten"]:
            speaking = set()
        return tuple(sorted({bout.defender, *speaking}))

    def still_open(self, bout: Bout) -> list[OnTable]:
        return [lying for lying in bout.lying if lying.over is None]

    def ranks(self, bout: Bout) -> set[str]:
        return {card[0] for lying in bout.lying for card in (lying.card, lying.over) if card}

    # --- events -----------------------------------------------------------------------------

    def lay(self, seat: int, real: list[str]) -> None:
        for card in real:
            self.hands[seat].remove(card)
        if not self.hands[seat]:
            self.emptied.append(seat)

    def attack(self, seat: int, named: list[str], real: list[str]) -> None:
        if self.bout is None:
            took_part = self.holding()
            defender = self.target_of(seat, took_part)
            limit = min(self.cap(), len(self.hands[defender]))
            self.bout = Bout(seat, defender, took_part, limit, word=seat, last=seat, opener=seat)
            self.bouts += 1
        bout = self.bout
        self.lay(seat, real)
        bout.lying += [OnTable(card, [one]) for card, one in zip(named, real, strict=True)]
        bout.done = set()
        if seat in self.adders(bout):
            bout.word = bout.last = seat
        self.see_whether_over()

    def beat(self, card: str, named: str, real: str) -> None:
        assert self.bout is not None
        self.lay(self.bout.defender, [real])
        lying = next(one for one in self.still_open(self.bout) if one.card == card)
        lying.over = named
        lying.real.append(real)
        self.bout.done = set()
        self.see_whether_over()

    def pass_on(self, named: list[str], real: list[str]) -> None:
        bout = self.bout
        assert bout is not None
        passer = bout.defender
        self.lay(passer, real)
        bout.lying += [OnTable(card, [one]) for card, one in zip(named, real, strict=True)]
        bout.defender = self.target_of(passer, bout.took_part)
        keeps = self.options["after_transfer"] == "opener" and bout.opener != bout.defender
        bout.main_attacker = bout.word = bout.opener if keeps else passer
        if bout.main_attacker == passer:
            bout.last = passer
        bout.limit = min(self.cap(), len(self.hands[bout.defender]))
        bout.done = set()
        self.see_whether_over()

    def take(self) -> None:
        bout = self.bout
        assert bout is not None
        bout.taking, bout.done = True, set()
        if bout.last in self.adders(bout):
            bout.word = bout.last
        self.see_whether_over()

    def said_done(self, seat: int | None) -> None:
        bout = self.bout
        assert bout is not None
        adders = self.adders(bout)
        if seat is None:
            bout.done = set(adders)
        else:
            if self.options["word"] == "strict" or seat == self.speaker(bout):
                turn = adders[adders.index(seat) + 1 :] + adders[: adders.index(seat)]
                turn = [one for one in turn if self.hands[one]] or [seat]
                fresh = [one for one in turn if one not in bout.done]
                bout.word = (fresh or turn)[0]
            bout.done.add(seat)
        self.see_whether_over()

    def see_whether_over(self) -> None:
        bout = self.bout
        assert bout is not None
        if self.still_open(bout) and not bout.taking:
            return
        over = self.room(bout) <= 0 or not set(self.with_cards(bout)) - bout.done
        if bout.taking and not self.options["throw_after_take"]:
            over = True
        if not bout.taking and not self.hands[bout.defender]:
            over = True
        if over:
            self.end_bout(bout)

    def end_bout(self, bout: Bout) -> None:
        order = [bout.main_attacker, *[s for s in self.adders(bout) if s != bout.main_attacker]]
        order += [s for s in self.after(bout.main_attacker) if s not in [*order, bout.defender]]
        order = [s for s in order if s != bout.defender] + [bout.defender]
        self.flow.append(("take" if bout.taking else "beaten off", bout.defender))
        if bout.taking:
            self.hands[bout.defender] += [card for one in bout.lying for card in one.real]
        else:
            self.beaten_off = True
        for seat in order:
            while self.stock and len(self.hands[seat]) < 6:
                self.hands[seat].append(self.stock.pop(0))
                self.flow.append(("draw", seat))
        self.emptied = [seat for seat in self.emptied if not self.hands[seat]]
        self.bout = None
        gone = list(self.emptied)
        if self.see_whether_ended(gone, (bout.main_attacker, bout.defender)):
            return
        if not self.stock:
            self.out += gone
            self.emptied = []
        following = [s for s in [bout.defender, *self.after(bout.defender)] if self.hands[s]]
        if bout.taking:
            following = [seat for seat in following if seat != bout.defender]
        self.leader = following[0]
        self.roles = (bout.main_attacker, bout.defender)

    def see_whether_ended(self, gone: list[int], roles: tuple[int, int]) -> bool:
        """End the deal if one player (one team) or nobody has cards."""
        left = self.holding()
        sides = {seat % 2 for seat in left} if self.options["teams"] else set(left)
        if len(sides) > 1:
            return False
        if not left:
            before = [[seat] for seat in self.out if seat not in gone]
            self.ended = ([*before, sorted(gone)], None)
            return True
        firsts = [[seat] for seat in [*self.out, *gone]]
        durak = next((seat for seat in left if seat in roles), left[0])  # a partner was attacked
        self.ended = ([*firsts, left], durak)
        return True

    def lay_away(self, seat: int, cards: list[str]) -> None:
        self.lay(seat, cards)
        if self.hands[seat]:
            return
        gone = list(self.emptied)
        if self.see_whether_ended(gone, self.roles):
            return
        if not self.stock:
            self.out += gone
            self.emptied = []
        if self.leader == seat:
            self.leader = next(one for one in self.after(seat) if self.hands[one])

    def lowest(self) -> tuple[int, str] | None:
        trumps = [
            (UPWARD.index(card[0]), seat, card)
            for seat, hand in enumerate(self.hands)
            for card in hand
            if card[1] == self.trump
        ]
        return min(trumps)[1:] if trumps else None
