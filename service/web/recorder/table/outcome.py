"""How a deal or a game came out, as the table is told: points, totals, places and margins."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.table.rules import Game

Json = Mapping[str, Any]


class Placing(Struct, frozen=True, kw_only=True):
    """Those level at a place, from 1: their names, their total, how far from the first."""

    place: int
    names: tuple[str, ...]
    total: int
    margin: int


def just_ended(lately: Sequence[Json]) -> Json | None:
    """Return the deal that the last entry ended; None where the next one has begun."""
    for entry in reversed(lately):
        if entry["type"] == "deal_ended":
            return entry
        if entry["type"] not in {"note", "game_ended"}:
            return None
    return None


def best_of_deal(game: Game) -> tuple[int, ...]:
    """Return the seats that won the last deal by its points; () where a game knows only losers."""
    if not game.deals or not GAMES[game.rules.name].won:
        return ()
    ranking = game.rules.ranking(replace(game, totals=game.deals[-1]))
    return ranking[0] if len(ranking) > 1 else ()


def final(lately: Sequence[Json]) -> Json | None:
    """Return the end of the game, if it is among the last entries."""
    return next((entry for entry in reversed(lately) if entry["type"] == "game_ended"), None)


def places(
    ranking: Sequence[Sequence[int]], totals: Sequence[int], names: Sequence[str]
) -> tuple[Placing, ...]:
    """Tell who came where; those level with different totals each have a line of their own.

    Where another thing than the totals made the order, nobody is a number of points behind.
    """
    found: list[Placing] = []
    ahead = 0
    in_order = [totals[seat] for level in ranking for seat in level]
    by_totals = in_order in (sorted(in_order), sorted(in_order, reverse=True))
    for level in ranking:
        found += [
            Placing(
                place=ahead + 1,
                names=tuple(names[seat] for seat in level if totals[seat] == total),
                total=total,
                margin=total - totals[ranking[0][0]] if by_totals else 0,
            )
            for total in dict.fromkeys(totals[seat] for seat in level)
        ]
        ahead += len(level)
    return tuple(found)
