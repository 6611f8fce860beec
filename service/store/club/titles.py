"""Titles: what games by points are called, with the options of new games."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import json
from psycopg.errors import UniqueViolation
from psycopg.sql import SQL

from schemas.names import normalized_name
from service.errors import NotFound, TitleMerged, TitleTaken
from service.store.connection.multi_query import multi_query
from service.store.connection.pool import Pool, connection, rows_as
from service.store.records import MergedTitle, PlayedTitle, Title

_COLUMNS = "title_id, name, options, hidden, created_at"

_ALL = f"""
    SELECT {_COLUMNS} FROM carnet.title
    WHERE club_id = %(club)s AND name IS NOT NULL AND group_id IS NULL
    ORDER BY created_at, title_id
"""  # noqa: S608 -- constant parts

# The id and the name of a merged title are also those of the one it was merged into.
_BY_ID = f"""
    SELECT {_COLUMNS} FROM carnet.title
    WHERE club_id = %(club)s AND title_id = (
        SELECT coalesce(e.group_id, e.title_id) FROM carnet.title e
        WHERE e.club_id = %(club)s AND e.title_id = %(title)s
    )
"""  # noqa: S608 -- constant parts

_BY_NAME = f"""
    SELECT {_COLUMNS} FROM carnet.title
    WHERE club_id = %(club)s AND title_id = (
        SELECT coalesce(e.group_id, e.title_id) FROM carnet.title e
        WHERE e.club_id = %(club)s AND e.folded = %(folded)s
    )
"""  # noqa: S608 -- constant parts

_CREATE = f"""
    INSERT INTO carnet.title (club_id, title_id, name, folded, options)
    VALUES (%(club)s, %(title)s, %(name)s, %(folded)s, %(options)s::jsonb)
    RETURNING {_COLUMNS}
"""  # noqa: S608 -- constant parts

_CHANGE = f"""
    UPDATE carnet.title
    SET name = coalesce(%(name)s, name), folded = coalesce(%(folded)s, folded),
        options = coalesce(%(options)s::jsonb, options),
        hidden = coalesce(%(hidden)s, hidden)
    WHERE club_id = %(club)s AND name IS NOT NULL AND title_id = (
        SELECT coalesce(e.group_id, e.title_id) FROM carnet.title e
        WHERE e.club_id = %(club)s AND e.title_id = %(title)s
    )
    RETURNING {_COLUMNS}
"""  # noqa: S608 -- constant parts

_PLAYED = SQL("""
    SELECT t.title_id, t.name, t.options, t.hidden, t.created_at,
        coalesce(p.games, 0) AS games, p.last_at, coalesce(p.last_times, 'none') AS last_times
    FROM carnet.title t
    LEFT JOIN (
        SELECT g.title_id, count(*) AS games, max(g.started_at) AS last_at,
            (array_agg(g.times ORDER BY g.started_at DESC))[1] AS last_times
        FROM carnet.game g
        WHERE g.club_id = {club} AND g.title_id IS NOT NULL AND NOT g.set_aside
            AND NOT g.continued
        GROUP BY g.title_id
    ) p USING (title_id)
    WHERE t.club_id = {club} AND t.group_id IS NULL
    ORDER BY t.created_at, t.title_id
""")

_MERGED = SQL("""
    SELECT title_id, name, merged_into AS into, group_id AS title FROM carnet.title
    WHERE club_id = {club} AND group_id IS NOT NULL ORDER BY created_at, title_id
""")

_FORGET = "SELECT carnet.forget_title(%s, %s)"
_MERGE = "SELECT carnet.merge_titles(%s, %s, %s, false)"
_UNDO_MERGE = "SELECT carnet.part_titles(%s, %s)"


class Titles:
    """The titles of one club."""

    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def all(self) -> list[Title]:
        """List the titles with a name in creation order, without those that were merged."""
        return await self._rows(_ALL)

    async def get(self, title_id: UUID) -> Title:
        """Read one. Raises: NotFound."""
        return _one_row(await self._rows(_BY_ID, title=title_id), title_id)

    async def find_by_name(self, name: str) -> Title | None:
        """Find a title by its name, compared as names of people are."""
        titles = await self._rows(_BY_NAME, folded=normalized_name(name))
        return titles[0] if titles else None

    async def create(
        self, title_id: UUID, name: str, options: Mapping[str, Any] | None = None
    ) -> Title:
        """Add a title. Raises: TitleTaken."""
        encoded_options = json.encode(options or {}).decode()
        return (await self._named(_CREATE, title_id, name, encoded_options))[0]

    async def change(
        self,
        title_id: UUID,
        name: str | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        hidden: bool | None = None,
    ) -> Title:
        """Rename or hide a title, or change the options of new games; None: as before.

        Raises: NotFound, TitleTaken
        """
        encoded_options = None if options is None else json.encode(options).decode()
        changed = await self._named(_CHANGE, title_id, name, encoded_options, hidden=hidden)
        return _one_row(changed, title_id)

    async def forget(self, title_id: UUID) -> None:
        """Erase the name and those merged into it; the games stay. Idempotent. Raises: NotFound."""
        if await self._call(_FORGET, title_id) is None:
            raise NotFound("title", title_id)

    async def list_merged(self) -> list[MergedTitle]:
        rows = await multi_query(self._pool, self._club_id, _MERGED.format(club=self._club_id))
        return [MergedTitle(**row) for row in rows[0]]

    async def played(self) -> list[PlayedTitle]:
        """List all titles, forgotten ones included, with what was played of them."""
        rows, merged = await multi_query(
            self._pool,
            self._club_id,
            _PLAYED.format(club=self._club_id),
            _MERGED.format(club=self._club_id),
        )
        titles = [MergedTitle(**row) for row in merged]
        return [
            PlayedTitle(
                title=Title(**{name: row[name] for name in Title.__struct_fields__}),
                games=row["games"],
                last_at=row["last_at"],
                last_times=row["last_times"],
                merged=tuple(title for title in titles if title.title == row["title_id"]),
            )
            for row in rows
        ]

    async def merge(self, title_id: UUID, into: UUID) -> Title:
        """Make two titles one, with the name and options of the second. Idempotent.

        Raises: NotFound (unknown or forgotten), TitleMerged
        """
        match await self._call(_MERGE, title_id, into):
            case "merged":
                return await self.get(into)
            case "merged-already" | "itself":
                raise TitleMerged((await self.get(title_id)).title_id)
            case _:
                raise NotFound("title", title_id)

    async def undo_merge(self, title_id: UUID) -> Title:
        """Undo a merge. Raises: NotFound (it is not merged)."""
        if not await self._call(_UNDO_MERGE, title_id):
            raise NotFound("merge", title_id)
        return await self.get(title_id)

    async def _call(self, function: LiteralString, *arguments: UUID) -> object:
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(function, [self._club_id, *arguments])
            ((answer,),) = await rows.fetchall()
        return answer

    async def _named(
        self,
        query: LiteralString,
        title_id: UUID,
        name: str | None,
        options: str | None,
        **facts: object,
    ) -> Sequence[Title]:
        key = None if name is None else normalized_name(name)
        facts |= {"title": title_id, "name": name, "folded": key, "options": options}
        try:
            return await self._rows(query, **facts)
        except UniqueViolation:
            other = await self.find_by_name(name or "")
            raise TitleTaken(name or "", other.title_id if other else title_id) from None

    async def _rows(self, query: LiteralString, **facts: object) -> list[Title]:
        return await rows_as(
            Title, self._pool, self._club_id, query, {"club": self._club_id, **facts}, binary=False
        )


def _one_row(titles: Sequence[Title], title_id: UUID) -> Title:
    if not titles:
        raise NotFound("title", title_id)
    return titles[0]
