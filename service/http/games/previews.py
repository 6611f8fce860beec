"""The effects of an entry: fallen entries, changed deals, repairs."""

from msgspec import Struct

from domain.table.correction_effects import DealFate, Fate
from domain.table.correction_repairs import Repair
from domain.table.refusal import Refusal
from domain.table.rules import Choice
from schemas.entries import Entry
from service.language.texts import Names, texts
from service.play.views import GameView, Previewed


class RefusalView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reason an entry is refused.

    The clause, and the contradicting version if it is a single one.

    `waivable` is true or absent: the entry would be legal if it waived the clause, and any others
    it then breaks.
    """

    rule: str
    message: str
    contradicts: int | None = None
    waivable: bool = False


class FallenView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A later entry that becomes illegal. `part`: index in the splice `version`."""

    version: int
    entry: Entry
    rule: str
    message: str
    part: int = 0


class FallsView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first illegal entry of a deal, with the reason; no `rule`.

    The deal before it is incomplete.

    `part`: index in the splice `version`.
    """

    version: int
    part: int = 0
    rule: str | None = None
    message: str | None = None


class DealView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fate of a deal, by its current number; of a `new` one, by its future number.

    It `stands` unchanged, `changes` its points, `falls` from an entry on, is `dropped`, or is
    `new`. `before` and `after`: points by seat; absent if unknown. `waived`: the clauses to waive,
    because another player deals or leads now.
    """

    deal: int
    fate: Fate
    before: tuple[int, ...] | None = None
    after: tuple[int, ...] | None = None
    falls: FallsView | None = None
    waived: tuple[str, ...] = ()


class GapView(Struct, frozen=True, kw_only=True):
    """A `result` to fill in: move `move` of entry `entry`, from 0; `choice`: the alternatives."""

    entry: int
    move: int
    choice: Choice


class WayView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Entries to append as one batch, at the version of the preview.

    The client fills in the `gaps` first.
    """

    entries: tuple[Entry, ...]
    gaps: tuple[GapView, ...] = ()


class PlayerMovesView(Struct, frozen=True, kw_only=True):
    """A player's moves as recorded and after the shift."""

    seat: int
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


class ShiftView(Struct, frozen=True, kw_only=True):
    """The correction with the later moves given to the players whose turn it then is.

    `entries`: append them as one batch at the version of the preview. `dropped`: the number of
    recorded entries that are removed.
    """

    entries: tuple[Entry, ...]
    players: tuple[PlayerMovesView, ...]
    dropped: int


class WaysView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Repairs of a correction that makes later entries illegal.

    `back`: drop everything from the first illegal entry on. `keep`: keep the later deals, each
    broken one by its result; absent if impossible. `shift`: for a forgotten or doubled turn, give
    the later moves to the next or previous players; absent if impossible.
    """

    back: WayView
    keep: WayView | None = None
    shift: ShiftView | None = None


class PreviewView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The effects of an entry. `state`: the game with it, without fallen entries.

    `deals`: the fate of each deal, if the correction is possible by itself. `ways`: repairs, if
    later entries fall.
    """

    fallen: tuple[FallenView, ...]
    state: GameView
    refusal: RefusalView | None = None
    deals: tuple[DealView, ...] = ()
    ways: WaysView | None = None


def preview_view(previewed: Previewed, lang: str) -> PreviewView:
    names = tuple(player.name for player in previewed.state.players)
    ways = previewed.ways
    return PreviewView(
        fallen=tuple(
            FallenView(
                version=fallen.version,
                part=fallen.part,
                entry=fallen.entry,
                rule=fallen.refusal.rule,
                message=_message(fallen.refusal, lang, names),
            )
            for fallen in previewed.fallen
        ),
        state=previewed.state,
        refusal=None
        if previewed.refusal is None
        else RefusalView(
            rule=previewed.refusal.rule,
            message=_message(previewed.refusal, lang, names),
            contradicts=previewed.refusal.contradicts,
            waivable=previewed.waivable,
        ),
        deals=tuple(_deal(deal, lang, names) for deal in previewed.deals),
        ways=None
        if ways is None
        else WaysView(
            back=_way(ways.back),
            keep=_way(ways.keep) if ways.keep else None,
            shift=ShiftView(
                entries=ways.shift.entries,
                players=tuple(
                    PlayerMovesView(seat=moves.seat, before=moves.before, after=moves.after)
                    for moves in ways.shift.players
                ),
                dropped=ways.shift.dropped,
            )
            if ways.shift
            else None,
        ),
    )


def _message(refusal: Refusal, lang: str, names: Names) -> str:
    return texts().refusal(refusal, lang, names=names)


def _deal(fate: DealFate, lang: str, names: Names) -> DealView:
    refusal, falls = fate.refusal, fate.falls
    return DealView(
        deal=fate.deal,
        fate=fate.fate,
        before=fate.before,
        after=fate.after,
        falls=None
        if falls is None
        else FallsView(
            version=falls.version,
            part=falls.part,
            rule=refusal.rule if refusal else None,
            message=_message(refusal, lang, names) if refusal else None,
        ),
        waived=fate.waived,
    )


def _way(way: Repair) -> WayView:
    gaps = tuple(GapView(entry=gap.entry, move=gap.move, choice=gap.choice) for gap in way.gaps)
    return WayView(entries=way.entries, gaps=gaps)
