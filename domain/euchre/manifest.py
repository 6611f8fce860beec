"""The manifest of Euchre."""

from msgspec import UNSET

from domain.euchre.rules import RULES
from domain.euchre.state import AWAY, TURNED, Deal
from domain.euchre.trumps import pack, trumps
from domain.inference import STOCK
from domain.table.hidden import Location, hand_locations, make_hidden_finder
from domain.table.manifest import Manifest, PrivateField
from domain.table.parts import Part, make_part_finder
from domain.table.rules import Game
from domain.table.tricks import make_winner_finder
from domain.table.turn_shift import Turns
from schemas import euchre as entries
from schemas.cards import UNSEEN


def _locations(game: Game) -> tuple[Location, ...]:
    deal: Deal = game.deal
    rest = (Location("stock", (STOCK, TURNED)), Location("away", (AWAY,), deal.dealer))
    return (*hand_locations(game), *rest)


MANIFEST = Manifest(
    rules=RULES,
    hidden=make_hidden_finder(lambda game: pack(game.options.deck), _locations),
    locations=("away",),
    part_begun_by=make_part_finder(
        Part("bidding", (entries.Deal,)),
        Part("trick", (entries.Play,), lambda deal: not deal.trick.plays),
    ),
    turns=Turns(
        (entries.Pass, entries.Order, entries.Name, entries.Play), lambda deal: (deal.to_act,)
    ),
    private={
        "exchange": PrivateField("discard", lambda said: UNSEEN if said("take") else UNSET),
        "accept": PrivateField("discard", lambda _: UNSEEN),
    },
    correctable=("target",),
    trick_winner=make_winner_finder(
        lambda options, _, trump: trumps(options.deck, trump), trumps=True
    ),
)
