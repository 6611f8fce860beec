"""Past games for tests of exports of many."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import UUID

from msgspec import Raw

from domain.games import GAMES
from projections.ratings import PlackettLuce
from projections.standings import GameResult, Standings
from schemas.history import PastDeal, PastGame, PastPlayer
from service.export.game.game import LogLine
from service.export.history.ranking import Ranking
from service.export.history.rows import PlayedGame, Writing
from service.export.history.writer import ExportContext
from service.language.texts import texts
from service.store.records import Description

STARTED = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
NOTHING_SAID = Description()


def played(
    number: int,
    names: Sequence[str | None],
    totals: Sequence[int],
    ruleset: str = "euchre",
    status: Literal["open", "finished"] = "finished",
    said: Description = NOTHING_SAID,
) -> PlayedGame:
    """Return game number `number`; the most points win."""
    at = STARTED + timedelta(days=number)
    return PlayedGame(
        game=PastGame(
            id=str(UUID(int=number)),
            ruleset=ruleset,
            title=ruleset,
            options=Raw(b"{}"),
            status=status,
            started_at=at,
            last_at=at + timedelta(hours=1),
            version=3,
            players=tuple(PastPlayer(id=str(UUID(int=hash_of(name))), name=name) for name in names),
            deals=(PastDeal(deal=1, version=3, points=tuple(totals), at=at),),
            totals=tuple(totals),
            places=tuple(1 + sum(other > total for other in totals) for total in totals),
            took_part=(status == "finished",) * len(totals),
            place=said.place,
            tags=said.tags,
        ),
        deals=1,
        log=(
            LogLine(version=1, type="started", recorded_at=at, seat=None, entry="{}"),
            LogLine(version=2, type="adjust", recorded_at=at, seat=0, entry='{"points":-3}'),
        ),
    )


def hash_of(name: str | None) -> int:
    return int.from_bytes((name or "").encode()[:16], "big")


def ranking(games: Sequence[PlayedGame]) -> Ranking:
    fold: Standings[UUID] = Standings(PlackettLuce())
    names: dict[UUID, str | None] = {}
    for one in games:
        game = one.game
        ids = tuple(UUID(player.id) for player in game.players)
        names |= dict(zip(ids, one.names, strict=True))
        fold.add(
            GameResult(
                game_id=UUID(game.id),
                title=game.title,
                started_at=game.started_at,
                deals=one.deals,
                players=ids,
                totals=game.totals,
                places=game.places,
                took_part=game.took_part,
                counted={
                    one.name: (0,) * len(ids) for one in GAMES[game.ruleset].standings_columns
                },
            )
        )
    return Ranking(rulesets=fold.all(), names=names)


def context(lang: str = "en", filters: Sequence[str] = ()) -> ExportContext:
    return ExportContext(
        words=Writing(lang=lang, texts=texts()),
        filters=tuple(filters),
        made=STARTED + timedelta(days=60),
        zone=UTC,
        schema="https://carnet.example/schema/history-1.json",
    )
