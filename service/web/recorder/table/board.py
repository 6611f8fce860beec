"""The board: a game as a form for one reader, with undo, redo and the latest entries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, cast
from uuid import UUID

from markupsafe import Markup, escape
from msgspec import UNSET, Struct, to_builtins

from domain.games import GAMES, records_mistake
from domain.table.history import History, Step
from domain.table.rules import Choice
from projections.summary import ranking
from schemas.catalogue import shapes, type_of
from schemas.entries import SetAside, TakeBack
from service.access.principal import Principal
from service.language.texts import texts
from service.play.snapshots import GameSnapshot
from service.play.views import GameView, entry_views
from service.store.records import StoredEntry
from service.web.format.charts import totals
from service.web.format.render import Reader, names_of
from service.web.format.template_filters import EVERY_CARD
from service.web.recorder.table.doubts import doubts
from service.web.recorder.table.entry_data import read_entry
from service.web.recorder.table.outcome import best_of_deal, bg_stats_link, places
from service.web.recorder.table.replacement import replacement

OPENING = "deal"
# Entries whose sentences the board looks at.
LATELY = 8
RECENT_MAX = 12
RECENT_OF_LAST_DEAL_MAX = 8


class Undo(Struct, frozen=True, kw_only=True):
    """The effect of undo: the entry at `version` is removed by a return to version `to`.

    `also`: earlier entries that were entered together with it, oldest first.
    """

    version: int
    to: int
    also: tuple[int, ...] = ()


class Board:
    """A game as a form. `actor`: the seat whose keypad is shown; None if no seat acts.

    `names` are by seat. `by`: `cards` or `result`, `ended` while the last result is shown, "" for
    readers. `lately`: the last entries, oldest first. `deal`: the steps of the current deal, newest
    first; with them, cards link to the entry that laid them. `doubtful`: the same steps if one of
    them is unsure; cards are then marked. `last`: the entries of the last trick, bout or turn,
    oldest first. `out`: the seat acts out of turn or against the rules. `inserts`: asks for a
    forgotten entry.
    """

    everything = EVERY_CARD

    def __init__(  # noqa: PLR0913 by keyword
        self,
        *,
        view: GameView,
        names: Sequence[str],
        actor: int | None,
        by: str,
        lately: Sequence[Mapping[str, Any]] = (),
        deal: Sequence[Step] = (),
        doubtful: Sequence[Step] = (),
        last: Sequence[Mapping[str, Any]] = (),
        out: bool = False,
        inserts: bool = False,
    ) -> None:
        self.view = view
        self.names = names
        self.actor = actor
        self.by = by
        self.lately = lately
        self.last = last
        self.inserts = inserts
        self._deal = deal
        self._doubtful = doubtful
        # Copied: templates read each of them some twenty times.
        self.options: Any = view.options
        self.table: Mapping[str, Any] = view.table
        self.phase = view.phase
        self.to_act = view.to_act
        self.hand_counts = view.hand_counts
        # Whether every entry of the shown seat would break a rule.
        self.aside = out or (actor is not None and actor not in view.to_act)
        # The seat that deals next, or the shown seat if it deals out of turn.
        self.dealer = actor if self.aside else view.to_act[0] if len(view.to_act) == 1 else None
        self.ended = just_ended(lately)
        self._holders: dict[str, tuple[int, ...]] = {}
        self._choices: dict[str, list[Choice]] = {}
        for choice in view.choices:
            self._choices.setdefault(choice.type, []).append(choice)

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
        return self._choices.get(kind, [])

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

        Return None if there is no such seat. Assumes that the manifest defines `possible_holders`.
        """
        holders = GAMES[self.view.ruleset].possible_holders
        if card not in self._holders:
            self._holders[card] = holders(self.table, self.hand_counts, card) if holders else ()
        able = self._holders[card]
        return next((seat for seat in able if anybody or seat in self.to_act), None)

    def held(self, cards: Iterable[str], *, anybody: bool = False) -> tuple[str, ...]:
        """Return those of the cards that `holder` finds a seat for."""
        return tuple(card for card in cards if self.holder(card, anybody=anybody) is not None)

    def mends(self, card: str, *fields: str) -> str:
        """Return the correction page of the entry that laid a card, named in one of these fields.

        Return "" for readers, or if no entry names the card.
        """
        step = laid_by(self._deal, card, fields) if self.by else None
        return correction_url(self.view.id, step) if step else ""

    def laid(self, *kinds: str) -> list[tuple[str, Any]]:
        """Return this deal's entries of some types, oldest first, with their correction pages.

        The page is "" for readers.
        """
        return [
            (correction_url(self.view.id, step) if self.by else "", step.entry)
            for step in reversed(self._deal)
            if type_of(step.entry) in kinds
        ]

    def unsure(self, card: str, *fields: str) -> bool:
        """Return whether the entry that laid a card, named in one of these fields, is unsure."""
        step = laid_by(self._doubtful, card, fields)
        return step is not None and step.entry.unsure

    def waived(self, card: str, *fields: str) -> bool:
        """Return whether the entry that laid a card, in one of these fields, waives a rule."""
        step = laid_by(self._deal, card, fields)
        return step is not None and bool(step.entry.waive)

    def doubted(self, *kinds: str) -> list[Any]:
        """Return this deal's entries of some types, oldest first; empty if no entry is unsure."""
        return [step.entry for step in reversed(self._doubtful) if type_of(step.entry) in kinds]

    @property
    def resizable(self) -> bool:
        """Whether the game is played by more than one number of players, and not in teams."""
        several = len(shapes(self.view.ruleset).seats) > 1
        return several and not getattr(self.options, "teams", None)

    @property
    def took(self) -> int | None:
        """The winner of the trick that the last entries complete, if they complete one."""
        of_game = GAMES[self.view.ruleset].trick_winner
        return of_game(self.options, self.table, self.lately) if of_game else None

    @property
    def final(self) -> Mapping[str, Any] | None:
        """The `game_ended` among the last entries."""
        return final_entry(self.lately)

    @property
    def seat_sets(self) -> tuple[tuple[int, ...], ...]:
        """Every set of seats that may share a place, smallest first."""
        seats = range(len(self.names))
        return tuple(group for size in seats for group in combinations(seats, size + 1))

    def chosen(self, kind: str, wanted: Mapping[str, Any]) -> list[Choice]:
        """Return the choices of a type that allow the values `wanted`, for the shown seat."""
        return [
            choice
            for choice in self.ways(kind)
            if choice.seat in {None, self.actor}
            and all(value in choice.fields.get(name, ()) for name, value in wanted.items())
        ]

    def cards(self, kind: str) -> frozenset[str]:
        """Return the cards that the choices of a type allow, for all seats."""
        return frozenset(
            card for choice in self.ways(kind) for card in choice.fields.get("card", ())
        )

    def offers(self, kind: str, **wanted: object) -> bool:
        return bool(self.chosen(kind, wanted))

    def allowed(self, kind: str, field: str, **wanted: object) -> frozenset[Any]:
        return frozenset(
            value for choice in self.chosen(kind, wanted) for value in choice.fields.get(field, ())
        )


def taps(choices: Iterable[Choice]) -> dict[str, list[dict[str, Any]]]:
    """Group choices by the single card that they lay."""
    found: dict[str, list[dict[str, Any]]] = {}
    for choice in choices:
        start = {"type": choice.type, "seat": choice.seat}
        for card, fields in _single(choice.fields):
            found.setdefault(card, []).append(start | fields)
    return found


def _single(fields: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if "with" in fields:
        for under in fields["card"]:
            yield from ((over, {"card": under, "with": over}) for over in fields["with"])
    elif "cards" in fields:
        yield from ((cards[0], {"cards": cards}) for cards in fields["cards"] if len(cards) == 1)
    else:
        yield from ((card, {"card": card}) for card in fields.get("card", ()))


def just_ended(lately: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the `deal_ended` of the last entries; None if the next deal has begun."""
    entry: Mapping[str, Any]
    for entry in reversed(lately):
        if entry["type"] == "deal_ended":
            return entry
        if entry["type"] not in {"note", "game_ended"}:
            return None
    return None


def final_entry(lately: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the `game_ended` among the last entries."""
    return next((entry for entry in reversed(lately) if entry["type"] == "game_ended"), None)


class DealPart(Struct, frozen=True, kw_only=True):
    """A trick, bout or turn of a deal, oldest step first. `number` counts those of a `kind`.

    `seat`: the seat of its first entry; `kind` "": the entries before the first part.
    """

    kind: str = ""
    number: int = 0
    seat: int | None = None
    steps: list[Step]

    def heading(self, game: Any, names: Sequence[str]) -> str:  # noqa: ANN401 a template's macros
        if not self.kind or not game.part:
            return ""
        name = names[self.seat] if self.seat is not None else ""
        return str(game.part(self.kind, self.number, name)).strip()


def steps_of_deal(head: Step | None) -> list[Step]:
    """Return the steps of the last started deal, newest first."""
    found: list[Step] = []
    ended = False
    while head is not None and not (ended and head.derived):
        found.append(head)
        if type_of(head.entry) == OPENING:
            break
        ended = ended or bool(head.derived)
        head = head.before
    return found


def doubtful(deal: Sequence[Step]) -> Sequence[Step]:
    """Return the steps of a deal if one of them is unsure; else none."""
    return deal if any(step.entry.unsure for step in deal) else ()


def parts_of_deal(ruleset: str, deal: Sequence[Step]) -> list[DealPart]:
    """Return the parts of a deal, oldest first; its steps are given newest first."""
    begins = GAMES[ruleset].part_begun_by
    parts = [DealPart(steps=[])]
    counts: dict[str, int] = {}
    for step in reversed(deal):
        kind = begins(step.before.game, step.entry) if begins and step.before else None
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
            seat = getattr(step.entry, "seat", None)
            at = seat if isinstance(seat, int) else None
            parts.append(DealPart(kind=kind, number=counts[kind], seat=at, steps=[]))
        parts[-1].steps.append(step)
    return parts


def laid_by(deal: Sequence[Step], card: str, fields: tuple[str, ...]) -> Step | None:
    """Return the last step that names a card, in one of these fields if any are given."""
    for step in deal:
        entry = step.entry
        encoded = zip(entry.__struct_encode_fields__, entry.__struct_fields__, strict=True)
        for name, own in encoded:
            if (not fields or name in fields) and _names(getattr(entry, own), card):
                return step
    return None


def _names(value: object, card: str) -> bool:
    if isinstance(value, tuple | list):
        return any(_names(one, card) for one in cast("Iterable[object]", value))
    return isinstance(value, str) and value == card


def correction_url(game_id: UUID, step: Step) -> str:
    at = f"?part={step.part}" if step.part else ""
    return f"/games/{game_id}/correct/{step.version}{at}"


def place(game: GameView | GameSnapshot, who: Principal) -> dict[str, Any]:
    """Return the variables of the frame of a game's page."""
    return {
        "id": game.id,
        "ruleset": game.ruleset,
        "title_name": game.title_name,
        "owner": who.owner,
        "writes": who.may_write(game.id),
    }


def board_of(
    reader: Reader,
    view: GameView,
    by: str,
    actor: int | None = None,
    **parts: Any,  # noqa: ANN401 fields of `Board`
) -> Board:
    """Return the board for a reader; `actor` if it is not the first seat to act."""
    if actor is None and view.to_act:
        actor = view.to_act[0]
    names = tuple(names_of(reader, view.players))
    return Board(view=view, names=names, actor=actor, by=by, **parts)


def board_context(
    reader: Reader,
    moment: GameSnapshot,
    view: GameView,
    who: Principal,
    by: str,
    actor: int | None = None,
    *,
    out: bool = False,
) -> dict[str, Any]:
    """Build the variables of `board.html` except `command`; `actor`, `out`: as of `Board`.

    `view` is the game at the snapshot's version. The result of a deal is shown until the reader
    confirms it (`?agreed=`) or the next deal begins.
    """
    frame = place(view, who)
    writes, ruleset, rows = frame["writes"], view.ruleset, moment.loaded.rows
    game, history, head = reader.game(ruleset), moment.loaded.history, moment.head
    lately = moment.last_entries(LATELY)
    agreed = reader.request.query_params.get("agreed") == str(view.version)
    shown = "ended" if just_ended(lately) and not agreed else by
    deal = steps_of_deal(head)
    parts = parts_of_deal(ruleset, deal)
    board = board_of(
        reader,
        view,
        shown if writes else "",
        actor,
        lately=lately,
        deal=deal,
        doubtful=doubtful(deal),
        last=[to_builtins(step.entry) for step in parts[-1].steps]
        if GAMES[ruleset].part_begun_by
        else (),
        out=out,
    )
    names, bring_back = board.names, restoring_entry(moment)

    def recorded(versions: Iterable[int]) -> list[dict[str, Any]]:
        return [read_entry(*entry_views([rows[version - 1]])) for version in versions]

    undo = undo_of(history, rows, game.implied)
    taken = recorded([*undo.also, undo.version] if undo else ())
    if undo and head and head.version == undo.version and records_mistake(head):
        taken[-1]["wrong"] = True
    undone = [line.version for line in history.undone]
    # An erased text cannot be restored.
    redo = [] if any(rows[version - 1].erased for version in undone) else recorded(undone)
    redo = [{name: one for name, one in entry.items() if name != "at"} for entry in redo]
    between = reader.gettext("; ")
    return {
        **frame,
        "undo": undo,
        "undone": taken[-1] if taken else None,
        "undo_words": between.join(reader.say(one, ruleset, names) for one in taken),
        "undo_face": escape(between).join(reader.draw(one, ruleset, names) for one in taken),
        "redo": redo,
        "redo_words": between.join(reader.say(one, ruleset, names) for one in redo),
        "board": board,
        "game": game,
        "last": reader.say(lately[-1], ruleset, names),
        "bring_back": bring_back,
        "recent": recent_parts(reader, moment, parts, names)
        if writes and view.status == "open"
        else [],
        "goes_on": view.status == "finished" and replacement(moment) is not None,
        "replaced": bring_back is not None and replacement(moment) is not None,
        "best": best_of_deal(history.game) if board.ended else (),
        "over": _over(reader, moment, board) if view.status == "finished" else {},
        "then": by,
        "doubts": [
            (one, reader.say(one.entry, ruleset, names))
            for one in doubts(moment.last_deal(), game.laid_open)
        ]
        if board.ended
        else [],
    }


def _over(reader: Reader, moment: GameSnapshot, board: Board) -> dict[str, Any]:
    history = moment.loaded.history
    ranked = ranking(history)
    title = moment.title_name or texts().game(moment.ruleset, reader.language)
    at = moment.loaded.rows[-1].recorded_at
    return {
        "places": places(ranked, history.game.totals, board.names),
        "bg_stats": bg_stats_link(moment, title, [*board.names], ranked, at),
        "chart": totals(moment.deals, board.names, reader.figures),
    }


def restoring_entry(moment: GameSnapshot) -> dict[str, Any] | None:
    """Return the entry that restores a game; None if it is not set aside."""
    for step in moment.backwards() if moment.loaded.history.game.set_aside else ():
        if isinstance(step.entry, SetAside):
            at = {"version": step.version, "part": step.part}
            return {"type": "splice", **at, "drop": 1, "moves": []}
    return None


class RecentEntry(Struct, frozen=True):
    address: str
    words: Markup
    inserts: bool


class RecentPart(Struct, frozen=True):
    """A trick, bout or turn, newest entry first; `heading` is "" before the first part."""

    heading: str
    entries: list[RecentEntry]


def recent_parts(
    reader: Reader, moment: GameSnapshot, parts: Sequence[DealPart], names: Sequence[str]
) -> list[RecentPart]:
    """Return the latest entries of this deal, and the last ones of the deal before it."""
    ruleset, game = moment.ruleset, reader.game(moment.ruleset)
    found: list[RecentPart] = []

    def add(heading: str, steps: Sequence[Step], entries_max: int) -> int:
        tapped: list[RecentEntry] = []
        after: tuple[Step, ...] = ()
        for step in reversed(steps):
            if len(tapped) < entries_max and not is_implied(game.implied, step, after):
                fields: dict[str, Any] = to_builtins(step.entry)
                if records_mistake(step):
                    fields["wrong"] = True
                words = reader.show(fields, ruleset, names)
                inserts = type_of(step.entry) == game.inserts_before
                tapped.append(RecentEntry(correction_url(moment.id, step), words, inserts))
            after = (step,)
        if tapped:
            found.append(RecentPart(heading, tapped))
        return len(tapped)

    left = RECENT_MAX
    for part in reversed(parts):
        if left > 0:
            left -= add(part.heading(game, names), part.steps, left)
    first = next((part.steps[0] for part in parts if part.steps), None)
    before = first.before if first else None
    if before is not None:
        ending = parts_of_deal(ruleset, steps_of_deal(before))[-1].steps
        heading = reader.gettext("Deal %(deal)s") % {"deal": len(before.game.deals)}
        add(heading, ending if GAMES[ruleset].part_begun_by else (), RECENT_OF_LAST_DEAL_MAX)
    return found


def is_implied(implied: dict[str, str], step: Step, steps: Sequence[Step]) -> bool:
    """Return whether a step had no tap of its own: the next one, by the same seat, implies it."""
    entry = step.entry
    return getattr(entry, "card", UNSET) is UNSET and any(
        one.before is step
        and implied.get(type_of(one.entry)) == type_of(entry)
        and getattr(one.entry, "seat", None) == getattr(entry, "seat", None)
        for one in steps
    )


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


def game_address(game_id: UUID, by: str = "cards") -> str:
    return f"/games/{game_id}" + ("?by=result" if by == "result" else "")


def by_of(text: str) -> str:
    return "result" if text == "result" else "cards"
