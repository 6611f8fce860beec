"""The manifest of Dutch."""

from domain.dutch.rules import RULES
from domain.dutch.snaps import matches
from domain.dutch.state import HAND, PACK, STOCK, Deal, slot_place
from domain.table.cards import bit_numbers
from domain.table.hidden import Location, make_hidden_finder
from domain.table.manifest import Manifest, PrivateField
from domain.table.parts import Part, make_part_finder
from domain.table.rules import Game
from domain.table.turn_shift import Turns
from schemas import dutch as entries
from schemas.cards import UNSEEN
from schemas.entries import Entry


def _locations(game: Game) -> tuple[Location, ...]:
    deal: Deal = game.deal
    slots = [
        Location("slot", (slot_place(seat, slot),), seat, slot)
        for seat, row in enumerate(deal.rows)
        for slot in bit_numbers(row)
    ]
    drawn = () if deal.held is None else (Location("drawn", (HAND,), deal.turn),)
    return (*slots, *drawn, Location("stock", (STOCK,)))


def _thrown_wrongly(game: Game, entry: Entry) -> bool:
    deal: Deal | None = game.deal
    return isinstance(entry, entries.Snap) and deal is not None and not matches(deal, entry)


def _no_row_counted(deal: Deal) -> bool:
    return all(total is None for total in deal.totals)


MANIFEST = Manifest(
    rules=RULES,
    hidden=make_hidden_finder(lambda _: PACK, _locations),
    locations=("slot", "drawn"),
    part_begun_by=make_part_finder(
        Part("dealing", (entries.Deal,)),
        Part("turn", (entries.Draw, entries.Take)),
        Part("counting", (entries.Reveal,), _no_row_counted),
    ),
    is_mistake=_thrown_wrongly,
    turns=Turns(
        (
            entries.Draw,
            entries.Take,
            entries.Swap,
            entries.Drop,
            entries.Peek,
            entries.Trade,
        ),
        lambda deal: (deal.turn,),
    ),
    private={
        "look": PrivateField("cards", lambda said: (UNSEEN,) * len(said("slots"))),
        "draw": PrivateField("card"),
        "peek": PrivateField("card"),
    },
    players_see_hands=False,
    implied={"drop": "draw", "swap": "draw"},
    laid_open={"reveal": ("cards",)},
    limited=True,
    deals_option="deals",
    correctable=("target", "deals"),
)
