"""The views of a game: state, entries, list lines, results of commands."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import Raw, Struct

from domain.table import judgement
from domain.table.correction_effects import DealFate
from domain.table.correction_repairs import Repairs
from domain.table.history import FallenEntry
from domain.table.refusal import Refusal
from domain.table.rules import Choice, FreeField, Game, Status, is_exact
from projections.score_sheet import ScoreSheet
from schemas.catalogue import encode, type_of
from schemas.entries import Entry
from schemas.free_text import is_empty
from schemas.record import Times
from service.store.records import ChainPlace, GameTitle, Player, StoredEntry
from service.store.records import GameInList as ListedGame

# About a deal each.
RANGES_MAX = 4


class PlayerView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: UUID
    name: str | None


class GameView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A game at one version.

    `title`: the id of its title, or the ruleset, which is its own title; `title_name`: its name.
    `players`: seat 0 first. `deal`: number, from 1, of the current or next deal. `table`: the state
    of the deal, in the shape of its ruleset; `choices`: the entries that are legal now. `set_aside`
    is true or absent: the game counts nowhere. `exact` is false or absent: so many cards moved
    unseen that some choices may be offered and accepted in this deal although no deal of the cards
    allows them. `continues`: the game before, whose totals this one carries on; `continued_by`: the
    game as which this one goes on; it gets no more entries. `deals_before`: the deals of earlier
    games that `deal` counts.
    """

    id: UUID
    ruleset: str
    title: str
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
    title_name: str | None = None
    continues: UUID | None = None
    continued_by: UUID | None = None
    deals_before: int = 0


class EntryView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """An entry with the fields the log adds. `entry` is its JSON, as recorded.

    `part`: index in the splice `version`, in the effective log; absent: 0. `erased`: its free text
    was erased, and is "".
    """

    version: int
    type: str
    recorded_at: datetime
    entry: Raw
    erased: bool = False
    part: int = 0


class GameLine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A game in the list. `title`: the id of its title, or the ruleset; `title_name`: its name.

    `deals`: the number of ended ones. `set_aside`: it counts nowhere. `continues`: the game before,
    whose deals and totals this one counts, too.

    `times`: how precisely the times are known: fully (`recorded`), the start (`start`), the day
    (`day`, in UTC; ignore the time of `started_at`), or not at all (`none`).
    """

    id: UUID
    ruleset: str
    title: str
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
    title_name: str | None = None
    continues: UUID | None = None


class Previewed(Struct, frozen=True, kw_only=True):
    """The effects of an entry: its refusal, the fallen later entries, the game after it.

    `deals` and `ways`: the fate of each deal, and repairs. `waivable`: it would be legal if it
    waived the clause.
    """

    refusal: Refusal | None
    waivable: bool
    fallen: tuple[FallenEntry, ...]
    deals: tuple[DealFate, ...]
    ways: Repairs | None
    state: GameView


class Sheet(Struct, frozen=True, kw_only=True):
    """The score sheet at `version`, with the players by seat.

    `erased`: versions of rows with an erased remark; `erased_before`: of rows of earlier games of a
    chain, with their `ago`.
    """

    version: int
    players: tuple[PlayerView, ...]
    sheet: ScoreSheet
    erased: tuple[int, ...] = ()
    erased_before: tuple[tuple[int, int], ...] = ()

    @property
    def erased_rows(self) -> frozenset[tuple[int, int]]:
        """The `ago` and `version` of rows with an erased remark."""
        return frozenset([*((0, version) for version in self.erased), *self.erased_before])


class Change(Struct, frozen=True, kw_only=True, eq=False, weakref=True):
    """New entries for a follower, and the game after them.

    One object is shared by all followers.
    """

    entries: tuple[EntryView, ...]
    state: GameView


class GameList(Struct, frozen=True, kw_only=True):
    """A page of the list, latest start first. `after`: cursor of the next page, if any.

    `set_aside`: how many games were excluded because they are set aside.
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
    title: GameTitle | None = None,
    chain: ChainPlace | None = None,
) -> GameView:
    """Build the view of a game at `version`.

    `standing`: the last versions that can be taken back to, as ranges. More than `RANGES_MAX` are
    not listed, so that the view does not grow with the game. `choices`: without corrections.
    """
    now = judgement.situation(game)
    continued_by = chain.continued_by if chain else None
    back: FreeField = {"shape": "integer", "ranges": standing[-RANGES_MAX:]}
    if len(standing) > RANGES_MAX:
        back["earlier"] = True
    return GameView(
        id=game_id,
        ruleset=game.rules.name,
        title=str(title.title_id) if title else game.rules.name,
        options=game.options,
        players=players,
        version=version,
        status=status_of(game),
        deal=len(game.deals) + 1 + (chain.deals_before if chain else 0),
        phase=now.phase,
        to_act=now.to_act,
        hand_counts=now.hand_counts,
        stock=now.stock,
        totals=game.totals,
        table=now.table,
        choices=()
        if continued_by
        else (
            *choices,
            Choice("take_back", fields={"to": back}),
        ),
        set_aside=game.set_aside,
        exact=is_exact(game),
        title_name=title.name if title else None,
        continues=chain.continues.game_id if chain and chain.continues else None,
        continued_by=continued_by,
        deals_before=chain.deals_before if chain else 0,
    )


def status_of(game: Game) -> Literal["open", "finished"]:
    return "open" if game.status is Status.OPEN else "finished"


def entry_views(rows: Sequence[StoredEntry]) -> tuple[EntryView, ...]:
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


def effective_view(
    row: StoredEntry, entry: Entry, erased: frozenset[int], part: int = 0
) -> EntryView:
    """Return a row with its effective entry, which differs from the stored one after a correction.

    `erased`: versions with an erased text (`game_cache.erased_in`).
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
    return tuple(
        PlayerView(id=player_id, name=known[player_id].name if player_id in known else None)
        for player_id in ids
    )


def game_line(game: ListedGame, known: Mapping[UUID, Player]) -> GameLine:
    return GameLine(
        id=game.game_id,
        ruleset=game.ruleset,
        title=game.title,
        title_name=game.title_name,
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
        continues=game.continues,
    )
