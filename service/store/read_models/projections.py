"""The read models of games: the list, and the points of each deal."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Raw, Struct, json
from msgspec.structs import replace
from psycopg import Error
from psycopg.rows import dict_row
from psycopg.sql import SQL, Composed
from psycopg.types.numeric import Int4

from schemas.catalogue import SHAPES
from schemas.record import Times
from service.errors import NotFound
from service.store.connection.multi_query import multi_query
from service.store.connection.pool import Pool, connection, translate
from service.store.read_models.descriptions import SEASONS, TITLES
from service.store.read_models.finished_results import FinishedResults
from service.store.read_models.listing import (
    GameCursor,
    GameFilter,
    Order,
    count_query,
    deals_query,
    everybody_query,
    games_query,
    people_query,
    players_query,
    up_to_query,
)
from service.store.read_models.stored_checkpoints import StoredCheckpoints
from service.store.records import (
    DealScore,
    Description,
    GameInList,
    GameSummary,
    Player,
    Season,
    StoredDealScore,
    Title,
)

GAMES_AT_ONCE = 1_000

_DEAL_SCORES = """
    SELECT game_id, deal, version, points, detail::text AS detail, at
    FROM carnet.deal_score
    WHERE club_id = %s AND game_id = ANY(%s)
    ORDER BY game_id, deal
"""


# Per player one look at the end of an index, however many games there are.
LAST_PLAYED = SQL("""
    SELECT who.player_id, last.started_at, last.times
    FROM unnest({players}::uuid[]) AS who (player_id)
    CROSS JOIN LATERAL (
        SELECT p.started_at, g.times
        FROM carnet.game_player p JOIN carnet.game g USING (club_id, game_id)
        WHERE p.club_id = {club} AND p.player_id = who.player_id AND NOT g.set_aside
          AND NOT g.continued AND g.times <> 'none'
        ORDER BY p.started_at DESC, p.game_id DESC LIMIT 1
    ) last
""")


_TITLE_NAMES = """
    SELECT title_id, name FROM carnet.title WHERE club_id = %s AND title_id = ANY (%s::uuid[])
"""


_TITLE = """
    SELECT coalesce(group_id, title_id) FROM carnet.title WHERE club_id = %s AND title_id = %s
"""


# Deals of the games before, each with the players of its own game.
_EARLIER = """
    WITH RECURSIVE part AS (
        SELECT g.game_id AS last_id, g.continues AS game_id FROM carnet.game g
        WHERE g.club_id = %(club)s AND g.game_id = ANY (%(games)s) AND g.continues IS NOT NULL
        UNION ALL
        SELECT p.last_id, g.continues FROM part p
        JOIN carnet.game g ON g.club_id = %(club)s AND g.game_id = p.game_id
        WHERE g.continues IS NOT NULL
    )
    SELECT p.last_id AS game_id, g.players, g.deals_before + s.deal AS deal, s.version, s.points,
           s.detail::text AS detail, s.at
    FROM part p
    JOIN carnet.game g ON g.club_id = %(club)s AND g.game_id = p.game_id
    JOIN carnet.deal_score s ON s.club_id = %(club)s AND s.game_id = p.game_id
    ORDER BY p.last_id, g.deals_before, s.deal
"""


# The games before, the first one first.
_EARLIER_GAMES = """
    WITH RECURSIVE part AS (
        SELECT g.game_id AS last_id, g.continues AS game_id, 1 AS ago FROM carnet.game g
        WHERE g.club_id = %(club)s AND g.game_id = ANY (%(games)s) AND g.continues IS NOT NULL
        UNION ALL
        SELECT p.last_id, g.continues, p.ago + 1 FROM part p
        JOIN carnet.game g ON g.club_id = %(club)s AND g.game_id = p.game_id
        WHERE g.continues IS NOT NULL
    )
    SELECT p.last_id, g.game_id, g.players
    FROM part p
    JOIN carnet.game g ON g.club_id = %(club)s AND g.game_id = p.game_id
    ORDER BY p.last_id, p.ago DESC
"""


class EarlierGame(Struct, frozen=True, kw_only=True):
    """A game that goes on as another, `last_id` after all changes. `players`: by seat."""

    last_id: UUID
    game_id: UUID
    players: tuple[UUID, ...]


class EarlierDeal(Struct, frozen=True, kw_only=True):
    """A deal of a game that goes on as another. `players`: by seat, of that deal."""

    players: tuple[UUID, ...]
    score: StoredDealScore

    def points_for(self, players: Sequence[UUID]) -> tuple[int | None, ...]:
        """Return the points of these players, None for those who were not there yet."""
        won = dict(zip(self.players, self.score.points, strict=True))
        return tuple(won.get(player) for player in players)


class GamePage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of the list. `after`: where the next page begins, None on the last one."""

    games: tuple[GameInList, ...]
    after: GameCursor | None


class GameListing(GamePage, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of the list with related data.

    `players`: of these games. `deals`: by game and deal, as of the time of reading. `set_aside`:
    how many games were excluded because they are set aside. `found`: the number of matching games,
    counted up to a limit.
    """

    players: dict[UUID, Player]
    deals: tuple[StoredDealScore, ...]
    set_aside: int
    found: int


class GameIndex:
    """The read models of the games of one club."""

    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def game(self, game_id: UUID) -> GameInList:
        only = GameFilter(game_id=game_id, set_aside="include")
        games = await self._games(games_query(self._club_id, only, None, 1))
        if not games:
            raise NotFound("game", game_id)
        return games[0]

    async def title_names(self, titles: Iterable[str]) -> dict[str, str | None]:
        """Return names by id of the given titles, without those that are rulesets."""
        ids = [title for title in titles if title not in SHAPES]
        if not ids:
            return {}
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_TITLE_NAMES, [self._club_id, ids])
            return {str(title): name async for title, name in rows}

    async def title_of(self, title_id: UUID) -> UUID:
        """Return the id of the title that this one was merged into, or its own."""
        async with connection(self._pool, self._club_id) as conn:
            row = await (await conn.execute(_TITLE, [self._club_id, title_id])).fetchone()
        return row[0] if row else title_id

    async def games(
        self, which: GameFilter, after: GameCursor | None = None, limit: int = 50
    ) -> GamePage:
        # One more than requested shows whether another page follows.
        games = await self._games(games_query(self._club_id, which, after, limit + 1))
        page = games[:limit]
        return GamePage(games=page, after=_at(page[-1]) if len(games) > limit else None)

    async def listing(
        self,
        which: GameFilter,
        after: GameCursor | None = None,
        limit: int = 50,
        count_most: int = 0,
    ) -> GameListing:
        """List games with related data, latest start first, by one query."""
        page = games_query(self._club_id, which, after, limit + 1)
        games, players, deals, aside, found = await multi_query(
            self._pool,
            self._club_id,
            page,
            players_query(self._club_id, page),
            deals_query(self._club_id, page),
            count_query(self._club_id, replace(which, set_aside="only")),
            count_query(self._club_id, which, None, count_most),
        )
        listed = tuple(map(_game, games[:limit]))
        return GameListing(
            games=listed,
            after=_at(listed[-1]) if len(games) > limit else None,
            players={player.player_id: player for player in (Player(**row) for row in players)},
            deals=tuple(map(_deal_score, deals)),
            set_aside=aside[0]["found"],
            found=found[0]["found"],
        )

    async def up_to(self, game_id: UUID, limit: int) -> tuple[GameInList, ...]:
        """List a game and those started before it, latest first, without those set aside."""
        games = await self._games(up_to_query(self._club_id, game_id, limit))
        if not games or games[0].game_id != game_id:
            raise NotFound("game", game_id)
        return games

    async def every(
        self,
        which: GameFilter,
        order: Order = "newest first",
        after: GameCursor | None = None,
    ) -> AsyncGenerator[tuple[GameInList, ...]]:
        """Read all matching games in batches of `GAMES_AT_ONCE`, without an open transaction.

        A game started meanwhile is included only when the oldest game comes first.
        """
        while True:
            query = games_query(self._club_id, which, after, GAMES_AT_ONCE, order)
            games = await self._games(query)
            if games:
                yield games
            if len(games) < GAMES_AT_ONCE:
                return
            after = _at(games[-1])

    async def count(
        self, which: GameFilter, after: GameCursor | None = None, most: int | None = None
    ) -> int:
        """Count matching games, newest start first, up to `most`."""
        async with connection(self._pool, self._club_id) as conn:
            query = count_query(self._club_id, which, after, most)
            row = await (await conn.execute(query)).fetchone()
        return int(row[0]) if row else 0

    async def set_aside(self, which: GameFilter) -> int:
        return await self.count(replace(which, set_aside="only"))

    async def people(
        self, ids: Sequence[UUID], which: GameFilter
    ) -> tuple[dict[UUID, Player], int, tuple[Season, ...], tuple[Title, ...]]:
        """Read people, the number of matching games set aside, the seasons, and the titles."""
        aside = count_query(self._club_id, replace(which, set_aside="only"))
        people, seasons = people_query(self._club_id, ids), SEASONS.format(club=self._club_id)
        rows, found, named, titles = await multi_query(
            self._pool, self._club_id, people, aside, seasons, TITLES.format(club=self._club_id)
        )
        players = [Player(**row) for row in rows]
        known = {player.player_id: player for player in players}
        return (
            known,
            found[0]["found"],
            tuple(Season(**row) for row in named),
            tuple(Title(**row) for row in titles),
        )

    def finished_results(self) -> FinishedResults:
        return FinishedResults(self._pool, self._club_id)

    def checkpoints(self, version: int) -> StoredCheckpoints:
        return StoredCheckpoints(self._pool, self._club_id, version)

    async def everybody(
        self, played: Sequence[UUID]
    ) -> tuple[list[Player], dict[UUID, tuple[datetime, Times]]]:
        """List all people in creation order, each with the start of their last game, if known.

        Forgotten people are included; games that are set aside do not count.
        """
        last = LAST_PLAYED.format(players=list(played), club=self._club_id)
        people, begun = await multi_query(
            self._pool, self._club_id, everybody_query(self._club_id), last
        )
        return (
            [Player(**row) for row in people],
            {row["player_id"]: (row["started_at"], row["times"]) for row in begun},
        )

    async def deal_scores(self, *game_ids: UUID) -> list[StoredDealScore]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            await cursor.execute(_DEAL_SCORES, [self._club_id, list(game_ids)], prepare=True)
            return [_deal_score(row) async for row in cursor]

    async def earlier_deals(self, game_ids: Sequence[UUID]) -> dict[UUID, list[EarlierDeal]]:
        """Return, by game, the deals of the games from which it goes on, numbered from 1."""
        deals: dict[UUID, list[EarlierDeal]] = {}
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            known = {"club": self._club_id, "games": list(game_ids)}
            await cursor.execute(_EARLIER, known, prepare=True)
            async for row in cursor:
                players = tuple(row.pop("players"))
                deal = EarlierDeal(players=players, score=_deal_score(row))
                deals.setdefault(deal.score.game_id, []).append(deal)
        return deals

    async def earlier_games(self, game_ids: Sequence[UUID]) -> list[EarlierGame]:
        """Return the games from which these go on, the first one of each chain first."""
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            known = {"club": self._club_id, "games": list(game_ids)}
            await cursor.execute(_EARLIER_GAMES, known, prepare=True)
            return [EarlierGame(players=tuple(row.pop("players")), **row) async for row in cursor]

    async def project(
        self, game_id: UUID, version: int, summary: GameSummary, deals: Sequence[DealScore]
    ) -> None:
        """Write a game's rows anew, as folded from its entries up to `version`.

        `summary.start` is required; its players are ignored, and times come from the log.

        Raises: VersionConflict (the game has newer entries: fold again), NotFound
        """
        parameters = [
            self._club_id,
            game_id,
            Int4(version),
            json.encode(summary).decode(),
            json.encode(deals).decode(),
        ]
        query = "SELECT carnet.project_game(%s, %s, %s, %s::jsonb, %s::jsonb)"
        try:
            async with connection(self._pool, self._club_id) as conn:
                await conn.execute(query, parameters)
        except Error as error:
            raise translate(error, game_id, version) from error

    async def _games(self, query: Composed) -> tuple[GameInList, ...]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            await cursor.execute(query)
            return tuple([_game(row) async for row in cursor])


class _Absent(Struct):
    """The seats that did not take part in a deal, where the rules know that."""

    absent: tuple[int, ...] = ()


def _at(game: GameInList) -> GameCursor:
    return GameCursor(game.started_at, game.game_id)


def _game(row: dict[str, Any]) -> GameInList:
    row["options"] = Raw(row["options"])
    row["players"] = tuple(row["players"])
    row["totals"] = tuple(row["totals"])
    row["places"] = tuple(row["places"])
    row["took_part"] = tuple(row["took_part"])
    row["description"] = json.decode(row["description"] or b"{}", type=Description)
    return GameInList(**row)


def _deal_score(row: dict[str, Any]) -> StoredDealScore:
    row["detail"] = Raw(row["detail"])
    absent = json.decode(row["detail"], type=_Absent).absent
    row["points"] = tuple(None if seat in absent else won for seat, won in enumerate(row["points"]))
    return StoredDealScore(**row)
