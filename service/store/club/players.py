"""People and their names."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg import errors

from schemas.names import normalized_name
from service.errors import AlreadyMerged, NameTaken, NotFound, SameGame
from service.store.club.name_book import NameBook
from service.store.club.quota import Quota
from service.store.connection.pool import Pool, connection, rows_as
from service.store.records import MergedPlayer, Player

_CREATE = """
    INSERT INTO carnet.player (club_id, player_id, name, folded, same_name)
    SELECT %(club)s, %(player)s, %(name)s, %(folded)s,
           EXISTS (SELECT FROM carnet.player WHERE club_id = %(club)s AND folded = %(folded)s)
    WHERE %(same_name)s
       OR NOT EXISTS (SELECT FROM carnet.player WHERE club_id = %(club)s AND folded = %(folded)s)
    ON CONFLICT DO NOTHING
    RETURNING player_id, name, created_at
"""

# An entry's id is also that of the person it was merged into.
_PERSON = """
    (SELECT coalesce(e.person_id, e.player_id) FROM carnet.player e
     WHERE e.club_id = %(club)s AND e.player_id = %(player)s)
"""

_RENAME = f"""
    UPDATE carnet.player p SET name = %(name)s, folded = %(folded)s, same_name = EXISTS (
        SELECT FROM carnet.player o
        WHERE o.club_id = %(club)s AND o.folded = %(folded)s AND o.player_id <> p.player_id
    )
    WHERE p.club_id = %(club)s AND p.player_id = {_PERSON} AND p.name IS NOT NULL
      AND (%(same_name)s OR NOT EXISTS (
          SELECT FROM carnet.player o
          WHERE o.club_id = %(club)s AND o.folded = %(folded)s
            AND coalesce(o.person_id, o.player_id) <> p.player_id
      ))
    RETURNING p.player_id, p.name, p.created_at
"""  # noqa: S608 -- constant parts

_ALL = """
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = %(club)s AND person_id IS NULL ORDER BY created_at, player_id
"""

_BY_IDS = """
    SELECT e.player_id AS asked, p.player_id, p.name, p.created_at
    FROM carnet.player e
    JOIN carnet.player p
      ON p.club_id = %(club)s AND p.player_id = coalesce(e.person_id, e.player_id)
    WHERE e.club_id = %(club)s AND e.player_id = ANY(%(players)s)
"""

_NAMES = """
    SELECT e.player_id AS entry, e.name AS called, p.player_id, p.name, p.created_at
    FROM carnet.player e
    JOIN carnet.player p
      ON p.club_id = %(club)s AND p.player_id = coalesce(e.person_id, e.player_id)
    WHERE e.club_id = %(club)s AND e.name IS NOT NULL AND p.name IS NOT NULL
    ORDER BY e.created_at, e.player_id
"""

_BY_NAME = """
    SELECT coalesce(person_id, player_id) FROM carnet.player
    WHERE club_id = %(club)s AND folded = %(folded)s
    ORDER BY player_id = %(player)s, same_name, created_at LIMIT 1
"""

_MERGED = """
    SELECT player_id, name, merged_into AS into, person_id AS person FROM carnet.player
    WHERE club_id = %(club)s AND person_id IS NOT NULL ORDER BY created_at, player_id
"""

_FORGET = "SELECT carnet.forget_player(%s, %s)"
_MERGE = "SELECT verdict, game_id FROM carnet.merge_players(%s, %s, %s, false)"
_UNDO_MERGE = "SELECT carnet.part_players(%s, %s)"


class Players:
    def __init__(self, pool: Pool, club_id: UUID, quota: Quota | None = None) -> None:
        self._pool = pool
        self._club_id = club_id
        self._quota = quota

    async def create(self, player_id: UUID, name: str, *, same_name: bool = False) -> Player:
        """Add a person under a new id.

        `same_name`: another person may have the same name.

        Raises: QuotaReached, NameTaken
        """
        if self._quota is None or not self._quota.limited:
            return await self._create(player_id, name, same_name=same_name)
        async with self._quota.reserve(people=1):
            return await self._create(player_id, name, same_name=same_name)

    async def all(self) -> list[Player]:
        """List everybody in creation order, forgotten ones included."""
        return await self._rows(_ALL)

    async def by_ids(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        """Read these people; unknown ids are left out, and merged entries lead to their person."""
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True) as cursor,
        ):
            parameters = {"club": self._club_id, "players": list(player_ids)}
            await cursor.execute(_BY_IDS, parameters)
            return {row[0]: _player(row[1:]) async for row in cursor}

    async def names(self) -> NameBook:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True) as cursor,
        ):
            await cursor.execute(_NAMES, {"club": self._club_id})
            return NameBook([(row[0], row[1], _player(row[2:])) async for row in cursor])

    async def rename(self, player_id: UUID, name: str, *, same_name: bool = False) -> Player:
        """Rename a person.

        `same_name`: another person may have the same name.

        Raises: NotFound (unknown or forgotten), NameTaken
        """
        try:
            changed = await self._with_name(_RENAME, player_id, name, same_name=same_name)
        except errors.UniqueViolation:
            raise await self._name_taken_error(name, player_id) from None
        if changed:
            return changed[0]
        known = (await self.by_ids([player_id])).get(player_id)
        if known is None or known.name is None:
            raise NotFound("player", player_id)
        raise await self._name_taken_error(name, player_id)

    async def forget(self, player_id: UUID) -> Player:
        """Remove a person's name for good, with those that were merged; the games stay."""
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_FORGET, [self._club_id, player_id])
            ((person,),) = await rows.fetchall()
        if person is None:
            raise NotFound("player", player_id)
        return (await self.by_ids([person]))[person]

    async def list_merged(self) -> list[MergedPlayer]:
        return await rows_as(
            MergedPlayer, self._pool, self._club_id, _MERGED, {"club": self._club_id}
        )

    async def merge(self, player_id: UUID, into: UUID) -> Player:
        """Make two entries one person, with the name of the second. Idempotent.

        Raises: NotFound (unknown or forgotten), SameGame, AlreadyMerged
        """
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_MERGE, [self._club_id, player_id, into])
            ((verdict, game_id),) = await rows.fetchall()
        known = await self.by_ids([player_id, into])
        match verdict:
            case "unknown":
                missing = [
                    player_id
                    for player_id in (player_id, into)
                    if player_id not in known or not known[player_id].name
                ]
                raise NotFound("player", missing[0] if missing else player_id)
            case "same-game":
                raise SameGame(game_id)
            case "merged-already" | "itself":
                raise AlreadyMerged(known[player_id].player_id)
            case _:
                return known[into]

    async def undo_merge(self, player_id: UUID) -> Player:
        """Undo a merge. Raises: NotFound (it is not merged)."""
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_UNDO_MERGE, [self._club_id, player_id])
            ((parted,),) = await rows.fetchall()
        if not parted:
            raise NotFound("merge", player_id)
        return (await self.by_ids([player_id]))[player_id]

    async def _create(self, player_id: UUID, name: str, *, same_name: bool) -> Player:
        created = await self._with_name(_CREATE, player_id, name, same_name=same_name)
        if not created and same_name:
            # Another request added the same name between the check and the insert.
            created = await self._with_name(_CREATE, player_id, name, same_name=same_name)
        if not created:
            raise await self._name_taken_error(name, player_id)
        return created[0]

    async def _with_name(
        self, query: LiteralString, player_id: UUID, name: str, *, same_name: bool
    ) -> list[Player]:
        key = normalized_name(name)
        return await self._rows(query, player=player_id, name=name, folded=key, same_name=same_name)

    async def _name_taken_error(self, name: str, player_id: UUID) -> NameTaken:
        async with connection(self._pool, self._club_id) as conn:
            parameters = {
                "club": self._club_id,
                "folded": normalized_name(name),
                "player": player_id,
            }
            row = await (await conn.execute(_BY_NAME, parameters)).fetchone()
        return NameTaken(name, row[0] if row else player_id)

    async def _rows(self, query: LiteralString, **parameters: object) -> list[Player]:
        all_parameters = {"club": self._club_id, **parameters}
        return await rows_as(Player, self._pool, self._club_id, query, all_parameters)


def _player(row: tuple[Any, ...]) -> Player:
    player_id, name, created_at = row
    return Player(player_id=player_id, name=name, created_at=created_at)
