"""Six players with two cards each and an empty stock, for the last bouts of a deal.

Each player has laid away four of a kind, against the rules (waived). Trump is spades; seat 0 leads.
"""

from tests.domain.durak.entries import Entry, attack, away, beat, deal, done, lowest, take

LEFT = ["KH QD", "AH KD", "QH QC", "KS AD", "KC AC", "AS QS"]
FOURS = [" ".join(rank + suit for suit in "SHDC") for rank in "6789TJ"]
SIX = [
    deal(
        "AS",
        dealer=5,
        hands=[f"{four} {two}".split() for four, two in zip(FOURS, LEFT, strict=True)],
    ),
    lowest(0, "6S"),
    *[away(seat, four, waive=["durak.four-away"]) for seat, four in enumerate(FOURS)],
]
# Seat 1 beats one bout off and loses its last card in the next: out first.
ONE_OUT: list[Entry] = [
    *SIX,
    attack(0, "KH"), beat(1, "KH", "AH"), done(0), done(2),
    attack(1, "KD"), take(2),
]  # fmt: skip
# Then seats 3, 5 and 4 go out; seat 0 holds QD KC and leads, seat 2 holds KD QS.
TWO_LEFT: list[Entry] = [
    *ONE_OUT,
    attack(3, "AD"), take(4),
    attack(5, "QS"), take(0),
    attack(2, "QH"), beat(3, "QH", "KS"),
    attack(4, "AD"), beat(5, "AD", "AS"),
    attack(0, "QS"), take(2),
    attack(4, "KC"), take(0),
    attack(2, "QC"), beat(4, "QC", "AC"),
]  # fmt: skip
# Seat 2 takes one card too many and is the durak.
DURAK = [*TWO_LEFT, attack(0, "KC"), take(2), attack(0, "QD"), beat(2, "QD", "KD")]
# Seats 0 and 2 lose their last cards in one bout.
DRAWN = [*TWO_LEFT, attack(0, "KC"), beat(2, "KC", "QS"), attack(0, "QD"), beat(2, "QD", "KD")]
