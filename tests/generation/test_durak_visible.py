"""With open hands, exactly the moves that the real deal allows are accepted.

All hands are given. A card that is not in a hand is only judged before the first draw.
"""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import convert

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas import durak
from schemas.cards import SuitedCard
from schemas.durak import Options, complete_options
from schemas.entries import Entry as Decoded
from tests.generation.durak_cards import PACK, SUITS, UPWARD, Entry, can_beat, table_rules
from tests.generation.durak_deal import Bout, Habits, RealDeal
from tests.generation.durak_play import Played
from tests.generation.sizes import games
from tests.generation.test_durak_oracle import decoded

Case = tuple[
    Decoded, bool, bool
]  # an entry, whether it is allowed, whether the player has its cards


class Watched(Played):
    history: History

    def deal(self) -> Entry:
        return {**super().deal(), "hands": [list(hand) for hand in self.real.hands]}

    def write(self, entry: Entry, *waived: str, unsure: bool | None = None) -> None:
        super().write(entry, *waived, unsure=False if unsure is None else unsure)
        written = decoded(self.script.happened[-1].entry)
        assert not isinstance(self.history.judge(written), Refusal)
        if self.real.ended is None and self.history.game.deal is not None:
            for candidate, allowed, held in cases(self.real):
                refusal = judgement.refuse(self.history.game, candidate, 10_000)
                told = f"{candidate}: {refusal}"
                if held or not allowed or self.real.seats == 6:
                    assert (refusal is None) == (allowed and held), told


def cases(real: RealDeal) -> Iterator[Case]:
    for seat in range(real.seats):
        yield durak.Take(seat=seat), may_take(real, seat), True
        yield durak.Done(seat=seat), may_be_done(real, seat), True
        for card in PACK:
            held = card in real.hands[seat]
            cards: tuple[SuitedCard, ...] = (card,)  # type: ignore[assignment] # a code of the pack
            yield durak.Attack(seat=seat, cards=cards), may_attack(real, seat, card), held
            yield durak.PassOn(seat=seat, cards=cards), may_pass_on(real, seat, card), held
            for lying in real.still_open(real.bout) if real.bout else ():
                beat = durak.Beat(seat=seat, card=lying.card, with_=card)  # type: ignore[arg-type] # codes of the pack
                beats = can_beat(card, lying.card, real.trump)
                yield beat, beats and may_take(real, seat), held
        for rank in UPWARD:
            four = tuple(rank + suit for suit in SUITS)
            away = durak.Away(seat=seat, cards=four)  # type: ignore[arg-type] # codes of the pack
            between = real.bout is None and real.bouts > 0 and real.options["four_away"]
            yield away, bool(between), set(four) <= set(real.hands[seat])
    yield durak.Done(seat=None), all_may_be_done(real), True


def may_take(real: RealDeal, seat: int) -> bool:
    bout = real.bout
    return bool(bout and not bout.taking and seat == bout.defender and real.still_open(bout))


def waiting(real: RealDeal, bout: Bout) -> bool:
    return bool(real.still_open(bout)) and not bout.taking


def all_may_be_done(real: RealDeal) -> bool:
    return real.bout is not None and not waiting(real, real.bout)


def may_speak(real: RealDeal, bout: Bout, seat: int) -> bool:
    if real.options["word"] == "loose":
        return seat in real.adders(bout)
    return seat == real.speaker(bout)


def may_be_done(real: RealDeal, seat: int) -> bool:
    bout = real.bout
    if bout is None or not may_speak(real, bout, seat):
        return False
    more = real.room(bout) > 0 and bool(real.with_cards(bout))
    return more or not waiting(real, bout)


def may_attack(real: RealDeal, seat: int, card: str) -> bool:
    bout = real.bout
    if bout is None:
        if real.leader is None:
            left = seat == (real.dealer + 1) % real.seats
            return left and real.lowest() is None and not real.options["redeal_no_trump"]
        return seat == real.leader
    if waiting(real, bout) and not real.options["while_unbeaten"]:
        return False
    return may_speak(real, bout, seat) and real.room(bout) > 0 and card[0] in real.ranks(bout)


def may_pass_on(real: RealDeal, seat: int, card: str) -> bool:
    bout = real.bout
    if bout is None or not may_take(real, seat) or not real.options["transfer"]:
        return False
    untouched = all(lying.over is None for lying in bout.lying)
    following = real.target_of(seat, bout.took_part)
    fits = card[0] in real.ranks(bout) and len(bout.lying) < real.cap()
    return untouched and fits and bool(real.hands[following])


@pytest.mark.parametrize("breach", [0.0, 0.08])
def test_every_act__is_accepted_exactly_when_it_may_be(breach: float) -> None:
    for seed in games(0, share=10):
        watch(Random(seed), Habits(breach=breach))  # noqa: S311 games, not secrets


def watch(chance: Random, habits: Habits) -> None:
    seats = chance.randint(2, 6)
    said, played = table_rules(chance, seats)
    real = RealDeal(chance, played, seats, chance.randrange(seats), None)
    watched = Watched(chance, real, habits)
    options = complete_options(convert(said, Options), seats)
    watched.history = History(opening("durak", options, seats))
    watched.run()
