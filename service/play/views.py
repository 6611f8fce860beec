"""What callers see of a game: the game at one version, entries, lines of the list, answers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import Raw, Struct

from domain.table import judgement
from domain.table.correction_effects import DealFate
from domain.table.history import Fallen
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game, Status, is_exact
from domain.table.ways_out import WaysOut
from projections.score_sheet import ScoreSheet
from schemas.catalogue import encode, type_of
from schemas.entries import Entry
from schemas.free_text import is_empty
from schemas.record import Times
from service.store.records import GameInList as ListedGame
from service.store.records import Player, StoredEntry


class PlayerView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who plays; `name` None: forgotten on request."""

    id: UUID
    name: str | None


class GameView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A game at one version.

    `players`: seat 0 first. `deal`: number, from 1, of the deal in progress or else the next one.
    `table` is the ruleset's own picture of the deal; `choices` is what may be entered now.
    `set_aside`, there only where it is true: the game counts nowhere. `exact`, there only where it
    is false: cards moved in too many ways to follow them all, so that in this deal some entries are
    offered and accepted that no deal of the unseen cards allows.
    """

    id: UUID
    ruleset: str
    options: Any
    players: tuple[PlayerView, ...]
    version: int
    status: Literal["open", "finished"]
    deal: int
    phase: str
    to_act: tuple[int, ...]
    hand_counts: tuple[int, ...]
    stock: int
    totals: tuple[int, ...]
    table: Mapping[str, Any]
    choices: tuple[Choice, ...]
    set_aside: bool = False
    exact: bool = True


class EntryView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """An entry with what the log adds to it. `entry` is its JSON, as recorded.

    `part`: which move of the splice `version`, where what stands is told; left out: 0.
    `erased`: what somebody wrote in it in their own words was erased, and is "".
    """

    version: int
    type: str
    recorded_at: datetime
    entry: Raw
    erased: bool = False
    part: int = 0


class GameLine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A game in the list. `deals` counts the ended ones. `set_aside`: it counts nowhere.

    `times`: what is known of when it was played: all of it (`recorded`), when it began (`start`),
    on which day (`day`, in UTC: the hour of `started_at` means nothing), or nothing (`none`).
    """

    id: UUID
    ruleset: str
    options: Raw
    players: tuple[PlayerView, ...]
    version: int
    status: Literal["open", "finished"]
    deals: int
    totals: tuple[int, ...]
    started_at: datetime
    last_at: datetime
    set_aside: bool = False
    times: Times = "recorded"


class Previewed(Struct, frozen=True, kw_only=True):
    """What an entry would do: why it is refused, which later ones would fall, the game after it.

    `deals` and `ways`: what becomes of each deal, and how a correction can be made all the same.
    `waivable`: it would stand if it waived the clause it breaks.
    """

    refusal: Refusal | None
    waivable: bool
    fallen: tuple[Fallen, ...]
    deals: tuple[DealFate, ...]
    ways: WaysOut | None
    state: GameView


class Sheet(Struct, frozen=True, kw_only=True):
    """The score sheet of a game at `version`, and who plays, seat 0 first.

    `erased`: the versions of the rows to which somebody had written what was erased.
    """

    version: int
    players: tuple[PlayerView, ...]
    sheet: ScoreSheet
    erased: tuple[int, ...] = ()


class Change(Struct, frozen=True, kw_only=True, eq=False, weakref=True):
    """What a follower has not seen yet: these entries, and the game after them.

    One object for all who are told the same.
    """

    entries: tuple[EntryView, ...]
    state: GameView


class GameList(Struct, frozen=True, kw_only=True):
    """A page of the list, newest start first. `after`: where the next one begins, if any.

    `set_aside`: how many games are set aside and would fit otherwise.
    """

    games: tuple[GameLine, ...]
    after: str | None
    set_aside: int


def game_view(
    game_id: UUID,
    version: int,
    game: Game,
    standing: tuple[tuple[int, int], ...],
    players: tuple[PlayerView, ...],
    choices: tuple[Choice, ...],
) -> GameView:
    """Show a game as of `version`.

    `standing` are the versions that can be taken back to, told as ranges: their list would be most
    of what is told of a long game. `choices` is what may be entered, corrections aside.
    """
    now = judgement.situation(game)
    return GameView(
        id=game_id,
        ruleset=game.rules.name,
        options=game.options,
        players=players,
        version=version,
        status=status_of(game),
        deal=len(game.deals) + 1,
        phase=now.phase,
        to_act=now.to_act,
        hand_counts=now.hand_counts,
        stock=now.stock,
        totals=game.totals,
        table=now.table,
        choices=(
            *choices,
            Choice("take_back", fields={"to": {"shape": "integer", "ranges": standing}}),
        ),
        set_aside=game.set_aside,
        exact=is_exact(game),
    )


def status_of(game: Game) -> Literal["open", "finished"]:
    """Say whether entries are awaited."""
    return "open" if game.status is Status.OPEN else "finished"


def entry_views(rows: Sequence[StoredEntry]) -> tuple[EntryView, ...]:
    """Show entries as stored."""
    return tuple(
        EntryView(
            version=row.version,
            type=row.type,
            recorded_at=row.recorded_at,
            entry=Raw(row.json),
            erased=row.erased,
        )
        for row in rows
    )


def as_it_stands(
    row: StoredEntry, entry: Entry, erased: frozenset[int], part: int = 0
) -> EntryView:
    """Show a version with what stands there now: after a correction not what is stored there.

    `erased`: the versions whose text is gone (`cache.erased_in`).
    """
    return EntryView(
        version=row.version,
        type=type_of(entry),
        recorded_at=row.recorded_at,
        entry=Raw(encode(entry)),
        erased=row.version in erased and is_empty(entry),
        part=part,
    )


def player_views(ids: Sequence[UUID], known: Mapping[UUID, Player]) -> tuple[PlayerView, ...]:
    """Name these people; one nobody knows has no name."""
    return tuple(
        PlayerView(id=player_id, name=known[player_id].name if player_id in known else None)
        for player_id in ids
    )


def game_line(game: ListedGame, known: Mapping[UUID, Player]) -> GameLine:
    """Show a game in the list."""
    return GameLine(
        id=game.game_id,
        ruleset=game.ruleset,
        options=game.options,
        players=player_views(game.players, known),
        version=game.version,
        status=game.status,
        deals=game.deals,
        totals=game.totals,
        started_at=game.started_at,
        last_at=game.ended_at,
        set_aside=game.set_aside,
        times=game.times,
    )
