"""The entries of a game by deals and parts (tricks, bouts, turns), with search."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, cast
from uuid import UUID

from litestar import get
from litestar.response import Response
from markupsafe import Markup
from msgspec import Struct

from domain.games import is_mistaken
from schemas.cards import JOKER
from service.access.admission import Access
from service.dependencies import Asked, Id, PageRequest, TheGames, TheGrants
from service.play.snapshots import GameSnapshot
from service.store.records import Recorder
from service.web.format.render import Reader, names_of, version_of
from service.web.format.template_filters import EVERY_CARD, LETTERS
from service.web.recorder.entries.timeline import (
    Chapter,
    DealPart,
    TimelineEntry,
    chapters,
    original,
)
from service.web.recorder.table.board import read_entry
from service.web.recorder.table.erased import lost_texts, standing_entry
from service.web.recorder.table.game_page import place

UNFOLDED = 40  # entries: deals are unfolded from the last one on until there are so many
FOUND_MAX = 200
AROUND = 100
DEALS_MAX = 100  # that are told at once, folded ones included
SIGNS: Mapping[str, str] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "?": ""}


class Said(Struct, frozen=True, kw_only=True):
    """An entry as a sentence: plain text, and markup with card faces if it names cards."""

    words: str
    drawn: Markup | None


class EntryLine(Struct, frozen=True, kw_only=True):
    """An entry on the page. `was`: as first recorded; `now`: its current replacement.

    `gone`: it no longer counts. `entry`: the current entry, or else the recorded one. `by`: the
    recorder's name; None: the owner key.
    """

    told: TimelineEntry
    was: Said
    now: Said | None
    gone: bool
    entry: dict[str, Any]
    by: Recorder | None
    erases: bool

    @property
    def mends(self) -> bool:
        return self.told.step is not None


class Section(Struct, frozen=True, kw_only=True):
    part: DealPart
    lines: list[EntryLine]


class DealEntries(Struct, frozen=True, kw_only=True):
    """A deal on the page; `sections` None: folded. `ended`: its result in words.

    `first`: the version of its first entry; `count`: the number of entries; `rest`: the number of
    first entries that are omitted.
    """

    number: int
    first: int
    count: int
    ended: str
    sections: list[Section] | None
    rest: int = 0


@get("/games/{game_id:uuid}/log", opt={"access": Access.READER})
async def timeline(
    request: PageRequest,
    games: TheGames,
    grants: TheGrants,
    game_id: Id,
    q: Asked = "",
) -> Response[str]:
    """Show the log. `deal` or `entry` selects the unfolded deal; `q` is a search text."""
    reader = Reader(request)
    moment = await games.snapshot(game_id)
    known = await grants.recorders(game_id)
    return await games.work_on(partial(_timeline, reader, moment, known, q))


def _timeline(
    reader: Reader, moment: GameSnapshot, known: Mapping[UUID, Recorder], q: str
) -> Response[str]:
    request = reader.request
    teller = _Teller(reader, moment, names_of(reader, moment.players), known)
    told = chapters(moment)
    wanted = " ".join(q.split())
    hits = _found(teller, told, wanted) if wanted else []
    shown = hits[:FOUND_MAX]
    pages = _pages(told)
    if wanted:
        deals = teller.deals(told, {one for one, _ in shown}, {id(hit) for _, hit in shown})
        deals = [deal for deal in deals if deal.sections]
    elif asked := _asked(told, request.query_params):
        page = next(page for page in pages if asked & {one.number for one in page})
        deals = teller.deals(page, asked)
    else:
        deals = teller.deals(pages[0], _last(told), most=UNFOLDED)
    return reader.page(
        "entries_page.html",
        **place(moment, request.user),
        names=teller.names,
        game=reader.game(moment.ruleset),
        deals=deals,
        pages=[(page[0].number, page[-1].number) for page in pages],
        wanted=wanted,
        found=len(hits),
        shown=len(shown),
        empty=moment.version == 1,
    )


def deals_told(reader: Reader, moment: GameSnapshot, version: int | None) -> list[DealEntries]:
    """Return the deals, latest first, with the deal at `version` unfolded.

    Of that deal, at most `AROUND` entries before and after the version are included.
    """
    told = chapters(moment)
    teller = _Teller(reader, moment, names_of(reader, moment.players), {})
    unfolded = _asked(told, {} if version is None else {"entry": str(version)})
    near: set[int] = set()
    for one in told:
        if one.number in unfolded:
            lines = list(one.told)
            at = next(at for at, line in enumerate(lines) if line.version == version)
            near |= {id(line) for line in lines[max(0, at - AROUND) : at + AROUND]}
    return teller.deals(told, unfolded, near)


def _pages(told: Sequence[Chapter]) -> list[Sequence[Chapter]]:
    return [told[max(0, end - DEALS_MAX) : end] for end in range(len(told), 0, -DEALS_MAX)]


def _asked(told: Sequence[Chapter], asked: Mapping[str, str]) -> set[int]:
    deal, entry = (version_of(asked.get(name, "")) for name in ("deal", "entry"))
    return {
        one.number
        for one in told
        if one.number == deal or any(line.version == entry for line in one.told)
    }


def _last(told: Sequence[Chapter]) -> set[int]:
    found: set[int] = set()
    left = UNFOLDED
    for one in reversed(told):
        if found and one.count > left:
            break
        found.add(one.number)
        left -= one.count
    return found


def _found(
    teller: "_Teller", told: Sequence[Chapter], wanted: str
) -> list[tuple[int, TimelineEntry]]:
    parts = [_plain(word) for word in wanted.split()]
    return [
        (one.number, line)
        for one in reversed(told)
        for line in one.told
        if all(part in teller.searched(line) for part in parts)
    ]


def _plain(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in spread if not unicodedata.combining(sign))


class _Teller:
    def __init__(
        self,
        reader: Reader,
        moment: GameSnapshot,
        names: Sequence[str],
        known: Mapping[UUID, Recorder],
    ) -> None:
        self.names = names
        self._reader, self._moment, self._known = reader, moment, known
        self._lost: AbstractSet[int] = lost_texts(moment.log())
        self._erasable = moment.erasable
        self._standing = frozenset(moment.loaded.history.take_back_targets)
        self._searched: dict[int, str] = {}

    def deals(
        self,
        told: Sequence[Chapter],
        unfolded: AbstractSet[int],
        only: AbstractSet[int] | None = None,
        most: int | None = None,
    ) -> list[DealEntries]:
        """Return the deals, latest first; `only` filters entries, `most` limits each deal."""
        return [
            self._deal(one, only, most, unfolded=one.number in unfolded) for one in reversed(told)
        ]

    def _deal(
        self,
        chapter: Chapter,
        only: AbstractSet[int] | None,
        most: int | None,
        *,
        unfolded: bool,
    ) -> DealEntries:
        sections, rest = self._sections(chapter, only, most) if unfolded else (None, 0)
        return DealEntries(
            number=chapter.number,
            first=chapter.first,
            count=chapter.count,
            ended=self._say(read_entry(chapter.ended)) if chapter.ended else "",
            sections=sections,
            rest=rest,
        )

    def _sections(
        self, chapter: Chapter, only: AbstractSet[int] | None, most: int | None
    ) -> tuple[list[Section], int]:
        found: list[Section] = []
        rest = chapter.count
        for part in reversed(chapter.parts):
            if most is not None and chapter.count - rest >= most:
                break
            # Tricks are short, but any number of notes may come between two of them.
            shown = part.told if most is None else part.told[-2 * most :]
            rest -= len(shown)
            lines = [self._line(one) for one in reversed(shown) if only is None or id(one) in only]
            if lines:
                found.append(Section(part=part, lines=lines))
        return found, rest

    def _line(self, told: TimelineEntry) -> EntryLine:
        was, now = original(told), self._now(told)
        if told.step and now and is_mistaken(told.step):
            if was == now:
                was["wrong"] = True
            now["wrong"] = True
        said, stands = self._said(was), None if now is None else self._said(now)
        return EntryLine(
            told=told,
            was=said,
            now=stands if stands is not None and stands.words != said.words else None,
            gone=self._gone(told),
            entry=was if now is None else now,
            by=self._by(told.version),
            erases=told.version in self._erasable and told.part == 0,
        )

    def _by(self, version: int) -> Recorder | None:
        holder_id = self._moment.loaded.rows[version - 1].recorded_by
        if holder_id is None:
            return None
        return self._known.get(holder_id) or Recorder(holder_id=holder_id, name="", number=None)

    def _now(self, told: TimelineEntry) -> dict[str, Any] | None:
        if told.step is None:
            return None
        return standing_entry(told.version, told.step.entry, self._lost)

    def _gone(self, told: TimelineEntry) -> bool:
        if told.is_correction:
            return told.version not in self._standing
        return told.step is None and not told.is_derived and told.row.type != "started"

    def _say(self, entry: Mapping[str, Any]) -> str:
        return self._reader.say(entry, self._moment.ruleset, self.names)

    def _said(self, entry: Mapping[str, Any]) -> Said:
        drawn = self._reader.draw(entry, self._moment.ruleset, self.names)
        return Said(words=self._say(entry), drawn=drawn if "<svg" in drawn else None)

    def searched(self, told: TimelineEntry) -> str:
        """Return the text that the search matches: the sentence, printed cards and the version."""
        key = id(told)
        if key not in self._searched:
            now = self._now(told)
            entries = [original(told), *([] if now is None else [now])]
            words = [self._say(entry) for entry in entries]
            cards = [self._printed(card) for entry in entries for card in cards_of(entry)]
            self._searched[key] = _plain(" ".join((str(told.version), *words, *cards)))
        return self._searched[key]

    def _printed(self, card: str) -> str:
        if card == JOKER:
            return ""
        return LETTERS[self._reader.language].get(card[0], card[0]) + SIGNS[card[1]]


def cards_of(value: object) -> Iterator[str]:
    """Yield all cards in an entry."""
    if isinstance(value, str):
        if value in EVERY_CARD:
            yield value
    elif isinstance(value, Mapping):
        for one in cast("Mapping[str, object]", value).values():
            yield from cards_of(one)
    elif isinstance(value, list):
        for one in cast("list[object]", value):
            yield from cards_of(one)
