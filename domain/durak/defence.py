"""The defender's answers: beat, pass on, take."""

from msgspec.structs import replace

from domain.durak import proof
from domain.durak.attack import cap, refuse_cards
from domain.durak.bouts import settle, without_cards
from domain.durak.clauses import BEATS, DEFENDER, LEAD, LIMIT, TAKE, TARGET, TRANSFER, first_broken
from domain.durak.ranks import beats
from domain.durak.seats import adders_of, next_of
from domain.durak.state import Bout, Deal
from domain.knowledge import Knowledge
from domain.refusal import Refusal
from domain.rules import Game
from schemas import durak as entries
from schemas.durak import Options

Answer = entries.Beat | entries.PassOn | entries.Take


def _refuse_answer(deal: Deal, entry: Answer) -> Refusal | None:
    """Judge who answers: `table.phase`, `durak.defender`."""
    bout = deal.bout
    if bout is None or bout.taking:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    wrong = entry.seat != bout.defender
    return first_broken(entry, ((wrong, DEFENDER),), {"seat": entry.seat})


def _defended(game: Game, deal: Deal, seat: int) -> Bout:
    """Return the bout as `seat` defends it: whoever answers with a waiver is the defender now."""
    bout: Bout = deal.bout  # type: ignore[assignment]
    if seat == bout.defender:
        return bout
    adders = adders_of(bout.playing, bout.main, seat, game.seats, game.options)
    limit = min(cap(deal, game.options), deal.counts[seat])
    word = bout.word if bout.word in adders else adders[0] if adders else bout.main
    return replace(bout, defender=seat, adders=adders, limit=limit, word=word)


def refuse_beat(game: Game, entry: entries.Beat, version: int) -> Refusal | None:
    """Judge a card beaten: the defender, `cards`, `durak.target`, `durak.beats`, proofs."""
    deal: Deal = game.deal
    refusal = _refuse_answer(deal, entry) or refuse_cards(deal, entry.seat, (entry.with_,))
    if refusal is not None:
        return refusal
    facts = {"seat": entry.seat, "card": entry.with_, "other": entry.card}
    if entry.card not in deal.bout.unbeaten:  # type: ignore[union-attr]
        return Refusal(TARGET, facts=facts)
    beaten = beats(entry.with_, entry.card, deal.trump)
    refusal = first_broken(entry, ((not beaten, BEATS),), facts)
    if refusal is not None:
        return refusal
    found = _laid(deal, entry, (entry.with_,), version)
    return found if isinstance(found, Refusal) else None


def _laid(
    deal: Deal, entry: entries.Beat | entries.PassOn, cards: tuple[str, ...], version: int
) -> Knowledge | Refusal | None:
    return proof.laid(deal, entry, cards, deal.table, version)


def apply_beat(game: Game, entry: entries.Beat, version: int) -> Game:
    """Cover the card; when all are beaten the bout may be over."""
    deal: Deal = game.deal
    bout = _defended(game, deal, entry.seat)
    place = bout.pairs.index((entry.card, None))
    pairs = (*bout.pairs[:place], (entry.card, entry.with_), *bout.pairs[place + 1 :])
    blurred = bout.blurred or entry.unsure
    bout = replace(bout, pairs=pairs, open=bout.open - 1, done=(), blurred=blurred)
    found = _laid(deal, entry, (entry.with_,), version)
    known = None if isinstance(found, Refusal) else found
    return settle(game, without_cards(deal, entry.seat, 1, known, bout), version)


def refuse_pass_on(game: Game, entry: entries.PassOn, version: int) -> Refusal | None:
    """Judge a transfer: the defender, `cards`, `durak.lead`, `durak.transfer`, proofs."""
    deal: Deal = game.deal
    refusal = _refuse_answer(deal, entry) or refuse_cards(deal, entry.seat, entry.cards)
    if refusal is not None:
        return refusal
    options: Options = game.options
    bout = _defended(game, deal, entry.seat)
    facts = {"seat": entry.seat, "card": entry.cards[0]}
    over = len(bout.pairs) + len(entry.cards) > cap(deal, options) and LIMIT not in entry.waive
    checks = (
        (not _may_pass_on(game, deal, bout, entry) or over, TRANSFER),
        (options.lead == "single" and len(entry.cards) > 1, LEAD),
    )
    refusal = first_broken(entry, checks, facts)
    if refusal is not None:
        return refusal
    if _next_defender(game, bout) is None:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    found = _laid(deal, entry, entry.cards, version)
    return found if isinstance(found, Refusal) else None


def _may_pass_on(game: Game, deal: Deal, bout: Bout, entry: entries.PassOn) -> bool:
    """Tell whether nothing is beaten, the ranks agree and the next player holds a card."""
    if not game.options.transfer or bout.open < len(bout.pairs):
        return False
    following = _next_defender(game, bout)
    if following is None or not deal.counts[following]:
        return False
    ranks = {card[0] for card in entry.cards}
    return len(ranks) == 1 and ranks <= bout.ranks


def _next_defender(game: Game, bout: Bout) -> int | None:
    """Return the next player in play to the left (in teams: the next opponent)."""
    seats = bout.playing
    if game.options.teams is True:
        seats = tuple(seat for seat in seats if (seat - bout.defender) % 2)
    return next_of(seats, bout.defender, game.seats)


def apply_pass_on(game: Game, entry: entries.PassOn, version: int) -> Game:
    """Make the passer the main attacker and the next player the defender (`durak.transfer`)."""
    deal: Deal = game.deal
    options: Options = game.options
    bout = _defended(game, deal, entry.seat)
    following = _next_defender(game, bout)
    assert following is not None  # noqa: S101 refused otherwise
    found = _laid(deal, entry, entry.cards, version)
    known = None if isinstance(found, Refusal) else found
    bout = replace(
        bout,
        main=entry.seat,
        defender=following,
        adders=adders_of(bout.playing, entry.seat, following, game.seats, options),
        limit=min(cap(deal, options), deal.counts[following]),
        pairs=bout.pairs + tuple((card, None) for card in entry.cards),
        open=bout.open + len(entry.cards),
        word=entry.seat,
        last=entry.seat,
        done=(),
        blurred=bout.blurred or entry.unsure,
    )
    return settle(game, without_cards(deal, entry.seat, len(entry.cards), known, bout), version)


def refuse_take(game: Game, entry: entries.Take, _version: int) -> Refusal | None:
    """Judge a take: the defender, `durak.take`."""
    deal: Deal = game.deal
    refusal = _refuse_answer(deal, entry)
    if refusal is not None:
        return refusal
    nothing_open = not deal.bout.open  # type: ignore[union-attr]
    return first_broken(entry, ((nothing_open, TAKE),), {"seat": entry.seat})


def apply_take(game: Game, entry: entries.Take, version: int) -> Game:
    """Let the defender take, now or when throwing is over (`durak.take`, `durak.throw-after`)."""
    deal: Deal = game.deal
    bout = _defended(game, deal, entry.seat)
    done = () if game.options.throw_after_take else bout.adders
    last = bout.last if bout.last in bout.adders else bout.word
    bout = replace(bout, taking=True, word=last, done=done)
    return settle(game, replace(deal, bout=bout), version)
