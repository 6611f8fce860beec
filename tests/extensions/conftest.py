from tests.http.conftest import game, http
from tests.service.conftest import club, elsewhere, here
from tests.store.conftest import club_id, events, games, owner, players, table

__all__ = [
    "club",
    "club_id",
    "elsewhere",
    "events",
    "game",
    "games",
    "here",
    "http",
    "owner",
    "players",
    "table",
]
