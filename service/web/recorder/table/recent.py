"""The latest entries of the deal on the board, with links to correct them."""

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import UNSET, Struct

from domain.games import GAMES
from domain.table.history import Step
from schemas.catalogue import type_of
from service.play.snapshots import GameSnapshot
from service.web.format.render import Reader
from service.web.recorder.table.origins import correction_url, entry_fields, last_part, of_this_deal

SHOWN = 12
SHOWN_OF_LAST_DEAL = 8


class RecentEntry(Struct, frozen=True):
    address: str
    words: Markup


class RecentPart(Struct, frozen=True):
    """A trick, bout or turn, newest entry first; `heading` is "" before the first part."""

    heading: str
    entries: list[RecentEntry]


def parts_of_deal(
    reader: Reader, moment: GameSnapshot, names: Sequence[str]
) -> list[tuple[str, list[Step]]]:
    """Return the headings and steps of the tricks, bouts or turns of this deal, oldest first."""
    game, begins = reader.game(moment.ruleset), GAMES[moment.ruleset].begins
    steps = list(of_this_deal(moment.head))
    steps.reverse()
    parts: list[tuple[str, list[Step]]] = [("", [])]
    counts: dict[str, int] = {}
    for step in steps:
        kind = begins(step.before.game, step.entry) if begins and step.before else None
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
            seat = getattr(step.entry, "seat", None)
            name = names[seat] if isinstance(seat, int) else ""
            heading = str(game.part(kind, counts[kind], name)) if game.part else ""
            parts.append((heading.strip(), []))
        parts[-1][1].append(step)
    return parts


def recent_parts(reader: Reader, moment: GameSnapshot, names: Sequence[str]) -> list[RecentPart]:
    """Return the latest entries of this deal, and the last ones of the deal before it."""
    game = reader.game(moment.ruleset)
    parts = parts_of_deal(reader, moment, names)
    found: list[RecentPart] = []
    left = SHOWN

    def show(heading: str, part: Sequence[Step], most: int) -> int:
        tapped: list[Step] = []
        after: tuple[Step, ...] = ()
        for one in reversed(part):
            if len(tapped) < most and not is_implied(game.implied, one, after):
                tapped.append(one)
            after = (one,)
        lines = [
            RecentEntry(
                correction_url(moment.id, one),
                reader.show(entry_fields(one), moment.ruleset, names),
            )
            for one in tapped
        ]
        if lines:
            found.append(RecentPart(heading, lines))
        return len(lines)

    for heading, part in reversed(parts):
        if left > 0:
            left -= show(heading, part, left)
    first = next((steps[0] for _, steps in parts if steps), None)
    before = first.before if first else None
    if before is not None:
        ending = _last_steps(moment.ruleset, before)
        heading = reader.gettext("Deal %(deal)s") % {"deal": len(before.game.deals)}
        show(heading, ending, SHOWN_OF_LAST_DEAL)
    return found


def _last_steps(ruleset: str, head: Step) -> list[Step]:
    found: list[Step] = []
    step: Step | None = head
    for _ in last_part(ruleset, head):
        if step is not None:
            found.insert(0, step)
            step = step.before
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
