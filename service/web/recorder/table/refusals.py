"""Refusals in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from domain.table.refusal import Refusal
from domain.table.waivers import waiver_of_earlier_entry, waiving_helps
from schemas.catalogue import type_of
from service.language.texts import texts
from service.play.snapshots import GameSnapshot, Rejected
from service.play.views import EntryView
from service.web.format.render import Reader, names_of
from service.web.recorder.table.entry_data import read_entry
from service.web.recorder.table.timeline import part_headings

WAIVABLE = "R"


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


def describe_refusal(reader: Reader, rejected: Rejected, entries: Sequence[Any]) -> RefusedWords:
    """Return a refusal of one of `entries` in words."""
    moment = rejected.snapshot
    names = names_of(reader, moment.players)
    refusal = rejected.refused.refusal
    written: list[dict[str, Any]] = [to_builtins(entry) for entry in entries]
    index = rejected.refused.index
    entry = written[index]
    other = moment.effective(refusal.contradicts) if refusal.contradicts else None
    contradicted = reader.say(read_entry(other), moment.ruleset, names) if other else ""
    basis = _basis(reader, moment, refusal)
    return RefusedWords(
        version=moment.version,
        rule=refusal.rule,
        message=texts().refusal(
            refusal,
            reader.language,
            names=names,
            entry_label=reader.gettext("“%(entry)s”") % {"entry": contradicted} if other else None,
        ),
        words=reader.say(entry, moment.ruleset, names),
        contradicts=other.version if other else None,
        contradicted=contradicted,
        waivable=[refusal.rule] if _may_be_let_pass(rejected, entries) else [],
        where=_where(reader, moment, names, other) if other else "",
        waived=_waived(rejected, entries, written),
        basis=basis.version if basis and basis != other else None,
        basis_sentence=reader.say(read_entry(basis), moment.ruleset, names) if basis else "",
    )


def _basis(reader: Reader, moment: GameSnapshot, refusal: Refusal) -> EntryView | None:
    asked = reader.game(moment.ruleset).turns_on
    types = str(asked(refusal.rule, refusal.facts)).split() if asked else []
    steps = moment.backwards() if types else iter(())
    found = next((step.version for step in steps if type_of(step.entry) in types), None)
    return moment.effective(found) if found else None


def _where(reader: Reader, moment: GameSnapshot, names: Sequence[str], line: EntryView) -> str:
    place = (line.version, line.part)
    headings = part_headings(moment, names, reader.game(moment.ruleset), [place])
    return headings.get(place, "")


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
