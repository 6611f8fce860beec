from domain.inference.evidence import Seen, Shuffled, Unseen
from domain.inference.knowledge import knowledge_before_deal
from domain.table.cards import Pack

STOCK, PILE, ASIDE = 0, 4, 5
PACK = Pack(["AS", "KS", "QS", "JS"])
ACE, KING, QUEEN, JACK = 1, 2, 4, 8
FIRST, SECOND = Seen(STOCK, ACE, PILE, 1), Seen(STOCK, KING, PILE, 2)
THIRD, AGAIN = Seen(STOCK, QUEEN, ASIDE, 3), Seen(PILE, ACE, ASIDE, 4)
KNOWN = knowledge_before_deal(PACK, STOCK).learn_certain(FIRST, SECOND, THIRD, AGAIN)


def test_last_named_unmixed__ends_where_the_card_is_mixed_in_unseen() -> None:
    named = [KNOWN.last_named_unmixed(card) for card in (ACE, KING, QUEEN, JACK)]
    assert named == [AGAIN, SECOND, THIRD, None]
    mixed = KNOWN.learn_certain(Shuffled(PILE, STOCK, 5))
    assert [mixed.last_named_unmixed(card) for card in (ACE, KING, QUEEN)] == [AGAIN, None, THIRD]
    nothing_there = KNOWN.learn_certain(Shuffled(9, STOCK, 5))
    assert [nothing_there.last_named_unmixed(card) for card in (ACE, KING)] == [AGAIN, SECOND]


def test_known_at__are_the_cards_seen_there_last() -> None:
    assert [KNOWN.known_at(place) for place in (ASIDE, PILE, 9)] == [ACE | QUEEN, KING, 0]


def test_equal__is_what_is_known_alike() -> None:
    again = knowledge_before_deal(PACK, STOCK).learn_certain(FIRST, SECOND, THIRD, AGAIN)
    assert again == KNOWN
    assert again.learn_certain(Unseen(STOCK, 1, 1, 5)) != KNOWN
    assert again != again.world
