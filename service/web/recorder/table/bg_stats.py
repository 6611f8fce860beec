"""The link that hands a finished game to the BG Stats app (its "create play" address)."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from msgspec import json

from domain.table.rules import Ranking
from service.play.snapshots import GameSnapshot

_ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="


def bg_stats_link(
    moment: GameSnapshot, title: str, names: list[str], ranking: Ranking, at: datetime
) -> str:
    """Return the address that records the game there.

    `at` is when it ended. The app requires `startPlayer` and `winner` for every player; who began
    is not known, so it is nobody.
    """
    totals = moment.loaded.history.game.totals
    places: dict[int, int] = {}
    for level in ranking:
        places |= dict.fromkeys(level, 1 + len(places))
    first = [seat for seat, place in places.items() if place == 1]
    play: dict[str, Any] = {
        "sourceName": "Carnet",
        "sourcePlayId": str(moment.id),
        "playDate": at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": title,
            "sourceGameId": str(moment.title.title_id) if moment.title else moment.ruleset,
            "highestWins": all(totals[seat] == max(totals) for seat in first),
            "noPoints": False,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": str(player.id),
                "startPlayer": False,
                "score": totals[seat],
                "rank": places[seat],
                "winner": places[seat] == 1,
            }
            for seat, (name, player) in enumerate(zip(names, moment.players, strict=True))
        ],
    }
    return _ADDRESS + quote(json.encode(play), safe="")
