"""The outcome of a deal or game: points, totals, places and margins."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.table.rules import Game

Json = Mapping[str, Any]


class Placing(Struct, frozen=True, kw_only=True):
    """The players at one place, from 1: names, total, distance to the first."""

    place: int
    names: tuple[str, ...]
    total: int
    margin: int


def just_ended(lately: Sequence[Json]) -> Json | None:
    """Return the `deal_ended` of the last entries; None if the next deal has begun."""
    for entry in reversed(lately):
        if entry["type"] == "deal_ended":
            return entry
        if entry["type"] not in {"note", "game_ended"}:
            return None
    return None


def best_of_deal(game: Game) -> tuple[int, ...]:
    """Return the seats with the best points of the last deal; () in games that only have losers."""
    if not game.deals or not GAMES[game.rules.name].won:
        return ()
    ranking = game.rules.ranking(replace(game, totals=game.deals[-1]))
    return ranking[0] if len(ranking) > 1 else ()


def final_entry(lately: Sequence[Json]) -> Json | None:
    """Return the `game_ended` among the last entries."""
    return next((entry for entry in reversed(lately) if entry["type"] == "game_ended"), None)


def places(
    ranking: Sequence[Sequence[int]], totals: Sequence[int], names: Sequence[str]
) -> tuple[Placing, ...]:
    """Return the places; players at one place with different totals are separate lines.

    If the order does not follow the totals, no distances are shown.
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
