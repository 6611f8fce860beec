"""People and their names."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg import errors
from psycopg.rows import class_row

from schemas.names import normalized_name, similar_spellings
from service.errors import AlreadyMerged, NameTaken, NotFound, SameGame
from service.store.club.quota import Quota
from service.store.connection.pool import Pool, connection
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

_FORGET = f"""
    UPDATE carnet.player SET name = NULL, folded = NULL, same_name = false
    WHERE club_id = %(club)s AND coalesce(person_id, player_id) = {_PERSON}
    RETURNING player_id, name, created_at
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

_MERGE = "SELECT verdict, game_id FROM carnet.merge_players(%s, %s, %s)"
_UNDO_MERGE = "SELECT carnet.part_players(%s, %s)"

Choices = Mapping[str, UUID | str]


class NameBook:
    """All people with a name, indexed by folded names.

    The name of a merged entry leads to its person. `called`: id and name of each entry with its
    person. `choices`: per folded name a chosen person, or another name to use instead.
    """

    def __init__(
        self,
        called: Sequence[tuple[UUID, str, Player]] = (),
        choices: Choices | None = None,
    ) -> None:
        self._entries = called
        self._people = {entry: player for entry, _, player in called}
        self._choices = choices or {}
        self._called: dict[str, list[tuple[str, Player]]] = {}
        self._like: dict[str, list[Player]] = {}
        for _, name, player in called:
            self._called.setdefault(normalized_name(name), []).append((name, player))
            for key in similar_spellings(name):
                self._like.setdefault(key, []).append(player)

    def with_choices(self, choices: Choices) -> "NameBook":
        """Return the same people with some ambiguous names resolved."""
        return NameBook(self._entries, choices)

    def everybody(self) -> tuple[Player, ...]:
        return _distinct(player for _, _, player in self._entries)

    def merged_into(self, player_id: UUID) -> tuple[tuple[UUID, str], ...]:
        return tuple(
            (entry, name)
            for entry, name, player in self._entries
            if player.player_id == player_id and entry != player_id
        )

    def person(self, player_id: UUID) -> Player | None:
        """Find a person by the id of any of their entries; None: unknown or forgotten."""
        return self._people.get(player_id)

    def find(self, name: str, seated: Container[UUID] = ()) -> Player | None:
        """Find a person of this name who is not `seated`, an exact spelling first."""
        chosen = self.chosen(name)
        if chosen is not None and chosen.player_id not in seated:
            return chosen
        named = self._called.get(normalized_name(name), [])
        free = [one for one in named if one[1].player_id not in seated]
        free.sort(key=lambda one: one[0] != name)
        return free[0][1] if free else None

    def chosen(self, name: str) -> Player | None:
        choice = self._choices.get(normalized_name(name))
        return self._people.get(choice) if isinstance(choice, UUID) else None

    def meant(self, name: str) -> str:
        """Return the name that was chosen instead of this one, or this one."""
        choice = self._choices.get(normalized_name(name))
        return choice if isinstance(choice, str) else name

    def find_all(self, name: str) -> tuple[Player, ...]:
        return _distinct(player for _, player in self._called.get(normalized_name(name), []))

    def like(self, name: str) -> tuple[Player, ...]:
        """List people whose names differ from this one in accents, hyphens or spaces only."""
        same = {player.player_id for player in self.find_all(name)}
        found = _distinct(
            player for key in similar_spellings(name) for player in self._like.get(key, [])
        )
        return tuple(player for player in found if player.player_id not in same)


def _distinct(players: Iterable[Player]) -> tuple[Player, ...]:
    return tuple({player.player_id: player for player in players}.values())


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
        parameters = {
            "player": player_id,
            "name": name,
            "folded": normalized_name(name),
            "same_name": same_name,
        }
        try:
            changed = await self._rows(_RENAME, **parameters)
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
        changed = await self._rows(_FORGET, player=player_id)
        if not changed:
            raise NotFound("player", player_id)
        return changed[0]

    async def list_merged(self) -> list[MergedPlayer]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(MergedPlayer)) as cursor,
        ):
            await cursor.execute(_MERGED, {"club": self._club_id})
            return await cursor.fetchall()

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
                    one for one in (player_id, into) if one not in known or not known[one].name
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
        parameters = {
            "player": player_id,
            "name": name,
            "folded": normalized_name(name),
            "same_name": same_name,
        }
        # Another request may add the same name between the check and the insert.
        created = await self._rows(_CREATE, **parameters) or (
            await self._rows(_CREATE, **parameters) if same_name else []
        )
        if not created:
            raise await self._name_taken_error(name, player_id)
        return created[0]

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
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(Player)) as cursor,
        ):
            all_parameters = {"club": self._club_id, **parameters}
            await cursor.execute(query, all_parameters)
            return await cursor.fetchall()


def _player(row: tuple[Any, ...]) -> Player:
    player_id, name, created_at = row
    return Player(player_id=player_id, name=name, created_at=created_at)
