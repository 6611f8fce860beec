"""The entries of a game by deals and parts (tricks, bouts, turns), with search."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, cast
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from markupsafe import Markup
from msgspec import Struct

from domain.games import is_mistaken
from schemas.cards import JOKER
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
from service.play.game_cache import erased_versions
from service.play.snapshots import GameSnapshot
from service.store.records import Recorder
from service.web.format.render import Reader, names_of, version_of
from service.web.format.template_filters import EVERY_CARD, LETTERS
from service.web.recorder.table.board import place
from service.web.recorder.table.entry_data import read_entry, standing_entry
from service.web.recorder.table.timeline import (
    Chapter,
    DealPart,
    TimelineEntry,
    chapters,
    original,
)

UNFOLDED = 40  # entries: deals are unfolded from the last one on until there are so many
FOUND_MAX = 200
AROUND = 100
DEALS_MAX = 100  # on one page, folded ones included
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

    @property
    def is_correctable(self) -> bool:
        return self.source.step is not None


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
    renderer = _EntryRenderer(reader, moment, names_of(reader, moment.players), known)
    found = chapters(moment)
    wanted = " ".join(q.split())
    hits = _search(renderer, found, wanted) if wanted else []
    shown = hits[:FOUND_MAX]
    pages = [found[max(0, end - DEALS_MAX) : end] for end in range(len(found), 0, -DEALS_MAX)]
    if wanted:
        deals = renderer.deals(found, {one for one, _ in shown}, {id(hit) for _, hit in shown})
        deals = [deal for deal in deals if deal.sections]
    elif asked := _unfolded_numbers(found, request.query_params):
        page = next(page for page in pages if asked & {one.number for one in page})
        deals = renderer.deals(page, asked)
    else:
        deals = renderer.deals(pages[0], _last(found), most=UNFOLDED)
    return reader.page(
        "entries_page.html",
        **place(moment, request.user),
        names=renderer.names,
        game=reader.game(moment.ruleset),
        deals=deals,
        pages=[(page[0].number, page[-1].number) for page in pages],
        wanted=wanted,
        found=len(hits),
        shown=len(shown),
        empty=moment.version == 1,
    )


def deals_around(reader: Reader, moment: GameSnapshot, version: int | None) -> list[DealEntries]:
    """Return at most `DEALS_MAX` deals, latest first, with the deal at `version` unfolded.

    Of that deal, at most `AROUND` entries before and after the version are included.
    """
    found = chapters(moment)
    renderer = _EntryRenderer(reader, moment, names_of(reader, moment.players), {})
    unfolded = _unfolded_numbers(found, {} if version is None else {"entry": str(version)})
    current = [at for at, one in enumerate(found) if one.number in unfolded]
    end = min(len(found), (current or [len(found)])[-1] + DEALS_MAX // 2)
    found = found[max(0, end - DEALS_MAX) : end]
    near: set[int] = set()
    for one in found:
        if one.number in unfolded:
            lines = list(one.entries)
            at = next(at for at, line in enumerate(lines) if line.version == version)
            near |= {id(line) for line in lines[max(0, at - AROUND) : at + AROUND]}
    return renderer.deals(found, unfolded, near)


def _unfolded_numbers(found: Sequence[Chapter], asked: Mapping[str, str]) -> set[int]:
    deal, entry = (version_of(asked.get(name, "")) for name in ("deal", "entry"))
    return {
        one.number
        for one in found
        if one.number == deal or any(line.version == entry for line in one.entries)
    }


def _last(deals: Sequence[Chapter]) -> set[int]:
    found: set[int] = set()
    left = UNFOLDED
    for one in reversed(deals):
        if found and one.count > left:
            break
        found.add(one.number)
        left -= one.count
    return found


def _search(
    renderer: "_EntryRenderer", found: Sequence[Chapter], wanted: str
) -> list[tuple[int, TimelineEntry]]:
    parts = [_plain(word) for word in wanted.split()]
    return [
        (one.number, line)
        for one in reversed(found)
        for line in one.entries
        if all(part in renderer.search_text(line) for part in parts)
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
        self._lost = erased_versions(moment.loaded)
        self._search_texts: dict[int, str] = {}

    def deals(
        self,
        found: Sequence[Chapter],
        unfolded: AbstractSet[int],
        only: AbstractSet[int] | None = None,
        most: int | None = None,
    ) -> list[DealEntries]:
        """Return the deals, latest first; `only` filters entries, `most` limits each deal."""
        return [
            self._deal(one, only, most, unfolded=one.number in unfolded) for one in reversed(found)
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
            ended=self._sentence(read_entry(chapter.ended)) if chapter.ended else "",
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
            shown = part.entries if most is None else part.entries[-2 * most :]
            rest -= len(shown)
            lines = [self._line(one) for one in reversed(shown) if only is None or id(one) in only]
            if lines:
                found.append(Section(part=part, lines=lines))
        return found, rest

    def _line(self, line: TimelineEntry) -> EntryLine:
        original_sentence, now = original(line), self._now(line)
        if line.step and now and is_mistaken(line.step):
            if original_sentence == now:
                original_sentence["wrong"] = True
            now["wrong"] = True
        said, stands = (
            self._entry_sentence(original_sentence),
            None if now is None else self._entry_sentence(now),
        )
        return EntryLine(
            source=line,
            original_sentence=said,
            now=stands if stands is not None and stands.words != said.words else None,
            is_obsolete=self._is_obsolete(line),
            entry=original_sentence if now is None else now,
            by=self._by(line.version),
            erases=line.part == 0 and self._moment.loaded.rows[line.version - 1].text is not None,
        )

    def _by(self, version: int) -> Recorder | None:
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
        key = id(line)
        if key not in self._search_texts:
            now = self._now(line)
            entries = [original(line), *([] if now is None else [now])]
            words = [self._sentence(entry) for entry in entries]
            cards = [self._printed_card(card) for entry in entries for card in cards_of(entry)]
            self._search_texts[key] = _plain(" ".join((str(line.version), *words, *cards)))
        return self._search_texts[key]

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
