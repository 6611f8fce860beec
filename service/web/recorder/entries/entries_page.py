"""The entries of a game by deals and parts (tricks, bouts, turns), with search."""

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, cast
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from markupsafe import Markup
from msgspec import Struct

from domain.games import records_mistake
from domain.table.history import Step
from schemas.cards import JOKER
from schemas.entries import is_start
from service.access.admission import Access
from service.dependencies import (
    Asked,
    Id,
    Number,
    PageRequest,
    TheCommands,
    TheExports,
    TheGames,
    TheGrants,
    see_other,
)
from service.language.known_titles import is_cooperative
from service.play.chain_corrections import continues
from service.play.game_cache import erased_versions
from service.play.snapshots import GameSnapshot
from service.play.views import entry_views
from service.store.records import Recorder
from service.web.format.render import Reader, names_of, pages_near, version_of
from service.web.format.template_filters import EVERY_CARD, LETTERS
from service.web.recorder.table.board import place
from service.web.recorder.table.entry_data import read_entry, standing_entry
from service.web.recorder.table.timeline import (
    Chapter,
    PartEntries,
    TimelineEntry,
    chapter,
    chapter_of,
    original,
)

UNFOLDED = 40  # entries: deals are unfolded from the last one on until there are so many
FOUND_MAX = 200
AROUND = 100
DEALS_MAX = 50  # on one page, folded ones included
SIGNS: Mapping[str, str] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "?": ""}


class EntrySentence(Struct, frozen=True, kw_only=True):
    """An entry as a sentence: plain text, and markup with card faces if it names cards."""

    words: str
    with_faces: Markup | None


class EntryLine(Struct, frozen=True, kw_only=True):
    """An entry on the page. `now`: its current replacement; `is_obsolete`: it no longer counts.

    `entry`: the current entry, or else the recorded one. `by`: the recorder's name; None: the owner
    key.
    """

    source: TimelineEntry
    original_sentence: EntrySentence
    now: EntrySentence | None
    is_obsolete: bool
    entry: dict[str, Any]
    by: Recorder | None
    erases: bool
    is_correctable: bool


class Section(Struct, frozen=True, kw_only=True):
    part: PartEntries
    lines: list[EntryLine]


class DealEntries(Struct, frozen=True, kw_only=True):
    """A deal on the page; `sections` None: folded. `ended`: its result in words.

    `first`: the version of its first entry; `count`: the number of entries that count; `rest`: the
    number of first entries that are omitted.
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
    renderer = _EntryRenderer(reader, moment, names_of(reader, moment.players), known)
    last = len(moment.deals)
    wanted = " ".join(q.split())
    # Counted from the last deal back, so that the newest page is full.
    pages = [range(max(0, end - DEALS_MAX) + 1, end + 1) for end in range(last, 0, -DEALS_MAX)]
    page = 0
    hits: list[tuple[Chapter, TimelineEntry]] = []
    shown = hits
    if wanted:
        hits = _search(renderer, moment, wanted)
        shown = hits[:FOUND_MAX]
        chapters = {chapter.number: chapter for chapter, _ in shown}
        deals = renderer.deals(chapters, chapters, {id(hit) for _, hit in shown})
    elif requested := _requested_number(moment, request.query_params):
        page = (last - requested) // DEALS_MAX
        deals = renderer.deals(pages[page], {requested: chapter(moment, requested)})
    else:
        deals = renderer.deals(pages[0], _last_chapters(moment), most=UNFOLDED)
    return reader.page(
        "entries_page.html",
        **place(moment, request.user),
        names=renderer.names,
        game=reader.game(moment.ruleset),
        deals=deals,
        pages=[(pages[at - 1][0], pages[at - 1][-1]) for at in pages_near(page + 1, len(pages))],
        wanted=wanted,
        found=len(hits),
        shown=len(shown),
        empty=moment.version == 1,
    )


def deals_around(reader: Reader, moment: GameSnapshot, version: int | None) -> list[DealEntries]:
    """Return at most `DEALS_MAX` deals, latest first, with the deal at `version` unfolded.

    Of that deal, at most `AROUND` entries before and after the version are included.
    """
    last = len(moment.deals)
    renderer = _EntryRenderer(reader, moment, names_of(reader, moment.players), {})
    number = None if version is None else chapter_of(moment, version)
    end = min(last, (number or last) + DEALS_MAX // 2)
    found = range(max(0, end - DEALS_MAX) + 1, end + 1)
    if number is None:
        return renderer.deals(found, {})
    unfolded = chapter(moment, number)
    lines = list(unfolded.entries)
    at = next((at for at, line in enumerate(lines) if line.version == version), 0)
    near = {id(line) for line in lines[max(0, at - AROUND) : at + AROUND]}
    return renderer.deals(found, {number: unfolded}, near)


def _requested_number(moment: GameSnapshot, asked: Mapping[str, str]) -> int | None:
    deal, entry = (version_of(asked.get(name, "")) for name in ("deal", "entry"))
    if deal is not None and 1 <= deal <= len(moment.deals):
        return deal
    return chapter_of(moment, entry) if entry and entry <= moment.version else None


def _last_chapters(moment: GameSnapshot) -> dict[int, Chapter]:
    found: dict[int, Chapter] = {}
    left = UNFOLDED
    for number in range(len(moment.deals), 0, -1):
        if found and moment.deals.entries(number) > left:
            break
        found[number] = chapter(moment, number)
        left -= found[number].count
    return found


def _search(
    renderer: "_EntryRenderer", moment: GameSnapshot, wanted: str
) -> list[tuple[Chapter, TimelineEntry]]:
    """Search all entries: unlike other pages, this reads the whole game."""
    parts = [_plain(word) for word in wanted.split()]
    return [
        (one, line)
        for number in range(len(moment.deals), 0, -1)
        for one in (chapter(moment, number),)
        for line in one.entries
        for text in (renderer.search_text(line),)
        if all(part in text for part in parts)
    ]


def _plain(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in spread if not unicodedata.combining(sign))


class _EntryRenderer:
    def __init__(
        self,
        reader: Reader,
        moment: GameSnapshot,
        names: Sequence[str],
        known: Mapping[UUID, Recorder],
    ) -> None:
        self.names = names
        self._reader, self._moment, self._known = reader, moment, known
        # A log counts the deals of its own game, also where that goes on another one.
        reader.cooperative = is_cooperative(moment.title_name)
        self._lost = erased_versions(moment.loaded)

    def deals(
        self,
        numbers: Collection[int],
        unfolded: Mapping[int, Chapter],
        only: AbstractSet[int] | None = None,
        most: int | None = None,
    ) -> list[DealEntries]:
        """Return deals, latest first; `only` filters entries, `most` limits each deal."""
        return [
            self._deal(number, unfolded.get(number), only, most)
            for number in sorted(numbers, reverse=True)
        ]

    def _deal(
        self, number: int, unfolded: Chapter | None, only: AbstractSet[int] | None, most: int | None
    ) -> DealEntries:
        deals = self._moment.deals
        row = deals.row(number)
        ended = entry_views([self._moment.loaded.rows[row.version - 1]]) if row else ()
        sections, rest = self._sections(unfolded, only, most) if unfolded else (None, 0)
        return DealEntries(
            number=number,
            first=deals.first(number),
            count=deals.entries(number),
            ended=self._sentence(read_entry(*ended)) if ended else "",
            sections=sections,
            rest=rest,
        )

    def _sections(
        self, shown: Chapter, only: AbstractSet[int] | None, most: int | None
    ) -> tuple[list[Section], int]:
        found: list[Section] = []
        rest = count = shown.count
        for part in reversed(shown.parts):
            if most is not None and count - rest >= most:
                break
            # Tricks are short, but any number of notes may come between two of them.
            last = part.entries if most is None else part.entries[-2 * most :]
            rest -= len(last)
            lines = [self._line(one) for one in reversed(last) if only is None or id(one) in only]
            if lines:
                found.append(Section(part=part, lines=lines))
        return found, rest

    def _line(self, line: TimelineEntry) -> EntryLine:
        original_sentence, now = original(line), self._now(line)
        if line.step and now and records_mistake(line.step):
            if original_sentence == now:
                original_sentence["wrong"] = True
            now["wrong"] = True
        sentence, current_sentence = (
            self._entry_sentence(original_sentence),
            None if now is None else self._entry_sentence(now),
        )
        return EntryLine(
            source=line,
            original_sentence=sentence,
            now=current_sentence
            if current_sentence is not None and current_sentence.words != sentence.words
            else None,
            is_obsolete=self._is_obsolete(line),
            entry=original_sentence if now is None else now,
            by=self._recorder_of(line.version),
            erases=line.part == 0 and self._moment.loaded.rows[line.version - 1].text is not None,
            is_correctable=line.step is not None and not self._is_carried(line.step),
        )

    def _is_carried(self, step: Step) -> bool:
        return is_start(step.entry) and continues(self._moment.loaded) is not None

    def _recorder_of(self, version: int) -> Recorder | None:
        holder_id = self._moment.loaded.rows[version - 1].recorded_by
        if holder_id is None:
            return None
        return self._known.get(holder_id) or Recorder(holder_id=holder_id, name="", number=None)

    def _now(self, line: TimelineEntry) -> dict[str, Any] | None:
        if line.step is None:
            return None
        return standing_entry(line.version, line.step.entry, self._lost)

    def _is_obsolete(self, line: TimelineEntry) -> bool:
        if line.is_correction:
            return not self._moment.loaded.history.is_take_back_target(line.version)
        return line.step is None and not line.is_derived and line.row.type != "started"

    def _sentence(self, entry: Mapping[str, Any]) -> str:
        return self._reader.say(entry, self._moment.ruleset, self.names)

    def _entry_sentence(self, entry: Mapping[str, Any]) -> EntrySentence:
        with_faces = self._reader.draw(entry, self._moment.ruleset, self.names)
        return EntrySentence(
            words=self._sentence(entry), with_faces=with_faces if "<svg" in with_faces else None
        )

    def search_text(self, line: TimelineEntry) -> str:
        """Return the text that the search matches: the sentence, printed cards and the version."""
        now = self._now(line)
        entries = [original(line), *([] if now is None else [now])]
        words = [self._sentence(entry) for entry in entries]
        cards = [self._printed_card(card) for entry in entries for card in cards_of(entry)]
        return _plain(" ".join((str(line.version), *words, *cards)))

    def _printed_card(self, card: str) -> str:
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


@post("/games/{game_id:uuid}/erase/{version:int}")
async def erase_text(
    commands: TheCommands, exports: TheExports, game_id: Id, version: Number
) -> Redirect:
    await commands.erase_text(game_id, version)
    exports.drop_temporary()
    return see_other(f"/games/{game_id}/log?entry={version}#v{version}")


@get("/games/{game_id:uuid}/erase/{version:int}")
async def back_to_entry(game_id: Id, version: Number) -> Redirect:
    return see_other(f"/games/{game_id}/log?entry={version}#v{version}")
