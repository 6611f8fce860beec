"""The outcome of a deal or game: places and margins, and the link that hands it to BG Stats."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import UUID

from msgspec import Struct, json
from msgspec.structs import replace

from domain.games import GAMES
from domain.table.rules import Game, Ranking, Status, has_points
from projections.change import Change
from projections.summary import places as seat_places
from service.dependencies import PageRequest
from service.play.snapshots import GameSnapshot
from service.tenancy.club_services import services_of
from service.web.format.game_filters import calendar_periods, parse_filter
from service.web.format.render import Reader, names_of

# The "create play" address of the app.
_BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="


class Placing(Struct, frozen=True, kw_only=True):
    """The players at one place, from 1: seats, names, total, distance to the first.

    `place` None: not ranked; `total` None: they have no points, only the winner is known.
    """

    place: int | None
    seats: tuple[int, ...]
    names: tuple[str, ...]
    total: int | None
    margin: int


class Changed(Struct, frozen=True, kw_only=True):
    """What a game changed in the year's standings; `leader`: its first, if they played.

    `newly`: they were not the first before. `rows`: names and changes, highest place first.
    `won`: first place wins. `address`: of those standings.
    """

    leader: str | None
    newly: bool
    rows: list[tuple[str, Change[UUID]]]
    won: bool
    address: str


async def changed_by(request: PageRequest, moment: GameSnapshot) -> Changed | None:
    """Return what a finished game changed; None for guests, and once later games count, too.

    This reads the standings: two more round trips, for the tap that ends a game.
    """
    game = moment.loaded.history.game
    if request.user.club is None or game.status is Status.OPEN or game.set_aside:
        return None
    reader = Reader(request)
    year = calendar_periods(moment.loaded.rows[-1].recorded_at, reader.zone)["this year"]
    which = parse_filter({"from": year.begins, "to": year.ends}, reader.zone).which
    title = str(moment.title.title_id) if moment.title else moment.ruleset
    counts = game.rules.took_part(game)
    names = names_of(reader, moment.players)
    people = [
        (name, player.id)
        for name, player, counted in zip(names, moment.players, counts, strict=True)
        if counted
    ]
    found = await services_of(request).people.changes(
        title,
        moment.id,
        [player for _, player in people],
        (which.started_from, which.started_before),
    )
    changed = zip((name for name, _ in people), found, strict=False)
    rows = sorted(changed, key=lambda row: row[1].place)
    if not rows:
        return None
    name, first = rows[0]
    return Changed(
        leader=name if first.place == 1 else None,
        newly=first.place_before != 1,
        rows=rows,
        won=GAMES[moment.ruleset].has_winner,
        address=f"/standings?from={year.begins}&to={year.ends}#{title}",
    )


def best_of_deal(game: Game) -> tuple[int, ...]:
    """Return the seats with the best points of the last deal; () in games that only have losers."""
    if not game.deals or not GAMES[game.rules.name].has_winner:
        return ()
    # As if this deal had been the only one, and the table had named no winner.
    alone = replace(game, totals=game.deals[-1], counted=None)
    counted = game.rules.count_deal(alone, game.details[-1])
    ranking = game.rules.ranking(replace(alone, counted=counted))
    return ranking[0] if len(ranking) > 1 else ()


def has_totals(game: Game) -> bool:
    """Return whether points were played or awarded: else only the winner is known, if anybody."""
    return any(has_points(game))


def places(
    ranking: Sequence[Sequence[int]],
    totals: Sequence[int],
    names: Sequence[str],
    *,
    scored: bool = True,
) -> tuple[Placing, ...]:
    """Return the places, unranked players last.

    Players at one place with different totals are separate lines. If the order does not follow the
    totals, no distances are shown. Without `scored`, there are no totals.
    """
    found: list[Placing] = []
    ahead = 0
    in_order = [totals[seat] for level in ranking for seat in level]
    by_totals = in_order in (sorted(in_order), sorted(in_order, reverse=True))
    ranked = {seat for level in ranking for seat in level}
    others = [seat for seat in range(len(totals)) if seat not in ranked]
    for level in (*ranking, others):
        found += [
            Placing(
                place=None if level is others else ahead + 1,
                seats=tuple(seat for seat in level if totals[seat] == total),
                names=tuple(names[seat] for seat in level if totals[seat] == total),
                total=total if scored else None,
                margin=total - totals[ranking[0][0]]
                if by_totals and scored and level is not others
                else 0,
            )
            for total in dict.fromkeys(totals[seat] for seat in level)
        ]
        ahead += len(level)
    return tuple(found)


def bg_stats_link(
    moment: GameSnapshot, title: str, names: list[str], ranking: Ranking, at: datetime
) -> str:
    """Return the address that records the game there.

    `at` is when it ended. The app requires `startPlayer` and `winner` for every player; who began
    is not known, so it is nobody. A player who did not take part is not sent; one who was not
    ranked has no rank and did not win.
    """
    game = moment.loaded.history.game
    totals, placed = game.totals, seat_places(ranking, game.seats)
    scored = has_totals(game)
    counts = game.rules.took_part(game)
    play: dict[str, Any] = {
        "sourceName": "Carnet",
        "sourcePlayId": str(moment.id),
        "playDate": at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": title,
            "sourceGameId": str(moment.title.title_id) if moment.title else moment.ruleset,
            "highestWins": game.rules.highest_wins(game),
            "noPoints": not scored,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": str(player.id),
                "startPlayer": False,
                **({"score": totals[seat]} if scored else {}),
                **({"rank": placed[seat]} if placed[seat] is not None else {}),
                "winner": placed[seat] == 1,
            }
            for seat, (name, player) in enumerate(zip(names, moment.players, strict=True))
            if counts[seat] or not any(counts)
        ],
    }
    return _BG_STATS + quote(json.encode(play), safe="")
