"""The board: a game as a form for one reader, with undo, redo and the latest entries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, cast
from uuid import UUID

from markupsafe import Markup, escape
from msgspec import UNSET, Struct, to_builtins

from domain.games import GAMES, records_mistake
from domain.table.history import History, Step
from domain.table.rules import Choice, Game, Status
from projections.summary import ranking
from schemas.catalogue import shapes, type_of
from schemas.entries import ARRIVED, CARRIED, SetAside, TakeBack
from service.access.principal import Principal
from service.language.known_titles import KnownTitle, find_known_title
from service.language.texts import texts
from service.play.append import is_detached
from service.play.course import GameCourse
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.play.views import GameView, entry_views
from service.store.records import StoredEntry
from service.web.format.charts import totals
from service.web.format.render import Reader, names_of
from service.web.format.template_filters import EVERY_CARD
from service.web.recorder.table.deal_parts import OPENING, DealPart, PartFinder
from service.web.recorder.table.doubts import doubts
from service.web.recorder.table.entry_data import read_entry
from service.web.recorder.table.outcome import best_of_deal, bg_stats_link, has_totals, places
from service.web.recorder.table.replacement import replacement

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
    forgotten entry. `filled`: the name of the `details` whose content is rendered; those without it
    have a link that fills them (`filled` in `cards.html`). None: all have their content.
    `numbered`: in a game by rounds, whether a seat has a number in any of them; None in others.
    `wins`: which total wins, `highest` or `lowest`; "" in games that only have losers.
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
        filled: str | None = None,
        numbered: Sequence[bool] | None = None,
        wins: str = "",
    ) -> None:
        self.view = view
        self.names = names
        self.actor = actor
        self.by = by
        self.lately = lately
        self.last = last
        self.inserts = inserts
        self.out = out
        self.filled = filled
        self.numbered = numbered
        self.wins = wins
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

    def fills(self, name: str) -> bool:
        return self.filled in {None, name}

    def filling_url(self, name: str) -> str:
        """Return the page in which the `details` of a name have their content."""
        seat = "" if self.actor is None else f"seat={self.actor}&"
        return f"/games/{self.view.id}?{seat}{'out=1&' if self.out else ''}filled={name}"

    @property
    def counted(self) -> Mapping[str, Any]:
        """State for the script to predict the board while taps are pending (`counting.js`)."""
        return {
            "phase": self.phase,
            "toAct": self.to_act,
            "hands": self.hand_counts or (0,) * len(self.names),
            "stock": self.view.stock or 0,
            "deal": self.view.deal,
            "dealsBefore": self.view.deals_before,
            "totals": self.view.totals,
            "numbered": self.numbered,
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
    def known_title(self) -> KnownTitle | None:
        """The facts of a game by points that is known by its name."""
        return find_known_title(self.view.title_name) if self.view.title_name else None

    @property
    def changeable(self) -> bool:
        """Whether players or options may change, so that the game goes on as another one."""
        return self.view.version > 1 and self.will_be_changeable

    @property
    def will_be_changeable(self) -> bool:
        """Whether they may, once something is recorded."""
        view = self.view
        several = len(shapes(view.ruleset).seats) > 1 and not getattr(view.options, "teams", None)
        return several or bool(GAMES[view.ruleset].correctable)

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


class PartSteps(DealPart, frozen=True, kw_only=True):
    """A part with its steps, oldest first."""

    steps: list[Step]


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


def parts_of_deal(history: History, deal: Sequence[Step]) -> list[PartSteps]:
    """Return the parts of a deal, oldest first; its steps are given newest first."""
    finder = PartFinder(history.opening)
    parts = [PartSteps(steps=[])]
    for step in reversed(deal):
        part = finder.begun_by(step)
        if part is not None:
            parts.append(PartSteps(kind=part.kind, number=part.number, seat=part.seat, steps=[]))
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


async def course_shown(games: GameQueries, moment: GameSnapshot) -> GameCourse:
    """Return what the table shows of a game: its whole course once it is over."""
    over = moment.loaded.history.game.status is not Status.OPEN
    return await games.course(moment) if over else GameCourse(parts=(moment,))


def board_context(
    reader: Reader,
    course: GameCourse,
    view: GameView,
    who: Principal,
    by: str,
    actor: int | None = None,
    *,
    out: bool = False,
    filled: str = "",
) -> dict[str, Any]:
    """Build the variables of `board.html` except `command`; the last three: as of `Board`.

    `view` is the game at the snapshot's version. The result of a deal is shown until the reader
    confirms it (`?agreed=`) or the next deal begins.
    """
    moment = course.game
    reader.follow(moment)
    manifest, history = GAMES[view.ruleset], moment.loaded.history
    frame = place(view, who)
    lately = moment.last_entries(LATELY)
    deal = steps_of_deal(moment.head)
    parts = parts_of_deal(history, deal)
    board = board_of(
        reader,
        view,
        _shown_by(reader, view, lately, by) if frame["writes"] else "",
        actor,
        lately=lately,
        deal=deal,
        doubtful=doubtful(deal),
        last=[to_builtins(step.entry) for step in parts[-1].steps]
        if manifest.part_begun_by
        else (),
        out=out,
        filled=filled,
        numbered=history.game.rules.took_part(history.game) if manifest.rounds else None,
        wins=_winning_total(history.game),
    )
    lists_recent = frame["writes"] and view.status == "open" and filled == "recent"
    return {
        **frame,
        "board": board,
        "game": reader.game(view.ruleset),
        "then": by,
        "last": reader.say(lately[-1], view.ruleset, board.names),
        "recent": recent_parts(reader, moment, parts, board.names) if lists_recent else [],
        **_undo_variables(reader, moment, board),
        **_redo_variables(reader, moment, board),
        **_set_aside_variables(moment),
        **_deal_end_variables(reader, moment, board),
        "goes_on": view.continued_by is not None,
        "over": _over(reader, course, board) if view.status == "finished" else {},
    }


def _shown_by(reader: Reader, view: GameView, lately: Sequence[Mapping[str, Any]], by: str) -> str:
    agreed = reader.request.query_params.get("agreed") == str(view.version)
    return "ended" if just_ended(lately) and not agreed else by


def _removed_by_undo(moment: GameSnapshot) -> tuple[Undo | None, bool]:
    """Return what undo removes, and whether all that is left was carried over from the game before.

    Undo removes neither points that were carried over nor a correction of them.
    """
    rows, chain = moment.loaded.rows, moment.loaded.chain
    undo = undo_of(moment.loaded.history, rows, GAMES[moment.ruleset].implied)
    carried = len(rows.of_command(rows[0].command_id)) if chain and chain.continues else 0
    if carried and (undo is None or undo.version <= carried):
        return None, True
    if undo and _follows_correction(*_recorded(rows, [undo.version])):
        return None, False
    return undo, False


def _undo_variables(reader: Reader, moment: GameSnapshot, board: Board) -> dict[str, Any]:
    """Return what undo removes: as versions, in words, and drawn.

    `undo_change`: only entries are left that were carried over from the game before.
    """
    head, rows = moment.head, moment.loaded.rows
    undo, all_carried = _removed_by_undo(moment)
    removed = _recorded(rows, [*undo.also, undo.version]) if undo else []
    if undo and head and head.version == undo.version and records_mistake(head):
        removed[-1]["wrong"] = True
    if removed and removed[-1]["type"] == "result":
        removed[-1]["deal"] = board.view.deal - 1
    between = reader.gettext("; ")
    words = [reader.say(entry, moment.ruleset, board.names) for entry in removed]
    drawn = [reader.draw(entry, moment.ruleset, board.names) for entry in removed]
    return {
        "undo": undo,
        "undone": removed[-1] if removed else None,
        "undo_words": between.join(words),
        "undo_face": escape(between).join(drawn),
        "undo_change": all_carried,
    }


def _redo_variables(reader: Reader, moment: GameSnapshot, board: Board) -> dict[str, Any]:
    """Return the undone entries that redo records again, and their words."""
    rows = moment.loaded.rows
    undone = [line.version for line in moment.loaded.history.undone]
    # An erased text cannot be restored.
    is_erased = any(rows[version - 1].erased for version in undone)
    redo = [
        {name: value for name, value in entry.items() if name != "at"}
        for entry in _recorded(rows, () if is_erased else undone)
    ]
    words = [reader.say(entry, moment.ruleset, board.names) for entry in redo]
    return {"redo": redo, "redo_words": reader.gettext("; ").join(words)}


def _recorded(rows: Sequence[StoredEntry], versions: Iterable[int]) -> list[dict[str, Any]]:
    return [read_entry(*entry_views([rows[version - 1]])) for version in versions]


def _set_aside_variables(moment: GameSnapshot) -> dict[str, Any]:
    """Return the entry that brings back a game that is set aside, and what replaced the game."""
    bring_back = restoring_entry(moment)
    is_aside = bring_back is not None
    return {
        "bring_back": bring_back,
        "undone_change": is_aside and is_detached(moment.loaded.history),
        "replaced": is_aside and replacement(moment) is not None,
    }


def _deal_end_variables(reader: Reader, moment: GameSnapshot, board: Board) -> dict[str, Any]:
    """Return who did best in the deal that has just ended, and its doubtful entries in words."""
    if not board.ended:
        return {"best": (), "doubts": []}
    open_doubts = doubts(moment.last_deal(), GAMES[moment.ruleset].laid_open)
    return {
        "best": best_of_deal(moment.loaded.history.game),
        "doubts": [
            (doubt, reader.say(doubt.entry, moment.ruleset, board.names)) for doubt in open_doubts
        ],
    }


def _winning_total(game: Game) -> str:
    if not GAMES[game.rules.name].has_winner:
        return ""
    return "highest" if game.rules.highest_wins(game) else "lowest"


def _over(reader: Reader, course: GameCourse, board: Board) -> dict[str, Any]:
    moment = course.game
    history = moment.loaded.history
    ranked = ranking(history)
    title = moment.title_name or texts().game(moment.ruleset, reader.language)
    at = moment.loaded.rows[-1].recorded_at
    return {
        "places": places(ranked, history.game.totals, board.names, scored=has_totals(history.game)),
        "bg_stats": bg_stats_link(moment, title, [*board.names], ranked, at),
        "chart": totals(course, names_of(reader, course.players), reader.figures),
    }


def _follows_correction(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry corrects points that were carried over from the game before."""
    moves = [entry.get("move"), *entry.get("moves", ())]
    return any(move and move.get("reason") in {ARRIVED, CARRIED} for move in moves)


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
    reader: Reader, moment: GameSnapshot, parts: Sequence[PartSteps], names: Sequence[str]
) -> list[RecentPart]:
    """Return the latest entries of this deal, and the last ones of the deal before it."""
    ruleset, game = moment.ruleset, reader.game(moment.ruleset)
    found: list[RecentPart] = []

    def add(heading: str, steps: Sequence[Step], entries_max: int) -> int:
        tapped: list[RecentEntry] = []
        after: tuple[Step, ...] = ()
        for step in reversed(steps):
            if len(tapped) < entries_max and not is_implied(GAMES[ruleset].implied, step, after):
                fields: dict[str, Any] = to_builtins(step.entry)
                if records_mistake(step):
                    fields["wrong"] = True
                words = reader.show(fields, ruleset, names)
                inserts = type_of(step.entry) == GAMES[ruleset].inserts_before
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
        ending = parts_of_deal(moment.loaded.history, steps_of_deal(before))[-1].steps
        heading = reader.gettext("Deal %(deal)s") % {"deal": len(before.game.deals)}
        add(heading, ending if GAMES[ruleset].part_begun_by else (), RECENT_OF_LAST_DEAL_MAX)
    return found


def is_implied(implied: Mapping[str, str], step: Step, steps: Sequence[Step]) -> bool:
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
