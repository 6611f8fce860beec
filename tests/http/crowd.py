"""A club that has played very many games, written straight into the database."""

from datetime import UTC, datetime
from uuid import UUID

import psycopg

from service.store.records import DEFAULT_CLUB
from tests.depth import run_size

GAMES = run_size(10_000, deep=100_000)
DEALS = 3
PLAYERS = [UUID(int=number) for number in range(1, 41)]
START = datetime(2020, 1, 1, tzinfo=UTC)

_PLAYERS = """
    INSERT INTO carnet.player (club_id, player_id, name, folded, same_name)
    SELECT %(club)s, player_id, 'Player ' || n, 'player ' || n, true
    FROM unnest(%(players)s::uuid[]) WITH ORDINALITY AS p (player_id, n)
"""

_GAMES = """
    INSERT INTO carnet.game (club_id, game_id, ruleset, options, seats, players, status, version,
                             deals, totals, places, took_part, started_at, last_at)
    SELECT %(club)s, gen_random_uuid(), 'euchre', '{"deck": 24}', 2,
           ARRAY[%(players)s[1 + n %% 39], %(players)s[40]], 'finished', 8, %(deals)s,
           '{10,-4}', '{1,2}', '{t,t}',
           %(start)s + n * interval '1 minute', %(start)s + n * interval '1 minute'
    FROM generate_series(1, %(games)s) AS n
"""

_GAME_PLAYERS = """
    INSERT INTO carnet.game_player (club_id, game_id, seat, player_id, ruleset, started_at)
    SELECT g.club_id, g.game_id, p.seat - 1, p.player_id, g.ruleset, g.started_at
    FROM carnet.game g, unnest(g.players) WITH ORDINALITY AS p (player_id, seat)
    WHERE g.club_id = %(club)s
"""

_DEAL_SCORES = """
    INSERT INTO carnet.deal_score (club_id, game_id, deal, version, points, detail, at)
    SELECT g.club_id, g.game_id, deal, 1 + 2 * deal, '{2,-1}', '{"maker": 0}', g.started_at
    FROM carnet.game g, generate_series(1, %(deals)s) AS deal
    WHERE g.club_id = %(club)s
"""


def insert_games(url: str, games: int = GAMES, club: UUID = DEFAULT_CLUB) -> None:
    """Write `games` finished games of two players and three deals; `url` is the owner's."""
    facts = {"club": club, "players": PLAYERS, "start": START, "games": games, "deals": DEALS}
    with psycopg.connect(url, autocommit=True) as conn:
        for statement in (_PLAYERS, _GAMES, _GAME_PLAYERS, _DEAL_SCORES):
            conn.execute(statement, facts)
        conn.execute("ANALYZE carnet.game, carnet.game_player, carnet.deal_score")
