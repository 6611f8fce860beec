from domain.table.rules import SharedSequence


def test_copies_of_one_sequence_do_not_change_each_other() -> None:
    one = SharedSequence([1])
    two, other = one.extended(2), one.extended(3)
    three, fourth = two.extended(4), other.extended(5)
    assert [*map(tuple, (one, two, other, three, fourth))] == [
        (1,),
        (1, 2),
        (1, 3),
        (1, 2, 4),
        (1, 3, 5),
    ]


def test_empty_sequences_share_nothing() -> None:
    empty = SharedSequence[int]()
    assert (tuple(empty.extended(1)), tuple(empty.extended(2)), len(empty)) == ((1,), (2,), 0)


def test_items_are_found_from_both_ends() -> None:
    longer = SharedSequence("ab").extended("c")
    shorter = SharedSequence("ab")
    longer.extended("d")
    assert (longer[0], longer[-1], longer[:2], shorter[-1]) == ("a", "c", ("a", "b"), "b")
