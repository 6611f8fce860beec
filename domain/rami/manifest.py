"""The manifest of Rami."""

from domain.rami.rules import RULES
from domain.rami.state import STOCK, pack
from domain.table.hidden import Location, hand_locations, make_hidden_finder
from domain.table.manifest import Manifest, PrivateField
from domain.table.parts import Part, make_part_finder
from domain.table.rules import Game
from domain.table.turn_shift import Turns
from schemas import rami as entries


def _locations(game: Game) -> tuple[Location, ...]:
    return (*hand_locations(game), Location("stock", (STOCK,)))


MANIFEST = Manifest(
    rules=RULES,
    hidden=make_hidden_finder(lambda _: pack(), _locations),
    part_begun_by=make_part_finder(
        Part("dealing", (entries.Deal,)),
        Part("turn", (entries.Draw, entries.Take)),
        Part("counting", (entries.Count,), lambda deal: not any(deal.counted)),
    ),
    turns=Turns(
        (
            entries.Draw,
            entries.Take,
            entries.Meld,
            entries.Add,
            entries.SwapJoker,
            entries.Discard,
        ),
        lambda deal: (deal.to_act,),
    ),
    private={"draw": PrivateField("card")},
    implied={"discard": "draw"},
    inserts_before="discard",
    limited=True,
    correctable=("target",),
)
