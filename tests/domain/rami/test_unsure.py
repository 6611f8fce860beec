from domain.inference import AllMoved, Seen, Shuffled
from domain.rami.proof import rebuild_evidence
from domain.rami.state import PILE, STOCK, TOP, DiscardedCard, pack, unsure_place


def test_stock_empty__cards_thrown_unsure_are_mixed_in_with_the_others_but_the_top_one() -> None:
    sure, unsure = DiscardedCard("9H", PILE, 5), DiscardedCard("8H", unsure_place(4), 4)
    below = (
        DiscardedCard("8H", unsure_place(4), 4),
        (DiscardedCard("7H", unsure_place(3), 3), (DiscardedCard("6H", PILE, 2), None)),
    )
    carried = AllMoved(unsure_place(4), STOCK, 9), AllMoved(unsure_place(3), STOCK, 9)
    mixed = Shuffled(PILE, STOCK, 9)
    nine = pack().copies["9H"]
    kept = Seen(PILE, nine, TOP, 5), Seen(TOP, nine, PILE, 5)
    assert rebuild_evidence((sure, below), keep_top=True, version=9) == (
        kept[0],
        *carried,
        mixed,
        kept[1],
    )
    assert rebuild_evidence((sure, below), keep_top=False, version=9) == (*carried, mixed)
    assert rebuild_evidence((unsure, below), keep_top=True, version=9) == (*carried, mixed)
    assert rebuild_evidence((unsure, None), keep_top=False, version=9) == (carried[0], mixed)
