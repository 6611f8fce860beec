"""Queries for lists of games."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL, Composable, Composed

from service.errors import MalformedCursor
from service.store.records import SetAside, Status

Order = Literal["newest first", "oldest first"]

_YEAR_1 = datetime.min.replace(tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NOON = timedelta(hours=12)
# Any text of this form can be read: 14 digits reach the year 2284.
_CURSOR = re.compile(r"([0-9a-f]{14})([0-9a-f]{32})")

_COLUMNS = SQL("""
    g.game_id, g.ruleset, g.options::text AS options, g.seats, g.players, g.status, g.version,
    g.deals + g.deals_before AS deals, g.totals, g.places, g.took_part, g.set_aside, g.started_at,
    g.times,
    g.last_at,
    (SELECT json_build_object('place', d.place, 'tags', d.tags)::text
     FROM carnet.game_description d
     WHERE d.club_id = {club} AND d.game_id = g.game_id) AS description,
    g.title_id,
    (SELECT t.name FROM carnet.title t
     WHERE t.club_id = {club} AND t.title_id = g.title_id) AS title_name,
    g.continues, g.deals_before
""")

_GAMES = SQL("""
    SELECT {columns} FROM {source} WHERE {conditions}
    ORDER BY {of}.started_at {direction}, {of}.game_id {direction} LIMIT {limit}
""")

_COUNT = SQL("""
    SELECT count(*) AS found FROM (SELECT FROM {source} WHERE {conditions} LIMIT {most}) found
""")

# An entry's id is also that of the person it was merged into.
_PERSON = SQL("""
    (SELECT coalesce(e.person_id, e.player_id) FROM carnet.player e
     WHERE e.club_id = {club} AND e.player_id = {player})
""")

_PEOPLE = SQL("""
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = {club} AND player_id IN (
        SELECT coalesce(e.person_id, e.player_id) FROM carnet.player e
        WHERE e.club_id = {club} AND e.player_id = ANY ({ids}::uuid[])
    )
""")

_EVERYBODY = SQL("""
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = {club} AND person_id IS NULL ORDER BY created_at, player_id
""")

_PLAYERS = SQL("""
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = {club} AND player_id IN (SELECT unnest(g.players) FROM ({games}) g)
""")

_DEALS = SQL("""
    SELECT game_id, deal, version, points, detail::text AS detail, at
    FROM carnet.deal_score
    WHERE club_id = {club} AND game_id IN (SELECT g.game_id FROM ({games}) g)
    ORDER BY game_id, deal
""")

_PLACE = SQL("""
    g.game_id IN (SELECT d.game_id FROM carnet.game_description d
                  WHERE d.club_id = {club} AND d.place ~ {place})
""")

_TAG = SQL("""
    g.game_id IN (SELECT d.game_id FROM carnet.game_description d
                  WHERE d.club_id = {club}
                  AND EXISTS (SELECT FROM unnest(d.tags) AS t (tag) WHERE t.tag ~ {tag}))
""")

_TEXT = SQL("""
    (g.game_id IN (SELECT d.game_id FROM carnet.game_description d
                   WHERE d.club_id = {club}
                   AND concat_ws(E'\\n', d.place, array_to_string(d.tags, E'\\n')) ~ {pattern})
     -- A note of a game is one of those that go on from it, too.
     OR g.game_id IN (WITH RECURSIVE noted AS (
                          SELECT t.game_id FROM carnet.free_text t
                          WHERE t.club_id = {club}
                          AND CASE WHEN position('\\x00'::bytea IN t.text) = 0
                              THEN convert_from(t.text, 'UTF8') END ~ {pattern}
                          UNION
                          SELECT c.game_id FROM noted n JOIN carnet.continuation c
                          ON c.club_id = {club} AND c.continues = n.game_id
                      ) SELECT game_id FROM noted)
     OR g.players && ARRAY(SELECT q.player_id FROM carnet.player q
                           WHERE q.club_id = {club} AND q.name ~ {pattern}))
""")

# Games of one player are found and ordered by `game_player`, all games by `game`.
_ALL_GAMES = SQL("carnet.game AS g")
_GAMES_OF_PLAYER = SQL("carnet.game_player AS p JOIN carnet.game AS g USING (club_id, game_id)")


class Bound(Struct, frozen=True):
    """A bound of a period. `day`: its local time, marked as UTC, for games without an hour.

    Such a game is stored at noon of its day in UTC, which is another day in Auckland.
    """

    at: datetime
    day: datetime


class GameFilter(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Conditions on games; a listed game meets all that are set.

    `started_from` is inclusive, `started_before` exclusive. `others`: further players of the game.
    `games`: only these; `game_id`: one game, even if it goes on as another. `place` and `tag` match
    a whole value; `text` matches a part of a place, tag, name or note. Case is ignored. Games that
    are set aside are excluded by default.
    """

    game_id: UUID | None = None
    games: tuple[UUID, ...] | None = None
    player: UUID | None = None
    others: tuple[UUID, ...] = ()
    ruleset: str | None = None
    title: UUID | None = None
    status: Status | None = None
    started_from: Bound | None = None
    started_before: Bound | None = None
    set_aside: SetAside = "exclude"
    place: str | None = None
    tag: str | None = None
    text: str | None = None

    @property
    def earliest(self) -> datetime | None:
        begin = self.started_from
        return min(begin.at, begin.day) if begin else None

    @property
    def latest(self) -> datetime | None:
        end = self.started_before
        return max(end.at, end.day) if end else None


class GameCursor(Struct, frozen=True, forbid_unknown_fields=True, array_like=True, order=True):
    """A position in the list of games: after this game."""

    started_at: datetime
    game_id: UUID

    def text(self) -> str:
        """Return the cursor as 46 hexadecimal digits: microseconds since the year 1, and the id."""
        return f"{(self.started_at - _YEAR_1) // _MICROSECOND:014x}{self.game_id.hex}"

    @classmethod
    def parse(cls, text: str) -> "GameCursor":
        """Parse the result of `text`. Raises: MalformedCursor."""
        match = _CURSOR.fullmatch(text)
        if match is None:
            raise MalformedCursor(text)
        return cls(_YEAR_1 + int(match[1], 16) * _MICROSECOND, UUID(match[2]))


def games_query(
    club_id: UUID,
    which: GameFilter,
    after: GameCursor | None,
    limit: int,
    order: Order = "newest first",
) -> Composed:
    newest = order == "newest first"
    return _GAMES.format(
        columns=_COLUMNS.format(club=club_id),
        source=_source(which),
        conditions=SQL(" AND ").join(
            [*_conditions(club_id, which), *_after_cursor(which, after, newest=newest)]
        ),
        of=_table_alias(which),
        direction=SQL("DESC" if newest else "ASC"),
        limit=limit,
    )


def up_to_query(club_id: UUID, game_id: UUID, limit: int) -> Composed:
    """Return the query of a game and the games started before it, newest first, none set aside."""
    begun = "SELECT started_at, game_id FROM carnet.game WHERE club_id = {} AND game_id = {}"
    conditions = SQL(
        "g.club_id = {} AND NOT g.set_aside AND NOT g.continued"
        " AND (g.started_at, g.game_id) <= ({})"
    )
    return _GAMES.format(
        columns=_COLUMNS.format(club=club_id),
        source=_ALL_GAMES,
        conditions=conditions.format(club_id, SQL(begun).format(club_id, game_id)),
        of=SQL("g"),
        direction=SQL("DESC"),
        limit=limit,
    )


def players_query(club_id: UUID, games: Composed) -> Composed:
    return _PLAYERS.format(club=club_id, games=games)


def deals_query(club_id: UUID, games: Composed) -> Composed:
    """Return the query of the deal scores of the games of another query."""
    return _DEALS.format(club=club_id, games=games)


def everybody_query(club_id: UUID) -> Composed:
    return _EVERYBODY.format(club=club_id)


def people_query(club_id: UUID, ids: Sequence[UUID]) -> Composed:
    return _PEOPLE.format(club=club_id, ids=list(ids))


def count_query(
    club_id: UUID, which: GameFilter, after: GameCursor | None = None, most: int | None = None
) -> Composed:
    """Return the query that counts matching games after a position, up to `most`."""
    conditions = SQL(" AND ").join(
        [*_conditions(club_id, which), *_after_cursor(which, after, newest=True)]
    )
    return _COUNT.format(source=_source(which), conditions=conditions, most=most)


def games_source(which: GameFilter) -> SQL:
    return _source(which)


def games_conditions(club_id: UUID, which: GameFilter, after: GameCursor | None) -> Composed:
    return SQL(" AND ").join(
        [*_conditions(club_id, which), *_after_cursor(which, after, newest=False)]
    )


def _source(which: GameFilter) -> SQL:
    return _ALL_GAMES if which.player is None else _GAMES_OF_PLAYER


def _table_alias(which: GameFilter) -> SQL:
    return SQL("g" if which.player is None else "p")


def _conditions(club_id: UUID, which: GameFilter) -> Iterable[Composable]:
    of = _table_alias(which)
    yield SQL("{}.club_id = {}").format(of, club_id)
    if which.game_id is not None:
        yield SQL("{}.game_id = {}").format(of, which.game_id)
    else:
        # The game as which it goes on counts for both, unless that was undone.
        yield SQL("NOT g.continued AND NOT g.detached")
    if which.games is not None:
        yield SQL("{}.game_id = ANY ({})").format(of, list(which.games))
    if which.player is not None:
        yield SQL("p.player_id = {}").format(_PERSON.format(club=club_id, player=which.player))
    if which.ruleset is not None:
        yield SQL("{}.ruleset = {}").format(of, which.ruleset)
    if which.title is not None:
        yield SQL(
            "g.title_id = (SELECT coalesce(t.group_id, t.title_id) FROM carnet.title t"
            " WHERE t.club_id = {} AND t.title_id = {})"
        ).format(club_id, which.title)
    if which.status is not None:
        yield SQL("g.status = {}").format(which.status)
    if which.set_aside != "include":
        yield SQL("g.set_aside" if which.set_aside == "only" else "NOT g.set_aside")
    if which.others:
        others = [_PERSON.format(club=club_id, player=other) for other in which.others]
        yield SQL("g.players @> ARRAY[{}]").format(SQL(", ").join(others))
    yield from _place_and_tag_conditions(club_id, which)
    for bound, sign in ((which.started_from, SQL(">=")), (which.started_before, SQL("<"))):
        if bound is not None:
            yield from _bounded(of, sign, bound)


def _bounded(of: SQL, sign: SQL, bound: Bound) -> Iterable[Composable]:
    if abs(bound.day - bound.at) < _NOON:  # noon in UTC is on the same day there
        yield SQL("{}.started_at {} {}").format(of, sign, bound.at)
        return
    first, last = sorted((bound.at, bound.day))
    # The outer limit is for the index.
    yield SQL("{}.started_at {} {}").format(of, sign, first if sign == SQL(">=") else last)
    yield SQL("{}.started_at {} CASE WHEN g.times = 'day' THEN {} ELSE {} END").format(
        of, sign, bound.day, bound.at
    )


def _place_and_tag_conditions(club_id: UUID, which: GameFilter) -> Iterable[Composable]:
    if which.place is not None:
        yield _PLACE.format(club=club_id, place=rf"\A{_any_case(which.place)}\Z")
    if which.tag is not None:
        yield _TAG.format(club=club_id, tag=rf"\A{_any_case(which.tag)}\Z")
    if which.text is not None:
        yield _TEXT.format(club=club_id, pattern=_any_case(which.text))


def _any_case(text: str) -> str:
    return "".join(_case_variants(sign) for sign in text)


def _case_variants(sign: str) -> str:
    cases = {sign, sign.lower(), sign.upper()}
    if len(cases) > 1:
        return f"[{''.join(sorted(case for case in cases if len(case) == 1))}]"
    return f"\\{sign}" if sign.isascii() and not sign.isalnum() else sign


def _after_cursor(
    which: GameFilter, after: GameCursor | None, *, newest: bool
) -> Iterable[Composable]:
    if after is not None:
        place = SQL("({of}.started_at, {of}.game_id) {sign} ({at}, {game})")
        sign = SQL("<" if newest else ">")
        yield place.format(
            of=_table_alias(which), sign=sign, at=after.started_at, game=after.game_id
        )
