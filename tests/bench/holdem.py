"""A peer from PyPI at the nearest thing it does: pokerkit judges and applies poker hands.

All cards are known to it: it keeps no knowledge of unseen ones.
"""

from pokerkit import Automation, NoLimitTexasHoldem

HANDS = 60

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def pokerkit_hands() -> int:
    """Replay a heads-up hand to its showdown again and again; return the operations entered."""
    operations = 0
    for _ in range(HANDS):
        state = NoLimitTexasHoldem.create_state(AUTOMATIC, True, 0, (1, 2), 2, 200, 2)  # noqa: FBT003 theirs
        state.deal_hole("AcAs")
        state.deal_hole("7h6h")
        operations += 2
        for board in ("", "Jc3d5c", "4h", "Jh"):
            if board:
                state.burn_card("??")
                state.deal_board(board)
                operations += 2
            while state.actor_index is not None:
                state.check_or_call()
                operations += 1
        while state.showdown_index is not None:
            state.show_or_muck_hole_cards()
            operations += 1
    return operations
