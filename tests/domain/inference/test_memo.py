"""Caches of a deal change no answer, neither exact ones nor those limited by effort.

Compared: knowledge that was asked before, in any order, and the same knowledge with empty caches.
The limits of effort are so low that small packs reach them.
"""

from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.inference import all_worlds, possible_cards
from domain.inference.evidence import Evidence, Seen
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.memo import DealCaches
from domain.inference.possible_cards import PossibleCards
from domain.inference.prices import Route
from domain.inference.routes import Routes
from domain.table.cards import Pack
from tests.domain.inference import enumeration
from tests.domain.inference.test_flow import EQUAL, KINDS, PLACES, STOCK, UNLIKE, pieces

FOLLOWED = st.sampled_from([10, 50, 1_000])


def empty(known: Knowledge) -> Knowledge:
    return replace(known, caches=DealCaches())


def describe(known: Knowledge | None) -> object:
    if known is None:
        return None
    return known.evidence(), known.world, known.relaxed, known.forked


def answers(pack: Pack, known: Knowledge, before: Callable[[Knowledge], Knowledge]) -> list[object]:
    found: list[object] = [before(known).all_worlds(), before(known).relaxed_world()]
    asked = PossibleCards(before(known))
    for place in PLACES:
        for copies in pack.copies.values():
            found += [asked.can_leave(place, copies), asked.is_unproved(place, copies)]
            learnt = before(known).learn(Seen(place, copies, place, 99))
            found.append(describe(learnt))
            # Another continuation of the same deal.
            found.append(None if learnt is None else before(learnt).all_worlds())
    return found


def as_it_is(known: Knowledge) -> Knowledge:
    return known


def stages(pack: Pack, story: Sequence[Evidence]) -> Iterator[tuple[Knowledge, Knowledge]]:
    working, plain = knowledge_before_deal(pack, STOCK), knowledge_before_deal(pack, STOCK)
    for piece in story:
        further, again = working.learn(piece), empty(plain).learn(piece)
        assert further is not None
        assert again is not None
        working, plain = further, again
        yield working, plain


def little_effort(patch: pytest.MonkeyPatch, worlds: int) -> None:
    allowed = Routes._try_demand  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] the one place where all routes are looked for

    def few_routes(self: Routes, wanted: Route, most: int = 2) -> bool | None:
        return allowed(self, wanted, min(most, 2))

    patch.setattr(Routes, "_try_demand", few_routes)
    patch.setattr(all_worlds, "FOLLOWED_MAX", worlds)
    patch.setattr(possible_cards, "VISITED_MAX", 300)


@pytest.mark.parametrize("routed", [True, False])
@pytest.mark.parametrize("kinds", KINDS)
@given(data=st.data())
def test_memo__emptied_before_every_question_it_changes_no_answer(
    kinds: str, data: st.DataObject, *, routed: bool
) -> None:
    pack = data.draw(st.sampled_from(EQUAL if kinds == "moved" else UNLIKE))
    with pytest.MonkeyPatch.context() as patch:
        little_effort(patch, data.draw(FOLLOWED))
        if not routed:
            patch.setattr(Knowledge, "as_flows", enumeration.nothing)
        every = list(stages(pack, data.draw(pieces(pack, KINDS[kinds], 16))))
        for at in data.draw(st.lists(st.integers(0, max(0, len(every) - 1)), max_size=3)):
            for working, plain in every[at : at + 1]:
                assert describe(working) == describe(plain)
                assert answers(pack, working, as_it_is) == answers(pack, plain, empty)


def test_memo__is_no_part_of_what_is_known() -> None:
    pack = EQUAL[0]
    known = knowledge_before_deal(pack, STOCK)
    assert known == empty(known)
    assert known != known.learn(Seen(STOCK, pack.copies["AS"], 1, 1))
    assert known != known.world
