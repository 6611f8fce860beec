"""Rewrites read models of many games that differ from the log."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from msgspec import Struct, json
from msgspec.structs import asdict
from psycopg import Error
from psycopg.types.numeric import Int4

from service.store.connection.pool import Connection, translate
from service.store.records import DealScore, GameSummary

# Rows as `write_projection` writes them, for entries up to the same version.
_DIFFERENT = """
    SELECT w.game_id
    FROM jsonb_to_recordset(%(wanted)s::jsonb) AS w (
        game_id uuid, version integer, status text, deals integer, totals integer[],
        places smallint[], took_part boolean[], set_aside boolean, detached boolean, start jsonb,
        scores jsonb
    )
    CROSS JOIN LATERAL jsonb_to_record(w.start)
        AS s (ruleset text, options jsonb, seats smallint, started_at timestamptz, times text)
    LEFT JOIN carnet.game g ON g.club_id = %(club)s AND g.game_id = w.game_id
    LEFT JOIN carnet.continuation c ON c.club_id = %(club)s AND c.game_id = w.game_id
    LEFT JOIN carnet.game b ON b.club_id = %(club)s AND b.game_id = c.continues
    LEFT JOIN carnet.entry began
        ON began.club_id = %(club)s AND began.game_id = w.game_id AND began.version = 1
    LEFT JOIN carnet.entry head
        ON head.club_id = %(club)s AND head.game_id = w.game_id AND head.version = w.version
    WHERE (g.version, g.status, g.deals, g.totals, g.places, g.took_part, g.set_aside, g.ruleset,
           g.title_id, g.options,
           g.seats, g.started_at, g.times, g.last_at, g.detached, g.continues, g.deals_before,
           g.continued)
          IS DISTINCT FROM
          (w.version, w.status, w.deals, w.totals, w.places, w.took_part, w.set_aside, s.ruleset,
           (SELECT t.title_id FROM carnet.titled t
            WHERE t.club_id = %(club)s AND t.game_id = w.game_id), s.options,
           s.seats,
           coalesce(b.started_at, CASE WHEN s.times = 'day' THEN s.started_at
                ELSE least(s.started_at, began.recorded_at) END),
           coalesce(b.times, s.times), head.recorded_at, coalesce(w.detached, false), c.continues,
           CASE WHEN w.detached THEN 0 ELSE coalesce(b.deals_before + b.deals, 0) END,
           EXISTS (
               SELECT FROM carnet.continuation a
               JOIN carnet.game n ON n.club_id = %(club)s AND n.game_id = a.game_id
               WHERE a.club_id = %(club)s AND a.continues = w.game_id AND NOT n.detached
           ))
       OR g.players IS DISTINCT FROM ARRAY(
           SELECT t.player_id FROM carnet.seated t
           WHERE t.club_id = %(club)s AND t.game_id = w.game_id ORDER BY t.seat
       )
       OR ARRAY(
           SELECT (p.seat, p.player_id, p.ruleset, p.started_at)::text FROM carnet.game_player p
           WHERE p.club_id = %(club)s AND p.game_id = w.game_id ORDER BY p.seat
       ) IS DISTINCT FROM ARRAY(
           SELECT (t.seat, t.player_id, g.ruleset, g.started_at)::text FROM carnet.seated t
           WHERE t.club_id = %(club)s AND t.game_id = w.game_id ORDER BY t.seat
       )
       OR w.scores IS DISTINCT FROM (
           SELECT coalesce(jsonb_agg(jsonb_build_object(
               'deal', d.deal, 'version', d.version, 'points', d.points, 'detail', d.detail
           ) ORDER BY d.deal), '[]')
           FROM carnet.deal_score d
           JOIN carnet.entry e
             ON e.club_id = d.club_id AND e.game_id = d.game_id AND e.version = d.version
            AND e.recorded_at = d.at
           WHERE d.club_id = %(club)s AND d.game_id = w.game_id
       )
       OR (SELECT count(*) FROM carnet.deal_score d
           WHERE d.club_id = %(club)s AND d.game_id = w.game_id) <> jsonb_array_length(w.scores)
"""

_PROJECT = "SELECT carnet.project_game(%s, %s, %s, %s::jsonb, %s::jsonb)"


class Projection(Struct, frozen=True, kw_only=True):
    """The read models of a game at `version`; `summary.start` is set."""

    game_id: UUID
    version: int
    summary: GameSummary
    scores: tuple[DealScore, ...]


async def differing(
    conn: Connection, club_id: UUID, wanted: Sequence[Projection]
) -> list[Projection]:
    rows = [
        {"game_id": game.game_id, "version": game.version, "scores": game.scores}
        | asdict(game.summary)
        for game in wanted
    ]
    parameters = {"wanted": json.encode(rows).decode(), "club": club_id}
    cursor = await conn.execute(_DIFFERENT, parameters, binary=True)
    different = {row[0] async for row in cursor}
    return [game for game in wanted if game.game_id in different]


async def project(conn: Connection, club_id: UUID, wanted: Projection) -> None:
    """Write the rows of a game.

    Raises: VersionConflict (it has newer entries: fold them first), NotFound.
    """
    parameters = (
        club_id,
        wanted.game_id,
        Int4(wanted.version),
        json.encode(wanted.summary).decode(),
        json.encode(wanted.scores).decode(),
    )
    try:
        await conn.execute(_PROJECT, parameters, prepare=True)
    except Error as error:
        raise translate(error, wanted.game_id, wanted.version) from error


@asynccontextmanager
async def asynchronous_commit(conn: Connection) -> AsyncGenerator[None]:
    """Let commits return before they are on disk, because the rows can be rebuilt."""
    await conn.execute("SET synchronous_commit = off")
    try:
        yield
    finally:
        await conn.execute("RESET synchronous_commit")
