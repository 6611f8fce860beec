"""Describe the table and the entries that may be made now."""

from collections.abc import Callable

from domain.euchre.proof import duties
from domain.euchre.result import fits_record
from domain.euchre.state import AWAY, CARDS_EACH, TURNED, Deal, Phase
from domain.euchre.trumps import pack
from domain.inference import PossibleCards
from domain.inference.tricks import describe_tricks, playable_cards
from domain.table.cards import SUITS
from domain.table.refusal import Fact
from domain.table.rules import (
    HANDS,
    LATER,
    Choice,
    FreeField,
    Game,
    Refuse,
    Situation,
    Values,
)
from schemas import euchre as entries
from schemas.cards import JOKER, UNSEEN
from schemas.entries import Entry


def pack_size(game: Game) -> int:
    return len(pack(game.options.deck))


def situation(game: Game) -> Situation:
    """Describe the deal in progress. The turned card counts as stock until it is taken."""
    deal: Deal = game.deal
    cards, known = pack(game.options.deck), deal.knowledge
    stock = len(cards) - 2 * CARDS_EACH - deal.taken
    table = describe_tricks(game, cards, AWAY) | {
        "turned": deal.turned,
        "turned_suit": deal.turned_suit,
        "taken": deal.taken,
        "passed": list(deal.passed),
        "maker": deal.maker,
        "trump": deal.trump,
        "turned_known": bool(known and known.known_at(TURNED)),
    }
    return Situation(deal.phase.value, (deal.to_act,), deal.counts, stock, table)


def choices(game: Game, refuse: Refuse) -> tuple[Choice, ...]:
    deal: Deal | None = game.deal
    if deal is None:
        return (*_deals(game), *_results(game, None))
    match deal.phase:
        case Phase.ROUND_ONE | Phase.ROUND_TWO:
            bids = _bids(game, deal, refuse)
        case Phase.EXCHANGE:
            bids = _exchanges(game, deal, refuse)
        case Phase.PLAY:
            deck = game.options.deck
            cards = playable_cards(deal, deal.to_act, pack(deck), duties(deal, deck))
            bids = (Choice("play", deal.to_act, {"card": cards}),) if cards else ()
    return (*bids, *_results(game, deal))


def _deals(game: Game) -> tuple[Choice, ...]:
    dealers: Values = (0, 1) if game.dealer is None else (game.dealer,)
    cards = tuple(card for card in pack(game.options.deck).codes if card != JOKER)
    plain = Choice("deal", fields={"dealer": dealers, "turn_up": cards, "hands": HANDS})
    if JOKER not in pack(game.options.deck):
        return (plain,)
    joker: dict[str, Values | FreeField] = {
        "dealer": dealers,
        "turn_up": (JOKER,),
        "turn_up_suit": tuple(SUITS),
        "hands": HANDS,
    }
    return (plain, Choice("deal", fields=joker))


def _results(game: Game, deal: Deal | None) -> tuple[Choice, ...]:
    if deal is not None:
        dealers: Values = (deal.dealer,)
    else:
        dealers = (0, 1) if game.dealer is None else (game.dealer,)
    choices: list[Choice] = []
    for maker in (0, 1):
        tricks = tuple(
            count
            for count in range(CARDS_EACH + 1)
            if deal is None or fits_record(deal, entries.Result(maker=maker, tricks=count))
        )
        if tricks:
            choices.append(
                Choice("result", fields={"maker": (maker,), "tricks": tricks, "dealer": dealers})
            )
    open_bidding = deal is None or deal.maker is None
    if open_bidding and game.options.last_bid == "pass":
        choices.append(Choice("result", fields={"maker": (None,), "dealer": dealers}))
    return tuple(choices)


def _bids(game: Game, deal: Deal, refuse: Refuse) -> tuple[Choice, ...]:
    seat = deal.to_act
    choices: list[Choice] = []
    if refuse(game, entries.Pass(seat=seat), LATER) is None:
        choices.append(Choice("pass", seat))
    if deal.phase is Phase.ROUND_TWO:
        suits = tuple(
            suit
            for suit in SUITS
            if refuse(game, entries.Name(seat=seat, suit=suit), LATER) is None  # type: ignore[arg-type] # one of the four
        )
        choices.append(Choice("name", seat, {"suit": suits}))
    elif seat == deal.dealer:
        choices.append(Choice("accept", seat, {"discard": _laid_away(game, refuse, _accept(seat))}))
    else:
        choices.append(Choice("order", seat))
    return tuple(choices)


def _accept(seat: int) -> Callable[[str], Entry]:
    return lambda card: entries.Accept(seat=seat, discard=card)  # type: ignore[arg-type] # a code of the pack


def _exchanges(game: Game, deal: Deal, refuse: Refuse) -> tuple[Choice, ...]:
    def exchange(card: str) -> Entry:
        return entries.Exchange(seat=deal.dealer, take=True, discard=card)  # type: ignore[arg-type] # a code of the pack

    fields = {"take": (True,), "discard": _laid_away(game, refuse, exchange)}
    return (
        Choice("exchange", deal.dealer, fields),
        Choice("exchange", deal.dealer, {"take": (False,)}),
    )


def _laid_away(game: Game, refuse: Refuse, entry: Callable[[str], Entry]) -> Values:
    """Return the cards that the dealer can lay away, an unseen one first."""
    if refuse(game, entry(UNSEEN), LATER) is not None:
        return ()
    deal: Deal = game.deal
    copies = pack(game.options.deck).copies
    codes = [code for code in copies if code != deal.turned or not deal.turned_sure]
    if deal.knowledge is None:
        return (UNSEEN, *codes)
    search = PossibleCards(deal.knowledge)
    return (UNSEEN, *(code for code in codes if search.can_leave(deal.dealer, copies[code])))


def moment(game: Game) -> dict[str, Fact]:
    deal: Deal = game.deal
    return {"trick": sum(deal.tricks) + 1} if deal.phase is Phase.PLAY else {}
