"""Checks the groups of merged people and titles, which the log does not cover."""

from collections.abc import Iterator
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from service.store.connection.pool import Connection

# A member is reached from a root, which is merged into nothing. What no root reaches is merged in
# a circle, or into nobody.
_PEOPLE = """
    WITH RECURSIVE member AS (
        SELECT player_id, player_id AS root, name IS NULL AS forgotten FROM carnet.player
        WHERE club_id = %(club)s AND merged_into IS NULL
        UNION ALL
        SELECT p.player_id, m.root, m.forgotten
        FROM carnet.player p JOIN member m ON p.merged_into = m.player_id
        WHERE p.club_id = %(club)s
    )
    SELECT p.player_id, m.root IS NOT NULL,
           p.person_id IS NOT DISTINCT FROM nullif(m.root, p.player_id),
           (p.name IS NULL) = m.forgotten
    FROM carnet.player p LEFT JOIN member m ON m.player_id = p.player_id
    WHERE p.club_id = %(club)s ORDER BY p.created_at, p.player_id
"""

_TITLES = """
    WITH RECURSIVE member AS (
        SELECT title_id, title_id AS root, name IS NULL AS forgotten FROM carnet.title
        WHERE club_id = %(club)s AND merged_into IS NULL
        UNION ALL
        SELECT t.title_id, m.root, m.forgotten
        FROM carnet.title t JOIN member m ON t.merged_into = m.title_id
        WHERE t.club_id = %(club)s
    )
    SELECT t.title_id, m.root IS NOT NULL,
           t.group_id IS NOT DISTINCT FROM nullif(m.root, t.title_id),
           (t.name IS NULL) = m.forgotten
    FROM carnet.title t LEFT JOIN member m ON m.title_id = t.title_id
    WHERE t.club_id = %(club)s ORDER BY t.created_at, t.title_id
"""

_SEATED_TWICE = """
    SELECT game_id, player_id FROM carnet.seated WHERE club_id = %(club)s
    GROUP BY game_id, player_id HAVING count(*) > 1 ORDER BY game_id, player_id
"""


class GroupFault(Struct, frozen=True):
    """A person, a title or a game (`kind`) whose merges are wrong."""

    kind: str
    id: UUID
    what: str


async def group_faults(conn: Connection, club_id: UUID) -> list[GroupFault]:
    club = {"club": club_id}
    faults: list[GroupFault] = []
    queries: tuple[tuple[str, LiteralString], ...] = (("player", _PEOPLE), ("title", _TITLES))
    for kind, query in queries:
        rows = await (await conn.execute(query, club)).fetchall()
        faults += [GroupFault(kind, row, what) for row, *facts in rows for what in _faults(*facts)]
    rows = await (await conn.execute(_SEATED_TWICE, club)).fetchall()
    twice = "player {} has two seats: merged after they had played together"
    return [*faults, *(GroupFault("game", game, twice.format(player)) for game, player in rows)]


def _faults(reached: bool, rooted: bool, forgotten_alike: bool) -> Iterator[str]:  # noqa: FBT001 columns of a row
    if not reached:
        yield "its merges end nowhere: in a circle, or in a row that is missing"
        return
    if not rooted:
        yield "it does not belong to the end of its merges (`carnet rebuild` repairs it)"
    if not forgotten_alike:
        yield "it has a name and the rest of its group has none, or the other way round"
