"""Brings the layouts of tables into one: a row per game or round, a column of points per person.

Known layouts: tables side by side, people as rows, and a row per person and game, as in a history's
files. Cells keep their names, so that a problem is reported where the reader finds it.
"""

import re
from bisect import bisect
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from msgspec import Struct

from schemas.names import normalized_name, read_name
from service.extensions.score_books.books import (
    NOTHING,
    NUMBERED_ROUND,
    contradicts,
    guess_roles,
    has_points,
    is_label,
    is_sum,
    is_total,
    known_role,
    person_name,
)
from service.extensions.score_books.cells import days_in_text, is_day, words_without_day
from service.extensions.score_books.tables import (
    COLUMNS_MAX,
    BadTable,
    Cell,
    OwnGame,
    Row,
    Sheet,
    cell_at,
    column_letters,
)
from service.language.known_titles import known_titles
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from service.transfer.games_from_points import whole_number

_PEOPLE_MIN = 2
_NO = frozenset({"0", "no", "non", "nein", "false", "faux", "falsch"})
_YES = frozenset({"1", "x", "✓", "yes", "oui", "ja", "true", "wahr", "vrai"})

# More heads of tables with a row per person and game; the service's own headings are added.
_HEADS: Mapping[str, tuple[str, ...]] = {
    "player": ("player", "players", "joueur", "joueuse", "joueurs", "spieler", "name", "nom"),
    "points": ("points", "score", "punkte", "total", "résultat", "ergebnis", "pts"),
    "place": ("place", "rank", "position", "rang", "platz", "classement"),
    "won": ("won", "win", "gagné", "gewonnen"),
}  # fmt: skip
_KINDS = {"game": "title", "winner": "won"}
# Columns of the history's own files.
_OWN = {
    "game_id": "game",
    "player": "player",
    "points": "points",
    "total": "total",
    "place": "place",
    "won": "won",
    "started_at": "day",
    "recorded_at": "day",
    "title_name": "title",
    "number": "round",
    "location": "where",
    "tags": "tags",
    "status": "status",
}
DAY, TITLE, GAME, ROUND, WINNER, NOTE = "Date", "Title", "No.", "Round", "Winner", "Note"
# The word for a game that nobody won, in the column of winners.
NOBODY = "nobody"


def arrange(sheet: Sheet, head: int) -> list[Sheet]:
    """Return the tables of a sheet in the common layout. `head`: the number of the header row.

    Raises: BadTable (the tables of the sheet have too many people together)
    """
    head = next((at for at, row in enumerate(sheet.rows[:head], 1) if _are_days(row)), head)
    parts = _side_by_side(sheet, head)
    arranged = [_widened(part, head) or _turned(part, head) for part in parts]
    if any(arranged):
        return [other or part for other, part in zip(arranged, parts, strict=True)]
    blocks = [block for part in parts for block in _blocks(part, head)]
    return [_stacked(sheet, head, blocks) if len(blocks) > 1 else sheet]


# --- several tables on one sheet ------------------------------------------------------------------


class _Block(Struct, frozen=True):
    """A table of a sheet: its header row, the row after its last one, and the cell of its title.

    Rows count from 0. `title`: the row and column of a cell above the header.
    """

    sheet: Sheet
    head: int
    end: int
    title: tuple[int, int] | None

    @property
    def header(self) -> list[Cell]:
        rows = self.sheet.rows[self.head : self.end]
        return _filled_row(rows[0], max(map(len, rows)))

    def keys(self, header: Sequence[Cell]) -> list[Hashable]:
        """Identify each column among the blocks: by its head, or its place without one."""
        named = [
            at if cell is None else normalized_name(str(cell)) for at, cell in enumerate(header)
        ]
        return [(key, named[:at].count(key)) for at, key in enumerate(named)]


def _width(sheet: Sheet) -> int:
    return max(len(row) for row in sheet.rows)


def _blocks(sheet: Sheet, head: int) -> list[_Block]:
    """Return the tables below each other: each has a header, most of them a title above it."""
    points = [at for at, role in enumerate(guess_roles(sheet, head)) if role == "points"]
    first = sheet.rows[head - 1]
    heads = [(head - 1, _title_above(sheet, head - 1, 0))]
    last = max((at for at, row in enumerate(sheet.rows) if has_points([row])), default=0)
    for at in range(head, last):
        row, (before, _) = sheet.rows[at], heads[-1]
        title = _title_above(sheet, at, before + 1)
        again = all(cell_at(row, number) == cell_at(first, number) for number in points)
        if (again and title) or (not again and _is_head(row, points)):
            heads.append((at, title))
    ends = [title[0] if title else at for at, title in heads[1:]]
    return [
        _Block(sheet, at, end, title)
        for (at, title), end in zip(heads, [*ends, len(sheet.rows)], strict=True)
    ]


def _title_above(sheet: Sheet, head: int, first: int) -> tuple[int, int] | None:
    """Return the place of the words that stand alone in the row above a header."""
    for at in range(head - 1, max(first, head - 3) - 1, -1):
        filled = [column for column, cell in enumerate(sheet.rows[at]) if cell is not None]
        if filled and (len(filled) > 1 or whole_number(sheet.rows[at][filled[0]]) is not None):
            return None
        if filled:
            return at, filled[0]
    return None


def _is_head(row: Row, points: Sequence[int]) -> bool:
    """Return whether a row has names of other people, instead of a day and points."""
    filled = [cell for cell in row if cell is not None]
    if any(whole_number(cell) is not None or is_day(cell) for cell in filled):
        return False
    names = {
        normalized_name(name)
        for column in points
        if (name := person_name(cell_at(row, column))) and sum(map(str.isalpha, name)) > 1
    } - NOTHING
    return len(names) > 1 and not is_label(filled[0])


def _stacked(sheet: Sheet, head: int, blocks: Sequence[_Block]) -> Sheet:
    """Return one table of all blocks, with the day and the game that their titles name."""
    titles = [_read_title(block) for block in blocks]
    heads = [cell for block in blocks for cell in block.sheet.rows[block.head]]
    own_days = any(known_role(str(cell)) == "day" for cell in heads)
    dated = not own_days and any(day for day, _ in titles)
    titled = any(game for _, game in titles)
    added = [DAY] * dated + [TITLE] * titled
    # The first block with a column names it.
    columns: dict[Hashable, Cell] = {}
    for block in blocks:
        header = block.header
        for key, cell in zip(block.keys(header), header, strict=True):
            columns.setdefault(key, cell)
    if len(columns) > COLUMNS_MAX:
        raise BadTable("rows")
    rows: list[Row] = [*sheet.rows[: head - 1], (*added, *columns.values())]
    origins: dict[tuple[int, int], tuple[int, int]] = {}
    for block, (day, game) in zip(blocks, titles, strict=True):
        keys = block.keys(block.header)
        at = {key: len(added) + number for number, key in enumerate(columns)}
        source = block.sheet.origins or {}
        for number in range(block.head, block.end):
            row = block.sheet.rows[number]
            if number > block.head and all(cell is None for cell in row):
                continue
            line = len(rows) if number > block.head else head - 1
            cells: list[Cell] = [*[day] * dated, *[game] * titled, *[None] * len(columns)]
            for column, (key, cell) in enumerate(
                zip(keys, _filled_row(row, len(keys)), strict=True)
            ):
                cells[at[key]] = cell
                origins.setdefault((line, at[key]), source.get((number, column), (number, column)))
            if number > block.head:
                place = block.title or (block.head, 0)
                origins |= {
                    (line, column): source.get(place, place) for column in range(len(added))
                }
                rows.append(tuple(cells))
    return Sheet(name=sheet.name, rows=tuple(rows), origins=_origins_in_file(sheet, origins))


def _read_title(block: _Block) -> tuple[Cell, str]:
    """Return the day and the game that the title of a block names; "": no game."""
    if block.title is None:
        return None, ""
    text = block.sheet.rows[block.title[0]][block.title[1]]
    if not isinstance(text, str):
        return text, ""
    days = days_in_text(text)
    day = days[0] if len({*days}) == 1 else text if days else None
    words = words_without_day(text)
    game = known_game(text) or ("" if known_role(words.partition(" ")[0]) else words)
    return day, game if any(map(str.isalpha, game)) else ""


def known_game(text: str) -> str:
    """Return the longest name of a well-known game in a text; "" if there is none."""
    pattern, called = _known_names()
    titles = (match[0] for match in pattern.finditer(normalized_name(text)))
    return called.get(max(titles, key=len, default=""), "")


@cache
def _known_names() -> tuple[re.Pattern[str], Mapping[str, str]]:
    names = {
        normalized_name(name): name for title in known_titles().values() for name in title.names
    }
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(whole_words("|".join(map(re.escape, longest_first)))), names


def whole_words(pattern: str) -> str:
    return rf"(?<![^\W\d_])(?:{pattern})(?![^\W\d_])"


# --- tables side by side --------------------------------------------------------------------------


def _side_by_side(sheet: Sheet, head: int) -> list[Sheet]:
    width = _width(sheet)
    heads = _filled_row(sheet.rows[head - 1], width)
    days = [at for at, cell in enumerate(heads) if _kind(cell) == "day"]
    if len(days) > 1 and days[0] == _first(heads):
        bounds = [*days, width]
    else:
        bounds = [] if days else _separate_groups(sheet, heads, width)
        bounds = bounds or _named_groups(sheet, head, heads)
    people = [
        sum(_kind(cell) == "" for cell in heads[first:after]) for first, after in pairwise(bounds)
    ]
    if len(people) < 2 or min(people) < _PEOPLE_MIN:  # noqa: PLR2004 -- side by side
        return [sheet]
    # Columns before the first group, such as that of the days, belong to all of them.
    before = [*range(bounds[0])]
    return [
        _columns(sheet, head, [*before, *range(first, after)], bounds)
        for first, after in pairwise(bounds)
    ]


def _separate_groups(sheet: Sheet, heads: Sequence[Cell], width: int) -> list[int]:
    """Return the bounds of groups of names that blank columns separate."""
    blank = [all(cell_at(row, at) is None for row in sheet.rows) for at in range(width)]
    starts = [at for at in range(width) if not blank[at] and (at == 0 or blank[at - 1])]
    bounds = [*starts, width]
    names = [
        sum(read_name(str(cell or "")) is not None for cell in heads[first:after])
        for first, after in pairwise(bounds)
    ]
    return bounds if len(names) > 1 and min(names) >= _PEOPLE_MIN else []


def _named_groups(sheet: Sheet, head: int, heads: Sequence[Cell]) -> list[int]:
    """Return the bounds of groups of names, each below the name of a game."""
    above = sheet.rows[head - 2] if head > 1 else ()
    starts = [at for at, cell in enumerate(above) if _kind(cell) == "" and not is_day(cell)]
    return [*starts, len(heads)] if len(starts) > 1 else []


def _columns(sheet: Sheet, head: int, columns: Sequence[int], bounds: Sequence[int]) -> Sheet:
    """Return some columns of a sheet; a row above the header that names several parts is cut."""
    rows: list[Row] = []
    names: dict[tuple[int, int], tuple[int, int]] = {}
    own = [at for at in columns if at >= bounds[0]]
    for at, row in enumerate(sheet.rows):
        filled = {bisect(bounds, column) for column, cell in enumerate(row) if cell is not None}
        if at < head - 1 and len(filled - {0}) < 2:  # noqa: PLR2004 -- parts
            rows.append(row)
            continue
        there = own if at < head - 1 else columns
        rows.append(tuple(cell_at(row, column) for column in there))
        names |= {(at, number): (at, column) for number, column in enumerate(there)}
    letters = f"{column_letters(own[0])}–{column_letters(own[-1])}"
    name = f"{sheet.name} {letters}".strip()
    return Sheet(name=name, rows=tuple(rows), origins=names)


# --- people as rows -------------------------------------------------------------------------------


def _turned(sheet: Sheet, head: int) -> Sheet | None:
    """Return a sheet whose rows are people with its rows and columns exchanged."""
    width = _width(sheet)
    heads = _filled_row(sheet.rows[head - 1], width)
    names = _first_filled_column(sheet, head)
    if names is None:
        return None
    people = [
        at for at in range(head, len(sheet.rows)) if isinstance(cell_at(sheet.rows[at], names), str)
    ]
    values = [
        at for at in range(names + 1, width) if heads[at] is not None and not is_sum(heads[at])
    ]
    if not _are_people(heads, names, [sheet.rows[at] for at in people], values):
        return None
    if all(is_day(heads[at]) for at in values):
        first = DAY
    else:
        numbered = all(_is_time(heads[at]) for at in values)
        first = ROUND if numbered or any(_kind(heads[at]) for at in values) else TITLE
    points = [at for at in values if _kind(heads[at]) not in {"place", "won"}]
    columns = [names, *points]
    # A total that is not the sum of its row is a problem; the others say nothing new.
    total = next((at for at in range(names + 1, width) if is_total(heads[at])), None)
    if total is not None and any(
        contradicts(cell_at(row, total), [cell_at(row, at) for at in points])
        for row in (sheet.rows[at] for at in people)
    ):
        columns.append(total)
    rows: list[Row] = [*sheet.rows[: head - 1]]
    origins: dict[tuple[int, int], tuple[int, int]] = {}
    for column in columns:
        title = first if column == names else heads[column]
        for number, source in enumerate((head - 1, *people)):
            origins[len(rows), number] = source, column
        rows.append((title, *(cell_at(sheet.rows[at], column) for at in people)))
    return Sheet(name=sheet.name, rows=tuple(rows), origins=_origins_in_file(sheet, origins))


def _are_people(
    heads: Sequence[Cell], names: int, people: Sequence[Row], values: Sequence[int]
) -> bool:
    """Return whether rows have the names of people in one column and numbers in others."""
    spellings = {normalized_name(str(row[names])) for row in people}
    if len(people) < _PEOPLE_MIN or not values or len(spellings) < len(people):
        return False
    if _kind(heads[names]) != "player":
        first = normalized_name(str(people[0][names]))
        if _is_time(first) or not all(_is_time(heads[at]) for at in values):
            return False
    return any(whole_number(cell_at(row, at)) is not None for row in people for at in values)


def _first_filled_column(sheet: Sheet, head: int) -> int | None:
    columns = range(_width(sheet))
    below = sheet.rows[head:]
    return next((at for at in columns if any(cell_at(row, at) is not None for row in below)), None)


def _are_days(row: Row) -> bool:
    """Return whether a row is the header of people as rows, with a column for each day."""
    filled = [cell for cell in row[1:] if cell is not None and not is_sum(cell)]
    return len(filled) > 1 and all(is_day(cell) for cell in filled)


def _is_time(cell: Cell) -> bool:
    text = str(cell)
    return text.isdigit() or is_day(cell) or bool(NUMBERED_ROUND.fullmatch(text))


# --- a row per person and game --------------------------------------------------------------------


# Columns by which rows belong to one game.
_KEYS: tuple[str, ...] = ("day", "title", "game", "round")


class _Game(Struct):
    """A game of several rows. `lost`: rows that say that their person did not win."""

    row: int
    keys: tuple[Cell, ...]
    points: dict[str, tuple[Cell, int, int]]
    winners: list[str] = []
    lost: int = 0
    unranked: list[str] = []

    @property
    def who_won(self) -> str | None:
        nobody = NOBODY if self.lost == len(self.points) else None
        return ", ".join(self.winners) or nobody


def _widened(sheet: Sheet, head: int) -> Sheet | None:
    """Return a table with a row per person and game with a row per game instead."""
    heads = sheet.rows[head - 1]
    at: dict[str, int] = {}  # per kind of column: the first such column
    is_history = {_own_kind(cell) for cell in heads} >= {"game", "player", "title"}
    for column, cell in enumerate(heads):
        kind = _own_kind(cell) if is_history else _kind(cell)
        if kind:
            at.setdefault(kind, column)
    points = at.get("points", at.get("total"))
    score = at.get("place") if points is None else points
    if "player" not in at or score is None or not ({"day", "title", "game"} & at.keys()):
        return None
    names: dict[str, str] = {}
    games: list[_Game] = []
    latest: dict[tuple[Cell, ...], _Game] = {}
    keys: tuple[Cell, ...] = (None, None, None, None)
    starts: dict[Cell, Cell] = {}
    for number, row in enumerate(sheet.rows[head:], head):
        cell = cell_at(row, at["player"])
        if cell is None:
            continue
        name, person = str(cell), normalized_name(str(cell))
        names.setdefault(person, name)
        own_keys = tuple(cell_at(row, at.get(kind)) for kind in _KEYS)
        if is_history:
            # Each deal of a history has a time; the game has the first one.
            day, title, game_id, deal = own_keys
            own_keys = (starts.setdefault(game_id, day), title, game_id, deal)
        if any(key is not None for key in own_keys):
            keys = own_keys
        game = latest.get(keys)
        if game is None or person in game.points:
            game = latest[keys] = _Game(number, keys, {})
            games.append(game)
        value = cell_at(row, score)
        if points is None and (place := whole_number(value)) is not None:
            value = f"{place}."
        game.points[person] = (value, number, score)
        won = str(cell_at(row, at.get("won"))).strip().casefold()
        if won in _YES:
            game.winners.append(name)
        game.lost += won in _NO
        if "status" in at and cell_at(row, at.get("place")) is None:
            game.unranked.append(name)
    if len(games) == sum(len(game.points) for game in games) or len(names) < _PEOPLE_MIN:
        return None
    notes = {game.row: cell_at(sheet.rows[game.row], at.get("note")) for game in games}
    for game in games:
        if len(game.unranked) == len(game.points):
            game.unranked.clear()  # Nobody won; their points are points.
    return _wide_sheet(sheet, head, at, games, names, notes)


def _wide_sheet(
    sheet: Sheet,
    head: int,
    at: Mapping[str, int],
    games: Sequence[_Game],
    names: Mapping[str, str],
    notes: Mapping[int, Cell],
) -> Sheet:
    keys = [kind for kind in _KEYS if kind in at]
    titles = {"day": DAY, "title": TITLE, "game": GAME, "round": ROUND}
    header: list[Cell] = [*(titles[kind] for kind in keys), *names.values()]
    more = [WINNER] * ("won" in at) + [NOTE] * ("note" in at)
    rows: list[Row] = [*sheet.rows[: head - 1], (*header, *more)]
    origins: dict[tuple[int, int], tuple[int, int]] = {}
    for game in games:
        line = len(rows)
        values = dict(zip(_KEYS, game.keys, strict=True))
        cells = [values[kind] for kind in keys]
        origins |= {(line, column): (game.row, at[kind]) for column, kind in enumerate(keys)}
        for column, key in enumerate(names, len(keys)):
            value, row, source = game.points.get(key, (None, game.row, at["player"]))
            played_nothing = whole_number(value) == 0 and names[key] in game.unranked
            cells.append(None if played_nothing else value)
            origins[line, column] = row, source
        if "won" in at:
            cells.append(None if _is_running(sheet, game, at) else game.who_won)
        if "note" in at:
            cells.append(notes[game.row])
        if "tags" in at:
            origins[line, len(cells)] = game.row, at["tags"]
        rows.append(tuple(cells))
    own = {
        line: OwnGame(
            place=str(cell_at(sheet.rows[game.row], at["where"]) or "") or None,
            tags=str(cell_at(sheet.rows[game.row], at.get("tags")) or ""),
            running=_is_running(sheet, game, at),
            unranked=frozenset(game.unranked),
        )
        for line, game in enumerate(games, head + 1)
        if "where" in at
    }
    return Sheet(
        name=sheet.name, rows=tuple(rows), origins=_origins_in_file(sheet, origins), own=own
    )


def _is_running(sheet: Sheet, game: _Game, at: Mapping[str, int]) -> bool:
    """Return whether a history says that a game was not over yet."""
    return "status" in at and cell_at(sheet.rows[game.row], at["status"]) in _running_words()


@cache
def _running_words() -> frozenset[str]:
    return frozenset(texts().word("open", lang) for lang in LANGUAGES)


def _origins_in_file(
    sheet: Sheet, origins: Mapping[tuple[int, int], tuple[int, int]]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return origins in the file, where the sheet itself was cut out of another."""
    before = sheet.origins or {}
    return {place: before.get(source, source) for place, source in origins.items()}


def _filled_row(row: Row, width: int) -> list[Cell]:
    return [*row, *[None] * width][:width]


def _first(cells: Iterable[Cell]) -> int:
    return next((at for at, cell in enumerate(cells) if cell is not None), -1)


def _kind(cell: Cell) -> str | None:
    """Return the kind of column that a heading names; "": another text, None: no text."""
    if not isinstance(cell, str):
        return None
    text = cell.casefold().strip(" .:")
    role = known_role(text) or ""
    return next((kind for kind, heads in _HEADS.items() if text in heads), _KINDS.get(role, role))


def _own_kind(cell: Cell) -> str | None:
    return _own_headings().get(cell) if isinstance(cell, str) else None


@cache
def _own_headings() -> Mapping[str, str]:
    return {texts().word(word, lang): kind for lang in LANGUAGES for word, kind in _OWN.items()} | {
        texts().word("game", lang): "game" for lang in LANGUAGES
    }
