"""Attacks, first and further ones, and `done`: refuse and apply."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.durak import proof
from domain.durak.bouts import settle, without_cards
from domain.durak.clauses import (
    FIRST_LEAD,
    LEAD,
    LIMIT,
    MUST_LEAD,
    NEXT_LEAD,
    RANK,
    TURN,
    UNBEATEN,
    WHO_ADDS,
    WORD,
    first_broken,
)
from domain.durak.ranks import PACK
from domain.durak.score import leader_next
from domain.durak.seats import adders_of, defender_of, holder, may_still_add, playing
from domain.durak.state import TABLES, Bout, Deal, Phase
from domain.knowledge import Knowledge, RuledOut
from domain.refusal import Refusal
from domain.rules import Game
from schemas import durak as entries
from schemas.durak import Options


def cap(deal: Deal, options: Options) -> int:
    """Return how many cards a bout may have, whoever defends (`durak.limit`)."""
    caps = [options.max_bout, None if deal.beaten_off else options.first_bout]
    return min((one for one in caps if one is not None), default=len(PACK))


def refuse_cards(deal: Deal, seat: int, cards: Sequence[str]) -> Refusal | None:
    """Judge cards laid from a hand by sight: `cards.deck`, `cards.count`."""
    for card in cards:
        if card not in PACK.copies:
            return Refusal("cards.deck", facts={"seat": seat, "card": card})
    held = deal.counts[seat]
    if not cards or len(cards) > held or len(set(cards)) < len(cards):
        facts = {"seat": seat, "found": len(cards), "held": held}
        return Refusal("cards.count", facts=facts)
    return None


def refuse_attack(game: Game, entry: entries.Attack, version: int) -> Refusal | None:
    """Judge an attack: whose it is, `cards.deck`, `cards.count`, rank, limit, proofs."""
    deal: Deal = game.deal
    bout = deal.bout
    checks = _first(game, deal, entry) if bout is None else _further(game, deal, bout, entry)
    facts = {"seat": entry.seat, "card": entry.cards[0] if entry.cards else ""}
    refusal = (
        first_broken(entry, checks[:1], facts)
        or refuse_cards(deal, entry.seat, entry.cards)
        or first_broken(entry, checks[1:], facts)
    )
    if refusal is not None:
        return refusal
    found = _known(game, deal, entry, version)
    return found if isinstance(found, Refusal) else None


def _first(game: Game, deal: Deal, entry: entries.Attack) -> list[tuple[bool, str]]:
    """List what a first attack may break, whose turn it is first."""
    options: Options = game.options
    defender = _defender(game, deal, entry.seat)
    limit = min(cap(deal, options), deal.counts[defender])
    if _unasked(game, deal, entry.seat):
        trumps = any(card[1] == deal.trump for card in entry.cards)
        turn = (trumps, FIRST_LEAD)
    elif deal.bouts:
        turn = (entry.seat != deal.leader, TURN)
    else:
        asked = leader_next(game) is None
        turn = (entry.seat != deal.leader, FIRST_LEAD if asked else NEXT_LEAD)
    return [
        turn,
        (options.lead == "single" and len(entry.cards) > 1, LEAD),
        (len({card[0] for card in entry.cards}) > 1, RANK),
        (len(entry.cards) > limit, LIMIT),
    ]


def _unasked(game: Game, deal: Deal, seat: int) -> bool:
    """Tell whether a seat may lead without `lowest`: no hand holds a trump (`durak.redeal`)."""
    left = (deal.dealer + 1) % game.seats
    return deal.phase is Phase.LOWEST and not game.options.redeal_no_trump and seat == left


def _defender(game: Game, deal: Deal, attacker: int) -> int:
    teams = game.options.teams is True
    found = defender_of(playing(deal), attacker, game.seats, teams=teams)
    return attacker if found is None else found


def _further(game: Game, deal: Deal, bout: Bout, entry: entries.Attack) -> list[tuple[bool, str]]:
    """List what adding to a bout may break, whose turn it is first."""
    options: Options = game.options
    ranks = {card[0] for card in entry.cards}
    adder = entry.seat in bout.adders
    spoken = options.word == "loose" or entry.seat == holder(bout, deal.counts)
    waiting = bout.open > 0 and not bout.taking
    return [
        (not adder or not spoken, WORD if adder else WHO_ADDS),
        (waiting and not options.while_unbeaten, UNBEATEN),
        (options.lead == "single" and len(entry.cards) > 1, LEAD),
        (len(ranks) > 1 or not ranks <= bout.ranks, RANK),
        (len(bout.pairs) + len(entry.cards) > bout.limit, LIMIT),
    ]


def _known(
    game: Game, deal: Deal, entry: entries.Attack, version: int
) -> Knowledge | Refusal | None:
    begins = deal.bout is None
    concluded: tuple[RuledOut, ...] = ()
    if begins and not entry.unsure and _unasked(game, deal, entry.seat):
        concluded = proof.no_trumps(deal, game.seats, version)
    table = TABLES + deal.bouts + begins
    return proof.laid(deal, entry, entry.cards, table, version, concluded)


def apply_attack(game: Game, entry: entries.Attack, version: int) -> Game:
    """Lay the cards on the table; the bout may be over by itself."""
    deal: Deal = game.deal
    found = _known(game, deal, entry, version)
    known = None if isinstance(found, Refusal) else found
    bout = deal.bout or _begun(game, deal, entry.seat)
    adder = entry.seat in bout.adders
    bout = replace(
        bout,
        pairs=bout.pairs + tuple((card, None) for card in entry.cards),
        open=bout.open + len(entry.cards),
        word=entry.seat if adder else bout.word,
        last=entry.seat if adder else bout.last,
        done=(),
        blurred=bout.blurred or entry.unsure,
    )
    return settle(game, without_cards(deal, entry.seat, len(entry.cards), known, bout), version)


def _begun(game: Game, deal: Deal, main: int) -> Bout:
    """Return the bout a first attack begins."""
    options: Options = game.options
    seats = playing(deal)
    defender = _defender(game, deal, main)
    return Bout(
        main=main,
        defender=defender,
        playing=seats,
        adders=adders_of(seats, main, defender, game.seats, options),
        limit=min(cap(deal, options), deal.counts[defender]),
        pairs=(),
        open=0,
        word=main,
        last=main,
    )


def refuse_done(game: Game, entry: entries.Done, _version: int) -> Refusal | None:
    """Judge `done`: `durak.must-lead` before an attack, `durak.who-adds`, `durak.word`."""
    deal: Deal = game.deal
    bout = deal.bout
    if bout is None:
        facts = {} if entry.seat is None else {"seat": entry.seat}
        return Refusal(MUST_LEAD, facts=facts)
    waiting = bout.open > 0 and not bout.taking
    if entry.seat is None:
        return first_broken(entry, ((waiting, WORD),), {})
    spoken = game.options.word == "loose" or entry.seat == holder(bout, deal.counts)
    adder = entry.seat in bout.adders
    nothing_more = waiting and not may_still_add(bout, deal.counts)
    checks = ((not adder, WHO_ADDS), (adder and not spoken, WORD), (nothing_more, WORD))
    return first_broken(entry, checks, {"seat": entry.seat})


def apply_done(game: Game, entry: entries.Done, version: int) -> Game:
    """Pass the word on; the bout may be over (`durak.word`)."""
    deal: Deal = game.deal
    bout: Bout = deal.bout  # type: ignore[assignment]
    if entry.seat is None:
        return settle(game, replace(deal, bout=replace(bout, done=bout.adders)), version)
    if entry.seat not in bout.adders:
        return game
    done = bout.done if entry.seat in bout.done else (*bout.done, entry.seat)
    word = bout.word
    if entry.seat == holder(bout, deal.counts) or game.options.word == "strict":
        word = _passed_on(bout, deal, entry.seat, done)
    return settle(game, replace(deal, bout=replace(bout, done=done, word=word)), version)


def _passed_on(bout: Bout, deal: Deal, seat: int, done: tuple[int, ...]) -> int:
    """Return who has the word next: clockwise, first among those who have not said `done`."""
    place = bout.adders.index(seat)
    turn = [one for one in (*bout.adders[place + 1 :], *bout.adders[:place]) if deal.counts[one]]
    return next((one for one in turn if one not in done), turn[0] if turn else seat)
