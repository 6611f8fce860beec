"""Tricks of any number of cards: the seat to act, the winner, the tricks taken."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.table.cards import SUITS, Cards, Pack
from domain.table.dealing import left_of
from domain.table.judgement import HasWaivers
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas.entries import Seat


class Played(Struct, frozen=True, gc=False):
    """A card played to a trick; `sure`: it was not marked unsure."""

    seat: Seat
    card: str
    sure: bool = True


class Trick(Struct, frozen=True, gc=False):
    """The cards played to a trick so far, in order; it is led by `leader`."""

    leader: Seat
    plays: tuple[Played, ...] = ()

    @property
    def led(self) -> Played | None:
        return self.plays[0] if self.plays else None

    def to_act(self, seats: int) -> Seat:
        """Return the next seat that has not played.

        >>> Trick(2, (Played(2, "AS"),)).to_act(3)
        0
        """
        if not self.plays:
            return self.leader
        seat = left_of(self.plays[-1].seat, seats)
        played = {play.seat for play in self.plays}
        while seat in played:
            seat = left_of(seat, seats)
        return seat


class TrickDeal(Struct, frozen=True, kw_only=True):
    """The state of a deal of tricks, to which a game adds its own fields.

    `knowledge` is of `domain.inference`, None if unseen cards are not followed. Per seat: `counts`
    are the cards in hand, `tricks` the tricks taken.
    """

    version: int
    dealer: Seat
    knowledge: Any
    counts: tuple[int, ...]
    tricks: tuple[int, ...]
    trick: Trick

    @property
    def to_act(self) -> Seat:
        return self.trick.to_act(len(self.counts))


class PlayEntry(HasWaivers, Protocol):
    """An entry of a game by which a card is played to a trick."""

    @property
    def seat(self) -> Seat: ...
    @property
    def card(self) -> Any: ...  # noqa: ANN401 a code
    @property
    def unsure(self) -> bool: ...


_Deal = TypeVar("_Deal", bound=TrickDeal)


def refuse_play(game: Game, entry: PlayEntry, pack: Pack, lead: str) -> Refusal | None:
    """Judge what is visible of a card: its player's turn, and that it is in the pack.

    Clauses: `lead` (a clause of the game, or `table.turn`), `table.turn`, `cards.deck`;
    `table.phase` for a second card to a trick. After a waived turn play goes on from that seat.
    """
    deal: TrickDeal = game.deal
    turn = deal.to_act
    if entry.seat != turn:
        facts: dict[str, Fact] = {"seat": entry.seat, "card": entry.card, "turn": turn}
        if not deal.trick.plays:
            if lead not in entry.waive:
                return Refusal(lead, facts={**facts, "why": "won" if any(deal.tricks) else "first"})
        elif "table.turn" not in entry.waive:
            return Refusal("table.turn", facts={**facts, "phase": game.rules.situation(game).phase})
        elif any(play.seat == entry.seat for play in deal.trick.plays):
            phase = game.rules.situation(game).phase
            return Refusal("table.phase", facts={**facts, "phase": phase})
    return None if entry.card in pack else Refusal("cards.deck", facts={"card": entry.card})


def add_play(deal: _Deal, entry: PlayEntry, knowledge: Any) -> _Deal:  # noqa: ANN401 of the kernel
    """Return the deal with one more card in its trick, which may then be complete."""
    seat, counts = entry.seat, deal.counts
    trick = replace(
        deal.trick, plays=(*deal.trick.plays, Played(seat, entry.card, not entry.unsure))
    )
    fewer = (*counts[:seat], counts[seat] - 1, *counts[seat + 1 :])
    return replace(deal, knowledge=knowledge, counts=fewer, trick=trick)


def take_trick(deal: _Deal, winner: Seat) -> _Deal:
    """Return the deal with its trick taken by `winner`, who leads to the next one."""
    tricks = deal.tricks
    more = (*tricks[:winner], tricks[winner] + 1, *tricks[winner + 1 :])
    return replace(deal, tricks=more, trick=Trick(winner))


class CardOrder:
    """The order of one pack's cards in tricks, perhaps with a trump suit.

    `suit_of[card]` is the suit that a card counts as; `of_suit[suit]` are its cards;
    `strength[card]` orders the cards of one suit. `ranks` and `trump_ranks` go from high to low;
    `top`: the highest trumps, whatever is printed on them, low to high.
    """

    __slots__ = ("of_suit", "strength", "suit_of", "trump")

    def __init__(
        self,
        pack: Pack,
        ranks: str,
        trump: str | None = None,
        *,
        trump_ranks: str | None = None,
        top: Sequence[str] = (),
    ) -> None:
        self.trump = trump
        raised = {card: place for place, card in enumerate(top, 1)} if trump else {}
        self.suit_of = {card: str(trump) if card in raised else card[1] for card in pack.copies}
        ranks_of_trump = trump_ranks or ranks
        self.strength = raised | {  # raised cards above zero, the highest of the others at zero
            card: -(ranks_of_trump if card[1] == trump else ranks).index(card[0])
            for card in pack.copies
            if card not in raised
        }
        self.of_suit: dict[str, Cards] = {
            suit: pack.all_copies(card for card, its in self.suit_of.items() if its == suit)
            for suit in SUITS
        }

    def beats(self, later: str, earlier: str) -> bool:
        """Return whether the later card wins of two; of equal ones, the earlier wins."""
        if self.suit_of[later] == self.suit_of[earlier]:
            return self.strength[later] > self.strength[earlier]
        return self.suit_of[later] == self.trump

    def best(self, plays: Sequence[Played]) -> Played:
        """Return the card that wins a trick.

        >>> from domain.table.cards import pack_of
        >>> order = CardOrder(pack_of("AKQJ"), "AKQJ", "H")
        >>> order.best([Played(0, "KS"), Played(1, "AS"), Played(2, "JH")]).seat
        2
        """
        best = plays[0]
        for play in plays[1:]:
            best = play if self.beats(play.card, best.card) else best
        return best


Entries = Sequence[Mapping[str, Any]]


def make_winner_finder(
    order: Callable[[Any, int, Any], CardOrder], *, trumps: bool = False
) -> Callable[[Any, Mapping[str, Any], Entries], Seat | None]:
    """Return a function for `Manifest.trick_winner`: the seat that won the trick which just ended.

    `order` takes the options, the number of seats and the trump. With `trumps`, the trump is the
    field `trump` of the table, or of the detail of the deal that the trick ended; where neither
    has one, the winner is unknown.
    """

    def took(options: Any, table: Mapping[str, Any], lately: Entries) -> Seat | None:  # noqa: ANN401 a game's own
        plays, trump = last_plays(lately), None
        if trumps:
            ended = next(
                (entry for entry in reversed(lately) if entry["type"] == "deal_ended"), None
            )
            trump = table.get("trump") or (ended["detail"]["trump"] if ended else None)
        if not plays or (trumps and not trump):
            return None
        return order(options, len(plays), trump).best(plays).seat

    return took


def last_plays(entries: Iterable[Mapping[str, Any]]) -> list[Played]:
    """Return the cards of the last complete trick of a game's latest entries in JSON form.

    Return [] if the last entry by hand is no `play`. Assumes that no trick has been begun.
    """
    plays: list[Played] = []
    derived = {"deal_ended", "game_ended"}
    by_hand = [entry for entry in entries if entry["type"] not in derived]
    for entry in reversed(by_hand):
        if entry["type"] != "play" or any(play.seat == entry["seat"] for play in plays):
            break
        plays.insert(0, Played(entry["seat"], entry["card"]))
    return plays
