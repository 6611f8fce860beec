"""What every game shares, in Dutch: seats, phases, dealers, corrections, and the shapes."""

from tests.domain.dutch.entries import (
    ALL_TURNS,
    accepted,
    deal,
    malformed,
    reveal,
)

# --- shapes


def test_cards_deck__every_card_of_the_pack_is_accepted_and_a_joker_refused_as_malformed() -> None:
    for rank in "AKQJT98765432":
        for suit in "SHDC":
            accepted(deal(rank + suit))
    malformed(*ALL_TURNS, reveal(1, "XX AS 2S 3S"))
