"""Titles: what games by points are called, with the options of new games."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import json
from psycopg.errors import UniqueViolation
from psycopg.rows import class_row

from schemas.names import normalized_name
from service.errors import NameTaken, NotFound
from service.store.connection.pool import Pool, connection
from service.store.records import Title

_COLUMNS = "title_id, name, options, created_at"

_ALL = f"""
    SELECT {_COLUMNS} FROM carnet.title
    WHERE club_id = %(club)s AND name IS NOT NULL ORDER BY created_at, title_id
"""  # noqa: S608 -- constant parts

_BY_IDS = f"""
    SELECT {_COLUMNS} FROM carnet.title
    WHERE club_id = %(club)s AND title_id = ANY (%(titles)s)
"""  # noqa: S608 -- constant parts

_BY_NAME = f"""
    SELECT {_COLUMNS} FROM carnet.title WHERE club_id = %(club)s AND folded = %(folded)s
"""  # noqa: S608 -- constant parts

_CREATE = f"""
    INSERT INTO carnet.title (club_id, title_id, name, folded, options)
    VALUES (%(club)s, %(title)s, %(name)s, %(folded)s, %(options)s::jsonb)
    RETURNING {_COLUMNS}
"""  # noqa: S608 -- constant parts

_CHANGE = f"""
    UPDATE carnet.title
    SET name = coalesce(%(name)s, name), folded = coalesce(%(folded)s, folded),
        options = coalesce(%(options)s::jsonb, options)
    WHERE club_id = %(club)s AND title_id = %(title)s AND name IS NOT NULL
    RETURNING {_COLUMNS}
"""  # noqa: S608 -- constant parts

_FORGET = f"""
    UPDATE carnet.title SET name = NULL, folded = NULL
    WHERE club_id = %(club)s AND title_id = %(title)s
    RETURNING {_COLUMNS}
"""  # noqa: S608 -- constant parts

_MERGE = "SELECT carnet.merge_titles(%s, %s, %s)"


class Titles:
    """The titles of one club."""

    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def all(self) -> list[Title]:
        """List the titles with a name in creation order."""
        return await self._rows(_ALL)

    async def get(self, title_id: UUID) -> Title:
        """Read one. Raises: NotFound."""
        return _one_row(await self._rows(_BY_IDS, titles=[title_id]), title_id)

    async def find_by_name(self, name: str) -> Title | None:
        """Find a title by its name, compared as names of people are."""
        titles = await self._rows(_BY_NAME, folded=normalized_name(name))
        return titles[0] if titles else None

    async def create(
        self, title_id: UUID, name: str, options: Mapping[str, Any] | None = None
    ) -> Title:
        """Add a title. Raises: NameTaken."""
        encoded_options = json.encode(options or {}).decode()
        return (await self._named(_CREATE, title_id, name, encoded_options))[0]

    async def change(
        self, title_id: UUID, name: str | None, options: Mapping[str, Any] | None
    ) -> Title:
        """Rename a title, or change the options of new games; None: as before.

        Raises: NotFound, NameTaken
        """
        encoded_options = None if options is None else json.encode(options).decode()
        return _one_row(await self._named(_CHANGE, title_id, name, encoded_options), title_id)

    async def forget(self, title_id: UUID) -> None:
        """Erase the name; the games stay. Idempotent. Raises: NotFound."""
        _one_row(await self._rows(_FORGET, title=title_id), title_id)

    async def merge(self, title_id: UUID, into: UUID) -> Title:
        """Give the games of one title to another, and remove the first. Raises: NotFound."""
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_MERGE, [self._club_id, title_id, into])
            (merged,) = await rows.fetchall()
        if not merged[0]:
            raise NotFound("title", title_id)
        return await self.get(into)

    async def _named(
        self, query: LiteralString, title_id: UUID, name: str | None, options: str | None
    ) -> Sequence[Title]:
        key = None if name is None else normalized_name(name)
        try:
            return await self._rows(query, title=title_id, name=name, folded=key, options=options)
        except UniqueViolation:
            other = await self.find_by_name(name or "")
            raise NameTaken(name or "", other.title_id if other else title_id) from None

    async def _rows(self, query: LiteralString, **facts: object) -> list[Title]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(row_factory=class_row(Title)) as cursor,
        ):
            await cursor.execute(query, {"club": self._club_id, **facts})
            return await cursor.fetchall()


def _one_row(titles: Sequence[Title], title_id: UUID) -> Title:
    if not titles:
        raise NotFound("title", title_id)
    return titles[0]
