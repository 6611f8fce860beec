"""What the pages of a game share: the board for a reader, and refusals in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from markupsafe import escape
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from domain.games import is_mistaken
from domain.table.refusal import Refusal
from domain.table.waivers import waiver_of_earlier_entry, waiving_helps
from schemas.entries import SetAside
from service.access.principal import Principal
from service.language.texts import texts
from service.play.snapshots import GameSnapshot, Rejected
from service.play.views import EntryView, GameView, entry_views
from service.web.format.charts import totals
from service.web.format.render import Reader, names_of
from service.web.recorder.table.bg_stats import bg_stats_link
from service.web.recorder.table.board import Board, read_entry, undo_of
from service.web.recorder.table.doubts import doubts
from service.web.recorder.table.origins import doubtful, last_part
from service.web.recorder.table.outcome import best_of_deal, just_ended, places
from service.web.recorder.table.recent import recent_parts
from service.web.recorder.table.replacement import replacement
from service.web.recorder.table.timeline import part_headings

WAIVABLE = "R"
LATELY = 8


class RefusedWords(Struct, frozen=True, kw_only=True):
    """A refusal in words: the refused entry (`words`), the reason, the contradicted entry.

    `where`: the trick, bout or turn of that one. `waived`: the entries for the button “it
    happened”, with the clause waived for the one that broke it; `waivable`: the clause, if it can
    be waived. `basis`: the entry whose correction may resolve the refusal,
    and `basis_sentence`, its sentence.
    """

    version: int
    rule: str
    message: str
    words: str
    contradicts: int | None
    contradicted: str
    where: str
    waivable: list[str]
    waived: list[dict[str, Any]]
    basis: int | None = None
    basis_sentence: str = ""


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
    lately: Sequence[Mapping[str, Any]] = (),
) -> Board:
    """Return the board for a reader; `actor` if it is not the first seat to act."""
    if actor is None and view.to_act:
        actor = view.to_act[0]
    names = tuple(names_of(reader, view.players))
    return Board(view=view, names=names, actor=actor, by=by, lately=lately)


def board_context(
    reader: Reader,
    moment: GameSnapshot,
    view: GameView,
    who: Principal,
    by: str,
    actor: int | None = None,
) -> dict[str, Any]:
    """Build the variables of `board.html` except `command`; `actor`.

    The seat that acts out of turn.

    `view` is the game at the snapshot's version. The result of a deal is shown until the reader
    confirms it (`?agreed=`) or the next deal begins.
    """
    lately = moment.last_entries(LATELY)
    writes = who.may_write(view.id)
    agreed = reader.request.query_params.get("agreed") == str(view.version)
    shown = "ended" if just_ended(lately) and not agreed else by
    board = board_of(reader, view, shown if writes else "", actor, lately)
    head = moment.head
    last = [to_builtins(entry) for entry in last_part(view.ruleset, head)]
    board = replace(board, last=last, head=head, doubtful=doubtful(head))
    game = reader.game(view.ruleset)
    return {
        **place(view, who),
        **_steps(reader, moment, board),
        "board": board,
        "game": game,
        "last": reader.say(lately[-1], view.ruleset, board.names),
        "bring_back": restoring_entry(moment),
        "recent": recent_parts(reader, moment, board.names)
        if writes and view.status == "open" and moment.head
        else [],
        "replaced": replacement(moment) is not None,
        "best": best_of_deal(moment.loaded.history.game) if board.ended else (),
        "over": _over(reader, moment, board) if view.status == "finished" else {},
        "then": by,
        "doubts": [
            (one, reader.say(one.entry, view.ruleset, board.names))
            for one in doubts(moment.last_deal(), game.laid_open)
        ]
        if board.ended
        else [],
    }


def _steps(reader: Reader, moment: GameSnapshot, board: Board) -> dict[str, Any]:
    history, rows = moment.loaded.history, moment.loaded.rows
    ruleset, names, between = moment.ruleset, board.names, reader.gettext("; ")

    def recorded(versions: Iterable[int]) -> list[dict[str, Any]]:
        return [read_entry(*entry_views([rows[version - 1]])) for version in versions]

    undo = undo_of(history, rows, reader.game(ruleset).implied)
    taken = recorded([*undo.also, undo.version] if undo else ())
    head = moment.head
    if undo and head and head.version == undo.version and is_mistaken(head):
        taken[-1]["wrong"] = True
    undone = [line.version for line in history.undone]
    # An erased text cannot be restored.
    redo = [] if any(rows[version - 1].erased for version in undone) else recorded(undone)
    redo = [{name: one for name, one in entry.items() if name != "at"} for entry in redo]
    return {
        "undo": undo,
        "undone": taken[-1] if taken else None,
        "undo_words": between.join(reader.say(one, ruleset, names) for one in taken),
        "undo_face": escape(between).join(reader.draw(one, ruleset, names) for one in taken),
        "redo": redo,
        "redo_words": between.join(reader.say(one, ruleset, names) for one in redo),
    }


def _over(reader: Reader, moment: GameSnapshot, board: Board) -> dict[str, Any]:
    sheet = moment.sheet.sheet
    title = moment.title_name or texts().game(moment.ruleset, reader.language)
    at = moment.loaded.rows[-1].recorded_at
    return {
        "places": places(sheet.ranking, sheet.totals, board.names),
        "bg_stats": bg_stats_link(moment, title, [*board.names], sheet.ranking, at),
        "chart": totals(sheet, board.names, reader.figures),
    }


def restoring_entry(moment: GameSnapshot) -> dict[str, Any] | None:
    """Return the entry that restores a game; None if it is not set aside."""
    for step in moment.backwards() if moment.loaded.history.game.set_aside else ():
        if isinstance(step.entry, SetAside):
            at = {"version": step.version, "part": step.part}
            return {"type": "splice", **at, "drop": 1, "moves": []}
    return None


def describe_refusal(reader: Reader, rejected: Rejected, entries: Sequence[Any]) -> RefusedWords:
    """Return a refusal of one of `entries` in words."""
    moment = rejected.snapshot
    names = names_of(reader, moment.players)
    refusal = rejected.refused.refusal
    written: list[dict[str, Any]] = [to_builtins(entry) for entry in entries]
    index = rejected.refused.index
    entry = written[index]
    stands = {line.version: line for line in moment.log(effective=True)}
    other = stands.get(refusal.contradicts) if refusal.contradicts else None
    basis = _basis(reader, moment.ruleset, refusal, list(stands.values()))
    return RefusedWords(
        version=moment.version,
        rule=refusal.rule,
        message=texts().refusal(refusal, reader.language, names=names),
        words=reader.say(entry, moment.ruleset, names),
        contradicts=other.version if other else None,
        contradicted=reader.say(read_entry(other), moment.ruleset, names) if other else "",
        waivable=[refusal.rule] if _may_be_let_pass(rejected, entries) else [],
        where=_where(reader, moment, names, other) if other else "",
        waived=_waived(rejected, entries, written),
        basis=basis.version if basis and basis != other else None,
        basis_sentence=reader.say(read_entry(basis), moment.ruleset, names) if basis else "",
    )


def _basis(
    reader: Reader, ruleset: str, refusal: Refusal, stands: Sequence[EntryView]
) -> EntryView | None:
    asked = reader.game(ruleset).turns_on
    types = str(asked(refusal.rule, refusal.facts)).split() if asked else []
    return next((line for line in reversed(stands) if line.type in types), None)


def _where(reader: Reader, moment: GameSnapshot, names: Sequence[str], line: EntryView) -> str:
    headings = part_headings(moment, names, reader.game(moment.ruleset).part)
    found = (said for (version, _), said in headings.items() if version == line.version)
    return next(found, "")


def _waived(
    rejected: Rejected, entries: Sequence[Any], written: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    index, refusal = rejected.refused.index, rejected.refused.refusal
    if refusal.contradicts:
        history = rejected.snapshot.loaded.history
        earlier = waiver_of_earlier_entry(
            history, refusal.contradicts, refusal.rule, entries[: index + 1]
        )
        if earlier:
            return [to_builtins(earlier), *written]
    waived = waiving(written[index], refusal.rule)
    return [*written[:index], waived, *written[index + 1 :]]


def _may_be_let_pass(rejected: Rejected, entries: Sequence[Any]) -> bool:
    index, rule = rejected.refused.index, rejected.refused.refusal.rule
    clause = texts().clauses.get(rule)
    if clause is None or clause.kind != WAIVABLE:
        return False
    history = rejected.snapshot.loaded.history
    return waiving_helps(history, entries[:index], entries[index], rule)


def waiving(entry: Mapping[str, Any], rule: str) -> dict[str, Any]:
    """Return an entry that also waives a clause; in a correction, its moves do."""
    if entry["type"] == "amend":
        return {**entry, "move": waiving(entry["move"], rule)}
    if entry["type"] == "splice":
        return {**entry, "moves": [waiving(move, rule) for move in entry["moves"]]}
    waived: list[str] = list(to_builtins(entry.get("waive", ())))
    return {**entry, "waive": [*waived, *([] if rule in waived else [rule])]}


def game_address(game_id: UUID, by: str = "cards") -> str:
    return f"/games/{game_id}" + ("?by=result" if by == "result" else "")
