"""An evening as a sheet with a tally."""

from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import urlencode
from uuid import UUID

from litestar import get
from litestar.response import Response
from msgspec import Struct

from domain.games import GAMES
from projections.evenings import Evening, EveningGame, EveningTally
from service.access.admission import Access
from service.dependencies import Id, PageRequest, TheEvenings
from service.store.records import Player
from service.web.format.render import Reader
from service.web.recorder.table.replacement import continuation


class PlayedLine(Struct, frozen=True, kw_only=True):
    """A game of an evening.

    `names` are by seat, `first` are the leading seats, `leaders` their names.

    `won`: first place wins.
    """

    game: EveningGame[UUID]
    names: list[str]
    first: list[int]
    leaders: list[str]
    won: bool


class TallyLine(Struct, frozen=True, kw_only=True):
    """A player's results of an evening."""

    name: str
    tallied: EveningTally[UUID]


class Together(Struct, frozen=True, kw_only=True):
    """Games that went on from one another when somebody left or joined, with added totals."""

    game: EveningGame[UUID]
    games: int
    totals: dict[str, int]


class EveningShown(Struct, frozen=True, kw_only=True):
    """An evening with names in the reader's language.

    `minutes`: its duration, rounded to 15; 0 if it is unknown. `paper`: the address of its PDF.
    """

    evening: Evening[UUID]
    names: list[str]
    tally: list[TallyLine]
    games: list[PlayedLine]
    together: list[Together]
    minutes: int
    paper: str


@get("/evenings/{evening_id:uuid}", opt={"access": Access.MEMBER})
async def evening(request: PageRequest, evenings: TheEvenings, evening_id: Id) -> Response[str]:
    """Show an evening, found by the id of any of its games."""
    reader = Reader(request)
    page = await evenings.evening(evening_id)
    shown = shown_evening(reader, page.evenings[0], page.players)
    last = shown.games[-1].game
    return reader.page("evening.html", shown=shown, last=last, set_aside=page.set_aside)


def shown_evening(
    reader: Reader, evening: Evening[UUID], players: Mapping[UUID, Player]
) -> EveningShown:
    """Return an evening with its names in the reader's language."""

    def called(player: UUID) -> str:
        known = players.get(player)
        return (known.name if known else None) or reader.gettext("Somebody")

    lines: list[PlayedLine] = []
    for game in evening.games:
        names = [called(player) for player in game.players]
        first = [seat for seat, place in enumerate(game.places) if game.decided and place == 1]
        lines.append(
            PlayedLine(
                game=game,
                names=names,
                first=first,
                leaders=[names[seat] for seat in first],
                won=GAMES[game.ruleset].has_winner,
            )
        )
    took = (evening.duration or timedelta(0)).total_seconds() / 60
    return EveningShown(
        evening=evening,
        names=[called(player) for player in evening.people],
        tally=[TallyLine(name=called(one.player), tallied=one) for one in evening.tally],
        games=lines,
        together=_together(lines),
        minutes=15 * round(took / 15),
        paper=f"/history.pdf?{urlencode(_days(evening))}",
    )


def _together(lines: list[PlayedLine]) -> list[Together]:
    left = {line.game.game_id: line for line in lines}
    found: list[Together] = []
    for line in lines:
        chain, totals = 0, dict[str, int]()
        following: PlayedLine | None = left.pop(line.game.game_id, None)
        while following is not None:
            chain += 1
            for name, total in zip(following.names, following.game.totals, strict=True):
                totals[name] = totals.get(name, 0) + total
            following = left.pop(continuation(following.game.game_id), None)
        if chain > 1:
            found.append(Together(game=line.game, games=chain, totals=totals))
    return found


def _days(evening: Evening[UUID]) -> dict[str, str]:
    """Return the filter of the evening's games: moments, or days where only these are known."""
    first, last = evening.started_at, evening.games[-1].started_at + timedelta(minutes=1)
    if any(game.times != "recorded" for game in evening.games):
        return {"from": f"{first:%Y-%m-%d}", "to": f"{last:%Y-%m-%d}"}
    return {"from": first.isoformat(), "to": last.isoformat()}
