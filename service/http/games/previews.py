"""What an entry would do, as the API tells it: what falls, the deals after it, the ways out."""

from msgspec import Struct

from domain.table.correction_effects import DealFate, Fate
from domain.table.refusal import Refusal
from domain.table.rules import Choice
from domain.table.turn_shift import PlayerMoves, TurnShift
from domain.table.ways_out import WayOut
from schemas.entries import Entry
from service.language.texts import Names, texts
from service.play.views import GameView, Previewed


class RefusalView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why an entry cannot stand: the clause, and the version it cannot stand with, if one alone.

    `waivable`, there only where it is true: the entry would stand if it waived the clause, and
    whatever else it breaks then.
    """

    rule: str
    message: str
    contradicts: int | None = None
    waivable: bool = False


class FallenView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A later entry that would fall, and why. `part`: which move of the splice `version`."""

    version: int
    entry: Entry
    rule: str
    message: str
    part: int = 0


class FallsView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """From which entry on a deal falls, and why; no `rule`: the deal before it lacks an end.

    `part`: which move of the splice `version`.
    """

    version: int
    part: int = 0
    rule: str | None = None
    message: str | None = None


class DealView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What becomes of a deal, by its number now; of a `new` one, by its number then.

    It `stands` as it is, `changes` its points, `falls` from an entry on, is `dropped`, or is `new`.
    `before` and `after` are its points a seat; left out: it has none, or nobody knows them yet.
    `waived` are the clauses that must be waived for it to stand, for what came before changed who
    deals or leads.
    """

    deal: int
    fate: Fate
    before: tuple[int, ...] | None = None
    after: tuple[int, ...] | None = None
    falls: FallsView | None = None
    waived: tuple[str, ...] = ()


class GapView(Struct, frozen=True, kw_only=True):
    """A `result` to be filled in: move `move` of entry `entry`, from 0; `choice`: with what."""

    entry: int
    move: int
    choice: Choice


class WayView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Entries to append in one batch, as of the version the preview was made at.

    What `gaps` name is filled in before.
    """

    entries: tuple[Entry, ...]
    gaps: tuple[GapView, ...] = ()


class PlayerMovesView(Struct, frozen=True, kw_only=True):
    """What the player at a seat did as recorded, and what with the shift: moves of turns only."""

    seat: int
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


class ShiftView(Struct, frozen=True, kw_only=True):
    """The correction, with the moves after it given to the players whose turn it then is.

    `entries` are appended in one batch, as of the version the preview was made at. `dropped`: how
    many recorded entries go for good.
    """

    entries: tuple[Entry, ...]
    players: tuple[PlayerMovesView, ...]
    dropped: int


class WaysView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a correction can be made under which later entries fall; the third way is to leave it.

    `keep`: the later deals stay, and each broken one is given by its result; left out: they cannot.
    `back`: all goes from the first entry that falls on. `shift`: a turn was forgotten or doubled,
    and what follows goes to the next players, or back; left out: that does not fit.
    """

    back: WayView
    keep: WayView | None = None
    shift: ShiftView | None = None


class PreviewView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an entry would do. `state` is the game with it, and without those that would fall.

    `deals`: what becomes of each deal, where a correction can stand by itself. `ways`: where later
    entries fall.
    """

    fallen: tuple[FallenView, ...]
    state: GameView
    refusal: RefusalView | None = None
    deals: tuple[DealView, ...] = ()
    ways: WaysView | None = None


def preview_view(found: Previewed, lang: str) -> PreviewView:
    """Tell a preview in a reader's language."""
    names = tuple(player.name for player in found.state.players)
    ways = found.ways
    return PreviewView(
        fallen=tuple(
            FallenView(
                version=one.version,
                part=one.part,
                entry=one.entry,
                rule=one.refusal.rule,
                message=_message(one.refusal, lang, names),
            )
            for one in found.fallen
        ),
        state=found.state,
        refusal=None
        if found.refusal is None
        else RefusalView(
            rule=found.refusal.rule,
            message=_message(found.refusal, lang, names),
            contradicts=found.refusal.contradicts,
            waivable=found.waivable,
        ),
        deals=tuple(_deal(one, lang, names) for one in found.deals),
        ways=None
        if ways is None
        else WaysView(
            back=_way(ways.back),
            keep=_way(ways.keep) if ways.keep else None,
            shift=_shift(ways.shift) if ways.shift else None,
        ),
    )


def _message(refusal: Refusal, lang: str, names: Names) -> str:
    return texts().refusal(refusal, lang, names=names)


def _deal(one: DealFate, lang: str, names: Names) -> DealView:
    refusal, falls = one.refusal, one.falls
    return DealView(
        deal=one.deal,
        fate=one.fate,
        before=one.before,
        after=one.after,
        falls=None
        if falls is None
        else FallsView(
            version=falls.version,
            part=falls.part,
            rule=refusal.rule if refusal else None,
            message=_message(refusal, lang, names) if refusal else None,
        ),
        waived=one.waived,
    )


def _way(way: WayOut) -> WayView:
    gaps = tuple(GapView(entry=one.entry, move=one.move, choice=one.choice) for one in way.gaps)
    return WayView(entries=way.entries, gaps=gaps)


def _shift(found: TurnShift) -> ShiftView:
    return ShiftView(
        entries=found.entries,
        players=tuple(map(_player_moves, found.players)),
        dropped=found.dropped,
    )


def _player_moves(one: PlayerMoves) -> PlayerMovesView:
    return PlayerMovesView(seat=one.seat, before=one.before, after=one.after)
