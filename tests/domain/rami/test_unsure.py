"""An unsure entry is judged like any other and proves nothing."""

from domain.inference import Carried, Seen, Shuffled
from domain.rami.proof import rebuilt
from domain.rami.state import PILE, STOCK, TOP, Thrown, pack, slot


def test_stock_empty__cards_thrown_unsure_are_mixed_in_with_the_others_but_the_top_one() -> None:
    sure, unsure = Thrown("9H", PILE, 5), Thrown("8H", slot(4), 4)
    below = (Thrown("8H", slot(4), 4), (Thrown("7H", slot(3), 3), (Thrown("6H", PILE, 2), None)))
    carried = Carried(slot(4), STOCK, 9), Carried(slot(3), STOCK, 9)
    mixed = Shuffled(PILE, STOCK, 9)
    nine = pack().copies["9H"]
    kept = Seen(PILE, nine, TOP, 5), Seen(TOP, nine, PILE, 5)
    assert rebuilt((sure, below), keep_top=True, version=9) == (kept[0], *carried, mixed, kept[1])
    assert rebuilt((sure, below), keep_top=False, version=9) == (*carried, mixed)
    assert rebuilt((unsure, below), keep_top=True, version=9) == (*carried, mixed)
    assert rebuilt((unsure, None), keep_top=False, version=9) == (carried[0], mixed)
