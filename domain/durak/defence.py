"""Judge the defender's answers: beat, pass on, take."""

from msgspec.structs import replace

from domain.durak import proof, reasons
from domain.durak.attack import have_one_rank, refuse_cards
from domain.durak.bouts import settle, with_attack, without_cards
from domain.durak.clauses import BEATS, DEFENDER, LEAD, LIMIT, TAKE, TARGET, TRANSFER, first_broken
from domain.durak.ranks import beats
from domain.durak.roles import adders_of, bout_limit, defender_of, limit_of, main_after
from domain.durak.state import Bout, Deal, clockwise
from domain.inference import Knowledge
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import durak as entries
from schemas.durak import Options

Answer = entries.Beat | entries.PassOn | entries.Take


def _refuse_answer(deal: Deal, entry: Answer) -> Refusal | None:
    bout = deal.bout
    if bout is None or bout.taking:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if entry.seat == bout.defender or DEFENDER in entry.waive:
        return None
    return Refusal(DEFENDER, facts={"seat": entry.seat, "turn": bout.defender})


def _bout_with_defender(game: Game, deal: Deal, seat: int) -> Bout:
    bout = deal.bout
    assert bout is not None  # noqa: S101 -- `_refuse_answer` let it pass
    if seat == bout.defender:
        return bout
    adders = adders_of(bout.playing, bout.main_attacker, seat, game.options)
    limit = limit_of(deal, seat, game.options)
    word = (
        bout.word
        if adders >> bout.word & 1
        else (*clockwise(adders, bout.main_attacker), bout.main_attacker)[0]
    )
    return replace(bout, defender=seat, adders=adders, limit=limit, word=word)


def judge_beat(game: Game, entry: entries.Beat, version: int) -> Game | Refusal:
    """Judge a card that beats an attack. The bout may end with it."""
    deal: Deal = game.deal
    refusal = _refuse_beat_by_sight(deal, entry)
    if refusal is not None:
        return refusal
    known = deal.knowledge and _learn(deal, entry, (entry.with_,), version)
    if isinstance(known, Refusal):
        return known
    bout = _with_beaten(_bout_with_defender(game, deal, entry.seat), entry)
    return settle(game, without_cards(deal, entry.seat, 1, known, bout), version)


def _refuse_beat_by_sight(deal: Deal, entry: entries.Beat) -> Refusal | None:
    refusal = _refuse_answer(deal, entry) or refuse_cards(deal, entry.seat, (entry.with_,))
    if refusal is not None:
        return refusal
    facts: dict[str, Fact] = {"seat": entry.seat, "card": entry.with_, "other": entry.card}
    bout = deal.bout
    assert bout is not None  # noqa: S101 -- as above
    pairs = bout.pairs
    if (entry.card, None) not in pairs:
        beaten = any(card == entry.card for card, _ in pairs)
        return Refusal(TARGET, facts={**facts, "why": "beaten"} if beaten else facts)
    if not beats(entry.with_, entry.card, deal.trump) and BEATS not in entry.waive:
        why = reasons.explain_not_beaten(entry.with_, entry.card, deal.trump)
        return Refusal(BEATS, facts={**facts, **why})
    return None


def _learn(
    deal: Deal, entry: entries.Beat | entries.PassOn, cards: tuple[str, ...], version: int
) -> Knowledge | Refusal | None:
    return proof.learn_cards_laid(deal, entry, cards, deal.table, version)


def _with_beaten(bout: Bout, entry: entries.Beat) -> Bout:
    pairs, rank = list(bout.pairs), entry.with_[0]
    pairs[pairs.index((entry.card, None))] = (entry.card, entry.with_)
    return replace(
        bout,
        pairs=tuple(pairs),
        open=bout.open - 1,
        ranks=bout.ranks if rank in bout.ranks else bout.ranks + rank,
        done=0,
    )


def judge_pass_on(game: Game, entry: entries.PassOn, version: int) -> Game | Refusal:
    """Judge a transfer: the next player defends; `after_transfer` sets the main attacker."""
    deal: Deal = game.deal
    refusal = _refuse_pass_on_by_sight(game, deal, entry)
    if refusal is not None:
        return refusal
    seat, options = entry.seat, game.options
    bout = _bout_with_defender(game, deal, seat)
    following = _next_defender(game, bout)
    if following is None:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    known = _learn(deal, entry, entry.cards, version)
    if isinstance(known, Refusal):
        return known
    main = main_after(bout, seat, following, options)
    bout = replace(
        with_attack(bout, entry),
        main_attacker=main,
        defender=following,
        adders=adders_of(bout.playing, main, following, options),
        limit=limit_of(deal, following, options),
        word=main,
        last=seat if main == seat else bout.last,
    )
    return settle(game, without_cards(deal, seat, len(entry.cards), known, bout), version)


def _refuse_pass_on_by_sight(game: Game, deal: Deal, entry: entries.PassOn) -> Refusal | None:
    refusal = _refuse_answer(deal, entry) or refuse_cards(deal, entry.seat, entry.cards)
    if refusal is not None:
        return refusal
    options: Options = game.options
    bout = _bout_with_defender(game, deal, entry.seat)
    facts: dict[str, Fact] = {"seat": entry.seat, "card": entry.cards[0]}
    following = _next_defender(game, bout)
    if following is not None:
        facts |= reasons.explain_transfer(game, deal, bout, entry.cards, following)
    over = (
        len(bout.pairs) + len(entry.cards) > bout_limit(deal, options) and LIMIT not in entry.waive
    )
    checks = (
        (not _may_pass_on(game, deal, bout, entry) or over, TRANSFER),
        (options.lead == "single" and len(entry.cards) > 1, LEAD),
    )
    return first_broken(entry, checks, facts)


def _may_pass_on(game: Game, deal: Deal, bout: Bout, entry: entries.PassOn) -> bool:
    if not game.options.transfer or bout.open < len(bout.pairs):
        return False
    following = _next_defender(game, bout)
    if following is None or not deal.counts[following]:
        return False
    return have_one_rank(entry.cards, bout.ranks)


def _next_defender(game: Game, bout: Bout) -> int | None:
    return defender_of(bout.playing, bout.defender, game.options)


def judge_take(game: Game, entry: entries.Take, version: int) -> Game | Refusal:
    """Judge a take, which is immediate or waits for the throw-ins (`durak.throw-after`)."""
    deal: Deal = game.deal
    refusal = _refuse_answer(deal, entry)
    if refusal is not None:
        return refusal
    bout = _bout_with_defender(game, deal, entry.seat)
    if not bout.open and TAKE not in entry.waive:
        return Refusal(TAKE, facts={"seat": entry.seat})
    done = 0 if game.options.throw_after_take else bout.adders
    last = bout.last if bout.adders >> bout.last & 1 else bout.word
    bout = replace(bout, taking=True, word=last, done=done)
    return settle(game, replace(deal, bout=bout), version)
