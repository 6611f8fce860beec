"""The board: a game as a form for one reader, with undo and redo."""

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
from service.web.recorder.table.origins import correction_url, laid_by, of_this_deal
from service.web.recorder.table.outcome import final_entry, just_ended

DERIVED = frozenset({"started", "deal_ended", "game_ended"})


class Undo(Struct, frozen=True, kw_only=True):
    """The effect of undo: the entry at `version` is removed by a return to version `to`.

    `also`: earlier entries that were entered together with it, oldest first.
    """

    version: int
    to: int
    also: tuple[int, ...] = ()


class Board(Struct, frozen=True, kw_only=True):
    """A game as a form. `actor`: the seat whose keypad is shown; None if no seat acts.

    `names` are by seat. `by`: `cards` or `result`, `ended` while the last result is shown, "" for
    readers. `lately`: the last entries, oldest first; `everything`: all cards of the game. `head`:
    the last effective entry; with it, cards link to the entry that laid them. `last`: the entries
    of the last trick, bout or turn, oldest first. `out`: the seat acts out of turn or against the
    rules. `doubtful`: the last effective entry if an entry of its deal is unsure; cards are then
    marked.
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
        """Whether every entry of the shown seat would break a rule."""
        return self.out or (self.actor is not None and self.actor not in self.to_act)

    @property
    def dealer(self) -> int | None:
        """The seat that deals next, or the shown seat if it deals out of turn."""
        if self.aside:
            return self.actor
        return self.to_act[0] if len(self.to_act) == 1 else None

    @property
    def options(self) -> Any:  # noqa: ANN401 a game's own shape
        return self.view.options

    @property
    def table(self) -> Mapping[str, Any]:
        return self.view.table

    @property
    def phase(self) -> str:
        return self.view.phase

    @property
    def to_act(self) -> tuple[int, ...]:
        return self.view.to_act

    @property
    def hand_counts(self) -> tuple[int, ...]:
        return self.view.hand_counts

    @property
    def counted(self) -> Mapping[str, Any]:
        """State for the script to predict the board while taps are pending (`counting.js`)."""
        return {
            "phase": self.phase,
            "toAct": self.to_act,
            "hands": self.hand_counts or (0,) * len(self.names),
            "stock": self.view.stock or 0,
            "table": {name: value for name, value in self.table.items() if name != "known"},
            "options": to_builtins(self.options),
        }

    def ways(self, kind: str) -> list[Choice]:
        """Return the choices of a type for all seats."""
        return [choice for choice in self.view.choices if choice.type == kind]

    def who(self, kind: str) -> dict[int, bool]:
        """Return the seats with a choice of a type; True: the shown seat, out of turn."""
        found = {choice.seat: False for choice in self.ways(kind) if choice.seat is not None}
        if self.aside and self.actor is not None:
            found.setdefault(self.actor, True)
        return found

    def taps(self, *kinds: str) -> dict[str, list[dict[str, Any]]]:
        """Return, by card, the possible entries of these types that lay exactly this card."""
        return taps(choice for choice in self.view.choices if choice.type in kinds)

    def holder(self, card: str, *, anybody: bool = False) -> int | None:
        """Return a seat that may hold a card: of the seats to act, or with `anybody` of all.

        Return None if there is no such seat. Assumes that the manifest defines `holders`.
        """
        holders = GAMES[self.view.ruleset].holders
        able = holders(self.table, self.hand_counts, card) if holders else ()
        return next((seat for seat in able if anybody or seat in self.to_act), None)

    def mends(self, card: str, *fields: str) -> str:
        """Return the correction page of the entry that laid a card, named in one of these fields.

        Return "" for readers, or if no entry names the card.
        """
        step = laid_by(self.head, card, fields) if self.by else None
        return correction_url(self.view.id, step) if step else ""

    def laid(self, *kinds: str) -> list[tuple[str, Any]]:
        """Return this deal's entries of some types, oldest first, with their correction pages.

        The page is "" for readers.
        """
        steps = [step for step in of_this_deal(self.head) if type_of(step.entry) in kinds]
        return [
            (correction_url(self.view.id, step) if self.by else "", step.entry)
            for step in reversed(steps)
        ]

    def unsure(self, card: str, *fields: str) -> bool:
        """Return whether the entry that laid a card, named in one of these fields, is unsure."""
        step = laid_by(self.doubtful, card, fields)
        return step is not None and step.entry.unsure

    def waived(self, card: str, *fields: str) -> bool:
        """Return whether the entry that laid a card, in one of these fields, waives a rule."""
        step = laid_by(self.head, card, fields)
        return step is not None and bool(step.entry.waive)

    def doubted(self, *kinds: str) -> list[Any]:
        """Return this deal's entries of some types, oldest first; empty if no entry is unsure."""
        found = [step.entry for step in of_this_deal(self.doubtful)]
        return [entry for entry in reversed(found) if type_of(entry) in kinds]

    @property
    def took(self) -> int | None:
        """The winner of the trick that the last entries complete, if they complete one."""
        of_game = GAMES[self.view.ruleset].took
        return of_game(self.options, self.table, self.lately) if of_game else None

    @property
    def ended(self) -> Mapping[str, Any] | None:
        """The last `deal_ended`, until the next deal begins."""
        return just_ended(self.lately)

    @property
    def final(self) -> Mapping[str, Any] | None:
        """The `game_ended` among the last entries."""
        return final_entry(self.lately)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Every set of seats that may share a place, smallest first."""
        seats = range(len(self.names))
        return tuple(group for size in seats for group in combinations(seats, size + 1))

    def chosen(self, kind: str, wanted: Mapping[str, Any]) -> list[Choice]:
        """Return the choices of a type that allow the values `wanted`, for the shown seat."""
        return [
            choice
            for choice in self.view.choices
            if choice.type == kind
            and choice.seat in {None, self.actor}
            and all(value in choice.fields.get(name, ()) for name, value in wanted.items())
        ]

    def offers(self, kind: str, **wanted: object) -> bool:
        return bool(self.chosen(kind, wanted))

    def allowed(self, kind: str, field: str, **wanted: object) -> frozenset[Any]:
        return frozenset(
            value for choice in self.chosen(kind, wanted) for value in choice.fields.get(field, ())
        )


def read_entry(entry: EntryView) -> dict[str, Any]:
    """Decode an entry for a template; `erased` marks an erased text."""
    found: dict[str, Any] = json.decode(entry.entry)
    return without_text(found) if entry.erased else found


def without_text(entry: dict[str, Any]) -> dict[str, Any]:
    """Mark an entry, or the moves of a correction, as erased."""
    if entry["type"] == "amend":
        return entry | {"move": without_text(entry["move"])}
    if entry["type"] == "splice":
        return entry | {"moves": [without_text(move) for move in entry["moves"]]}
    return entry | {"erased": True}


def undo_of(
    history: History, rows: Sequence[StoredEntry], implied: Mapping[str, str]
) -> Undo | None:
    """Return what undo removes: the last entry that counts and is no `take_back`.

    `implied`: versions without a tap of their own, because the next entry implies them.
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
