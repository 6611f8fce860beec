"""Descriptions of games (place, tags), and the values by which lists can be filtered."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from service.errors import NotFound
from service.store.connection.multi_query import Row, multi_query
from service.store.connection.pool import Pool, connection
from service.store.read_models.listing import everybody_query
from service.store.records import Description, Player, Season, Title

_DESCRIPTION = SQL("""
    SELECT d.place, d.tags FROM carnet.game g
    LEFT JOIN carnet.game_description d USING (club_id, game_id)
    WHERE g.club_id = {club} AND g.game_id = {game}
""")

_DESCRIBE = SQL("""
    INSERT INTO carnet.game_description (club_id, game_id, place, tags)
    SELECT g.club_id, g.game_id, %(place)s, %(tags)s FROM carnet.game g
    WHERE g.club_id = %(club)s AND g.game_id = %(game)s
    ON CONFLICT (club_id, game_id) {unless}
""")
_REPLACING = SQL("DO UPDATE SET place = excluded.place, tags = excluded.tags")
_KEEPING = SQL("DO NOTHING")

_PLACES = SQL("""
    SELECT place AS word, count(*) AS games FROM carnet.game_description
    WHERE club_id = {club} AND place <> '' GROUP BY place ORDER BY games DESC, place LIMIT {most}
""")

_TAGS = SQL("""
    SELECT tag AS word, count(*) AS games
    FROM carnet.game_description, unnest(tags) AS tag
    WHERE club_id = {club} GROUP BY tag ORDER BY games DESC, tag LIMIT {most}
""")

SEASONS = SQL("""
    SELECT season_id, name, first_day, last_day FROM carnet.season
    WHERE club_id = {club} ORDER BY first_day DESC, last_day DESC, season_id
""")

TITLES = SQL("""
    SELECT title_id, name, options, hidden, created_at FROM carnet.title
    WHERE club_id = {club} AND group_id IS NULL ORDER BY created_at, title_id
""")

_RECENT = SQL("""
    SELECT ruleset, title_id, players FROM carnet.game
    WHERE club_id = {club} AND NOT set_aside AND NOT continued
    ORDER BY started_at DESC, game_id DESC LIMIT {most}
""")

WORDS_MAX = 200
RECENT_MAX = 100


class RecentGame(Struct, frozen=True, kw_only=True):
    """The rules, the title and the players of a recent game."""

    ruleset: str
    title_id: UUID | None
    players: tuple[UUID, ...]


class FilterValues(Struct, frozen=True, kw_only=True):
    """The values by which a list can be filtered; places and tags, the most frequent first.

    `said`: the description of the requested game. `recent`: the last games, the newest first, if
    they were requested.
    """

    players: tuple[Player, ...]
    places: tuple[str, ...]
    tags: tuple[str, ...]
    seasons: tuple[Season, ...]
    titles: tuple[Title, ...] = ()
    said: Description = Description()
    recent: tuple[RecentGame, ...] = ()


class Descriptions:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def of_game(self, game_id: UUID) -> Description:
        async with connection(self._pool, self._club_id) as conn:
            query = _DESCRIPTION.format(club=self._club_id, game=game_id)
            row = await (await conn.execute(query)).fetchone()
        if row is None:
            raise NotFound("game", game_id)
        return Description(place=row[0] or "", tags=tuple(row[1] or ()))

    async def of_game_and_known(
        self, game_id: UUID
    ) -> tuple[Description, tuple[str, ...], tuple[str, ...]]:
        """Read the description of a game, and the places and tags of all, in one round trip."""
        words = {"club": self._club_id, "most": WORDS_MAX}
        one = _DESCRIPTION.format(club=self._club_id, game=game_id)
        described, places, tags = await multi_query(
            self._pool, self._club_id, one, _PLACES.format(**words), _TAGS.format(**words)
        )
        if not described:
            raise NotFound("game", game_id)
        return (
            _description_of(described),
            tuple(row["word"] for row in places),
            tuple(row["word"] for row in tags),
        )

    async def describe(self, game_id: UUID, description: Description) -> None:
        if not await self._write(game_id, description, _REPLACING):
            raise NotFound("game", game_id)

    async def describe_new(self, game_id: UUID, description: Description) -> None:
        """Describe a game unless it has a description."""
        if description != Description():
            await self._write(game_id, description, _KEEPING)

    async def _write(self, game_id: UUID, description: Description, on_conflict: SQL) -> bool:
        facts: dict[str, Any] = {"club": self._club_id, "game": game_id}
        facts |= {"place": description.place, "tags": list(description.tags)}
        async with connection(self._pool, self._club_id) as conn:
            return (await conn.execute(_DESCRIBE.format(unless=on_conflict), facts)).rowcount > 0

    async def filter_values(
        self, like: UUID | None = None, *, recent: bool = False
    ) -> FilterValues:
        """Read the filter values, and the description of a game, in one round trip."""
        words = {"club": self._club_id, "most": WORDS_MAX}
        statements = [
            everybody_query(self._club_id),
            _PLACES.format(**words),
            _TAGS.format(**words),
            SEASONS.format(club=self._club_id),
            TITLES.format(club=self._club_id),
            _RECENT.format(club=self._club_id, most=RECENT_MAX if recent else 0),
        ]
        if like is not None:
            statements.append(_DESCRIPTION.format(club=self._club_id, game=like))
        players, places, tags, seasons, titles, games, *ones = await multi_query(
            self._pool, self._club_id, *statements
        )
        return FilterValues(
            players=tuple(Player(**row) for row in players),
            places=tuple(row["word"] for row in places),
            tags=tuple(row["word"] for row in tags),
            seasons=tuple(Season(**row) for row in seasons),
            titles=tuple(Title(**row) for row in titles),
            said=_description_of(ones[0]) if ones else Description(),
            recent=tuple(RecentGame(**{**row, "players": tuple(row["players"])}) for row in games),
        )


def _description_of(rows: Sequence[Row]) -> Description:
    (row,) = rows or [{"place": None, "tags": None}]
    return Description(place=row["place"] or "", tags=tuple(row["tags"] or ()))
