"""Conclude from the entries of Dutch which cards are where, and why an entry cannot be true.

Every slot and every position of the discard pile is a place with one card, so knowledge moves with
the card. An entry is judged as if its cards were certain; if it is marked unsure, only the
movement is learned.
"""

from collections.abc import Iterable, Mapping, Sequence

from domain.dutch import reasons, score
from domain.dutch.state import (
    HAND,
    PACK,
    STOCK,
    UNKNOWN_SUIT,
    Deal,
    cards_matching,
    pile_place,
    slot_at,
    slot_place,
)
from domain.inference import (
    IMPOSSIBLE,
    SEEN,
    AllMoved,
    Evidence,
    Knowledge,
    Narrowed,
    Place,
    Seen,
    Summed,
    Swapped,
    TokenPool,
    Unseen,
    bounds_of,
    find_misplaced,
    knowledge_before_deal,
    suspects,
)
from domain.table.cards import Cards
from domain.table.refusal import Fact, Refusal
from schemas import dutch as entries
from schemas.cards import UNSEEN

Facts = Mapping[str, Fact]


def learn_deal(entry: entries.Deal, seats: int, version: int) -> Knowledge | Refusal:
    """Judge the cards of a deal and return the knowledge. The turned card may be unsure."""
    shown = _deal_evidence(entry, entry.up, seats, version)
    known = knowledge_before_deal(PACK, STOCK).learn_all(shown)
    if known is not None and entry.unsure:
        known = knowledge_before_deal(PACK, STOCK).learn_all(
            _deal_evidence(entry, UNSEEN, seats, version)
        )
    if known is not None:
        return known
    facts: Facts = reasons.explain_rank_excess(knowledge_before_deal(PACK, STOCK), shown)
    return Refusal(IMPOSSIBLE, facts=facts or {"card": entry.up})


def _deal_evidence(entry: entries.Deal, up: str, seats: int, version: int) -> list[Evidence]:
    evidence = list(_move_evidence(STOCK, pile_place(0), up, version))
    for seat, hand in enumerate(entry.hands or (None,) * seats):
        for slot, card in enumerate(hand or (UNSEEN,) * 4):
            evidence += _move_evidence(STOCK, slot_place(seat, slot), card, version)
    evidence.sort(key=lambda piece: not isinstance(piece, Seen))
    return evidence


def _move_evidence(source: Place, target: Place, card: str, version: int) -> tuple[Evidence, ...]:
    if card[1] != UNKNOWN_SUIT:
        return (Seen(source, cards_matching(card), target, version),)
    passed = Unseen(source, target, 1, version)
    return (
        (passed,) if card == UNSEEN else (passed, Narrowed(target, cards_matching(card), version))
    )


def _location_evidence(place: Place, card: str, version: int) -> Evidence:
    if card[1] == UNKNOWN_SUIT:
        return Narrowed(place, cards_matching(card), version)
    return Seen(place, cards_matching(card), place, version)


def learn_look(
    known: Knowledge, places: Sequence[Place], entry: entries.Look | entries.Peek, version: int
) -> Knowledge | Refusal:
    """Judge cards looked at in their places. Cards that are not named prove nothing."""
    if isinstance(entry, entries.Look):
        cards: Sequence[str] = entry.cards or ()
    else:
        cards = (entry.card,) if entry.card else ()
    owner = entry.seat if isinstance(entry, entries.Look) else entry.place[0]
    pieces = _look_evidence(places, cards, version)
    return learn(known, pieces, {"seat": owner}, version, () if entry.unsure else None)


def _look_evidence(
    places: Iterable[Place], cards: Iterable[str], version: int
) -> tuple[Evidence, ...]:
    return tuple(
        _location_evidence(place, card, version)
        for place, card in zip(places, cards, strict=False)
        if card != UNSEEN
    )


def learn_draw(
    known: Knowledge, entry: entries.Draw, renewing: tuple[Evidence, ...], version: int
) -> Knowledge | Refusal:
    """Judge a card drawn from the stock, which is reshuffled first if necessary."""
    hidden = (Unseen(STOCK, HAND, 1, version),)
    renewed = _learn_moves(known, renewing)
    if not entry.card:
        return _learn_moves(renewed, hidden)
    seen = _move_evidence(STOCK, HAND, entry.card, version)
    facts: Facts = {"seat": entry.seat, "card": entry.card}
    return learn(renewed, seen, facts, version, hidden if entry.unsure else None)


def learn_discard(
    known: Knowledge, deal: Deal, entry: entries.Swap | entries.Drop | entries.Snap, version: int
) -> Knowledge | Refusal:
    """Judge a discarded card. In a swap, the card in hand then takes its slot."""
    pile = pile_place(deal.discards)
    source = HAND if isinstance(entry, entries.Drop) else slot_place(entry.seat, entry.slot)
    swapped = isinstance(entry, entries.Swap)
    after = (AllMoved(HAND, source, version),) if swapped else ()
    hidden = (AllMoved(source, pile, version), *after)
    seen: tuple[Evidence, ...] = (_location_evidence(source, entry.card, version), *hidden)
    if entry.card[1] != UNKNOWN_SUIT:
        seen = (Seen(source, cards_matching(entry.card), pile, version), *after)
    facts: Facts = {"seat": entry.seat, "card": entry.card}
    return learn(known, seen, facts, version, hidden if entry.unsure else None)


def learn_wrong_snap(
    known: Knowledge, entry: entries.Snap, given: tuple[Evidence, ...], version: int
) -> Knowledge | Refusal:
    """Judge a wrong snap: the card returns to its slot, and penalty cards are drawn."""
    place = slot_place(entry.seat, entry.slot)
    seen = _location_evidence(place, entry.card, version)
    facts: Facts = {"seat": entry.seat, "card": entry.card}
    return learn(known, (seen, *given), facts, version, given if entry.unsure else None)


def learn_reveal(
    known: Knowledge, deal: Deal, entry: entries.Reveal, red_kings: str, version: int
) -> Knowledge | Refusal:
    places = places_of(deal, entry.seat)
    looked = _look_evidence(places, entry.cards or (), version)
    if not isinstance(entry.points, int):
        return learn(known, looked, {"seat": entry.seat}, version, () if entry.unsure else None)
    counted = Summed(places, score.values(red_kings), entry.points, version)
    pieces = (*looked, counted)
    shown = known.learn_all(looked)
    if shown is None:
        return _explain(known, pieces, {"seat": entry.seat}, version)
    learnt = shown.learn(counted)
    if learnt is None:
        bounds = bounds_of(shown, PACK, places, len(places), score.values(red_kings))
        facts = bounds.facts(entry.seat, entry.points)
        return Refusal(IMPOSSIBLE, None, facts, suspects(known, pieces, version))
    return known if entry.unsure else learnt


def suspects_of_totals(
    known: Knowledge, deal: Deal, totals: tuple[int, ...], red_kings: str, version: int
) -> tuple[int, ...] | None:
    """Return the entries that can contradict the `totals` of the rows; None if none need to."""
    each = score.values(red_kings)
    sums = [
        Summed(places_of(deal, seat), each, total, version) for seat, total in enumerate(totals)
    ]
    return None if known.learn_all(sums) is not None else suspects(known, sums, version)


def places_of(deal: Deal, seat: int) -> tuple[Place, ...]:
    row = deal.rows[seat]
    return tuple(slot_place(seat, slot) for slot in range(deal.used[seat]) if row >> slot & 1)


def learn_moves(known: Knowledge | None, *evidence: Evidence) -> Knowledge | None:
    return None if known is None else _learn_moves(known, evidence)


def _learn_moves(known: Knowledge, evidence: Iterable[Evidence]) -> Knowledge:
    learnt = known.learn_all(evidence)
    if learnt is None:
        message = "cards that nobody names can always move"
        raise AssertionError(message)
    return learnt


def learn_take(known: Knowledge | None, deal: Deal, version: int) -> Knowledge | None:
    number = deal.top.number if deal.top else 0
    return learn_moves(known, AllMoved(pile_place(number), HAND, version))


def learn_trade(known: Knowledge | None, entry: entries.Trade, version: int) -> Knowledge | None:
    return learn_moves(known, Swapped(slot_place(*entry.a), slot_place(*entry.b), version))


def learn(
    known: Knowledge,
    judged: Sequence[Evidence],
    facts: Facts,
    version: int,
    unsure: Sequence[Evidence] | None = None,
) -> Knowledge | Refusal:
    """Learn from an entry, or return a refusal; an `unsure` entry changes nothing in its place."""
    learnt = known.learn_all(judged)
    if learnt is None:
        return _explain(known, judged, facts, version)
    return learnt if unsure is None else _learn_moves(known, unsure)


def _explain(known: Knowledge, pieces: Sequence[Evidence], facts: Facts, version: int) -> Refusal:
    """Refuse by the first reason: a card seen elsewhere, another card there, a rank too often."""
    misplaced = find_misplaced(known, pieces, version)
    if misplaced is not None and misplaced.rule == SEEN:
        return reasons.explain_place(misplaced.refusal(PACK, facts))
    why = suspects(known, pieces, version)
    own = [piece for piece in pieces if piece.version == version]
    named = [piece for piece in own if isinstance(piece, Seen | Narrowed)]
    for piece in named:
        other = _another_card(known, piece)
        if other:
            clause = "cards.held" if _place_of(piece) == HAND else "dutch.place"
            return Refusal(clause, None, _facts_of_place(facts, piece) | {"other": other}, why)
    excess = reasons.explain_rank_excess(known, pieces)
    if excess:
        return Refusal(IMPOSSIBLE, None, {**facts, **excess}, why)
    alone = [piece for piece in named if known.learn(piece) is None]
    if alone:
        facts = _facts_of_place(facts, alone[0])
    in_row = not any(_place_of(piece) in {STOCK, HAND} for piece in named)
    return Refusal(IMPOSSIBLE, None, {**facts, "why": "row"} if in_row else facts, why)


def _place_of(piece: Seen | Narrowed) -> Place:
    return piece.source if isinstance(piece, Seen) else piece.place


def _possible_cards(piece: Seen | Narrowed) -> Cards:
    return piece.copies if isinstance(piece, Seen) else piece.cards


def _another_card(known: Knowledge, piece: Seen | Narrowed) -> str | None:
    """Return the card, or its rank, that is known to be where the piece names another one."""
    named, there = _possible_cards(piece), known.known_at(_place_of(piece))
    rank = None if there else rank_at(known, _place_of(piece))
    if there and not there & named:
        return PACK.named(there)[0]
    if rank is not None and not cards_matching(rank) & named:
        return rank
    return None


def rank_at(known: Knowledge, place: Place) -> str | None:
    """Return the bare rank known of the unseen card at a place, if any."""
    if known.forked:
        return None
    return _only_rank_in([pool for pool in known.world.pools if pool.place == place])


def bare_ranks(known: Knowledge) -> dict[Place, str]:
    if known.forked:
        return {}
    pools: dict[Place, list[TokenPool]] = {}
    for pool in known.world.pools:
        pools.setdefault(pool.place, []).append(pool)
    ranks = {place: _only_rank_in(there) for place, there in pools.items()}
    return {place: rank for place, rank in ranks.items() if rank is not None}


def _only_rank_in(pools: Sequence[TokenPool]) -> str | None:
    if len(pools) != 1 or pools[0].assignment.bit_count() != 1 or not pools[0].candidates:
        return None
    candidates = pools[0].candidates
    first = PACK.codes[candidates.bit_length() - 1]
    rank = first[0] + UNKNOWN_SUIT
    return None if candidates & ~cards_matching(rank) else rank


def _facts_of_place(facts: Facts, piece: Seen | Narrowed) -> dict[str, Fact]:
    card = PACK.named(_possible_cards(piece))[0]
    if isinstance(piece, Narrowed):
        card = card[0] + UNKNOWN_SUIT
    place = _place_of(piece)
    if place <= HAND:
        return {**facts, "card": card}
    seat, slot = slot_at(place)
    return {**facts, "seat": seat, "card": card, "slot": slot}
