"""The board: a game as one reader's form shows it, and what undo would take back."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct, json, to_builtins

from domain.games import GAMES
from domain.table.history import History, Step
from domain.table.rules import Choice
from schemas.catalogue import type_of
from schemas.entries import TakeBack
from service.play.views import EntryView, GameView
from service.store.records import StoredEntry
from service.web.format.template_filters import EVERY_CARD
from service.web.recorder.table.card_actions import taps
from service.web.recorder.table.origins import correcting, laid_by, of_this_deal
from service.web.recorder.table.outcome import final, just_ended

DERIVED = frozenset({"started", "deal_ended", "game_ended"})


class Undo(Struct, frozen=True, kw_only=True):
    """What undo takes back: the entry at `version`, by going back to `to`.

    `also`: earlier ones that were entered together with it, the first one first.
    """

    version: int
    to: int
    also: tuple[int, ...] = ()


class Board(Struct, frozen=True, kw_only=True):
    """A game as a form. `actor`: the seat whose keypad is shown, None where nobody acts.

    `names` by seat; `by`: `cards` or `result`, `ended` while the last deal is told, empty where
    nothing is entered; `lately`: what was entered last, the last one last; `everything`: every card
    there is. `head`: the last entry that stands: what lies on the table leads whoever enters
    something to the entry that laid it. `last`: what the last trick, bout or turn was made of, its
    first entry first.
    `out`: the seat shown does what it may not, though its turn may be. `doubtful`: the last entry
    that stands, where one of its deal was marked unsure: cards on the table are marked so too.
    """

    view: GameView
    names: Sequence[str]
    actor: int | None
    by: str
    lately: Sequence[Mapping[str, Any]] = ()
    everything: frozenset[str] = EVERY_CARD
    head: Step | None = None
    out: bool = False
    last: Sequence[Mapping[str, Any]] = ()
    doubtful: Step | None = None

    @property
    def aside(self) -> bool:
        """Tell whether the seat shown breaks a rule by whatever it does."""
        return self.out or (self.actor is not None and self.actor not in self.to_act)

    @property
    def dealer(self) -> int | None:
        """Who deals now: the seat that is due, or the one shown that deals in its stead."""
        if self.aside:
            return self.actor
        return self.to_act[0] if len(self.to_act) == 1 else None

    @property
    def options(self) -> Any:  # noqa: ANN401 a game's own shape
        """The table's choices."""
        return self.view.options

    @property
    def table(self) -> Mapping[str, Any]:
        """The game's own picture of the deal."""
        return self.view.table

    @property
    def phase(self) -> str:
        """The point of the deal."""
        return self.view.phase

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats play is waiting for."""
        return self.view.to_act

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """Cards in hand, per seat."""
        return self.view.hand_counts

    @property
    def counted(self) -> Mapping[str, Any]:
        """What a phone needs to count on while taps wait (`counting.js`)."""
        return {
            "phase": self.phase,
            "toAct": self.to_act,
            "hands": self.hand_counts or (0,) * len(self.names),
            "stock": self.view.stock or 0,
            "table": {name: value for name, value in self.table.items() if name != "known"},
            "options": to_builtins(self.options),
        }

    def ways(self, kind: str) -> list[Choice]:
        """List the choices of a type, whosever they are."""
        return [choice for choice in self.view.choices if choice.type == kind]

    def who(self, kind: str) -> dict[int, bool]:
        """List the seats that may enter a type, and the one that acts though it may not (True)."""
        found = {choice.seat: False for choice in self.ways(kind) if choice.seat is not None}
        if self.aside and self.actor is not None:
            found.setdefault(self.actor, True)
        return found

    def taps(self, *kinds: str) -> dict[str, list[dict[str, Any]]]:
        """Tell, per card, the entries of these types that lay it alone and may be entered now."""
        return taps(choice for choice in self.view.choices if choice.type in kinds)

    def holder(self, card: str, *, anybody: bool = False) -> int | None:
        """Find who may hold a card: of the seats to act, or of all; None if nobody can.

        Assumes a game whose manifest tells `holders`.
        """
        holders = GAMES[self.view.ruleset].holders
        able = holders(self.table, self.hand_counts, card) if holders else ()
        return next((seat for seat in able if anybody or seat in self.to_act), None)

    def mends(self, card: str, *fields: str) -> str:
        """Return where the entry is corrected that laid a card, told in one of these fields.

        Empty where nothing is corrected, or no entry names it.
        """
        step = laid_by(self.head, card, fields) if self.by else None
        return correcting(self.view.id, step) if step else ""

    def laid(self, *kinds: str) -> list[tuple[str, Any]]:
        """List the entries of this deal of some types, oldest first; each with its page.

        The page is empty where nothing is corrected.
        """
        steps = [step for step in of_this_deal(self.head) if type_of(step.entry) in kinds]
        return [
            (correcting(self.view.id, step) if self.by else "", step.entry)
            for step in reversed(steps)
        ]

    def unsure(self, card: str, *fields: str) -> bool:
        """Tell whether the entry that laid a card, told in one of these fields, is unsure."""
        step = laid_by(self.doubtful, card, fields)
        return step is not None and step.entry.unsure

    def doubted(self, *kinds: str) -> list[Any]:
        """List the entries of this deal of some types, oldest first; none where all are sure."""
        found = [step.entry for step in of_this_deal(self.doubtful)]
        return [entry for entry in reversed(found) if type_of(entry) in kinds]

    @property
    def took(self) -> int | None:
        """Who took the trick that the last entries end with; None: they end with none."""
        of_game = GAMES[self.view.ruleset].took
        return of_game(self.options, self.table, self.lately) if of_game else None

    @property
    def ended(self) -> Mapping[str, Any] | None:
        """The deal that ended last, while the next one has not begun."""
        return just_ended(self.lately)

    @property
    def final(self) -> Mapping[str, Any] | None:
        """The end of the game, if it is among the last entries."""
        return final(self.lately)

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """Every set of seats that may share a place, the smallest first."""
        seats = range(len(self.names))
        return [group for size in seats for group in combinations(seats, size + 1)]

    def chosen(self, kind: str, wanted: Mapping[str, Any]) -> list[Choice]:
        """List the choices of a type whose fields admit `wanted`, for the seat shown."""
        return [
            choice
            for choice in self.view.choices
            if choice.type == kind
            and choice.seat in {None, self.actor}
            and all(value in choice.fields.get(name, ()) for name, value in wanted.items())
        ]

    def offers(self, kind: str, **wanted: object) -> bool:
        """Tell whether such an entry may be entered now."""
        return bool(self.chosen(kind, wanted))

    def allowed(self, kind: str, field: str, **wanted: object) -> frozenset[Any]:
        """Return the values a field may have now."""
        return frozenset(
            value for choice in self.chosen(kind, wanted) for value in choice.fields.get(field, ())
        )


def read_entry(entry: EntryView) -> dict[str, Any]:
    """Read an entry's JSON for a template; `erased` stands where its text was."""
    found: dict[str, Any] = json.decode(entry.entry)
    return without_text(found) if entry.erased else found


def without_text(entry: dict[str, Any]) -> dict[str, Any]:
    """Mark an entry, or the moves of a correction, as one whose text was erased."""
    if entry["type"] == "amend":
        return entry | {"move": without_text(entry["move"])}
    if entry["type"] == "splice":
        return entry | {"moves": [without_text(move) for move in entry["moves"]]}
    return entry | {"erased": True}


def undo_of(
    history: History, rows: Sequence[StoredEntry], implied: Mapping[str, str]
) -> Undo | None:
    """Find what undo takes back: the last entry that stands and is not itself a taking back.

    `implied`: by type, the type of the entry before it that nobody tapped, since this one implies
    it. `rows` is the log.
    """
    standing = history.latest_standing()
    version = next((at for at, entry in standing if type(entry) is not TakeBack), None)
    if version is None:
        return None
    also: list[int] = []
    to = next(standing, (1, None))[0]
    while 1 < to == (also or [version])[0] - 1 and _implies(rows, to, implied):
        also.insert(0, to)
        to = next(standing, (1, None))[0]
    return Undo(version=version, to=to, also=tuple(also))


def _implies(rows: Sequence[StoredEntry], version: int, implied: Mapping[str, str]) -> bool:
    one, after = rows[version - 1], rows[version]
    return implied.get(after.type) == one.type and one.command_id == after.command_id
