"""A season that Carnet wrote comes back equal, whatever the form, dialect and language."""

import io
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from domain import notation
from schemas.entries import Note
from schemas.record import PortableRecord, decode_portable, encode_record
from service.export.formats.dialects import DIALECTS, RFC_4180, Dialect
from service.export.game.forms import game_xlsx, rows_csv
from service.export.history.forms import CsvHistory, JsonHistory, XlsxHistory
from service.export.history.rows import DEALS, GAMES, PlayedGame
from service.export.history.writer import HistoryWriter
from service.extensions.score_books.books import (
    BookGame,
    GameKind,
    Matching,
    guess_head,
    guess_roles,
    read_book,
)
from service.extensions.score_books.layouts import arrange
from service.extensions.score_books.source import fullest, open_table
from service.extensions.score_books.tables import read_sheets
from service.store.records import Description
from service.transfer.games_from_points import first_seats
from service.transfer.record_files import BatchWords, NamedFile, open_files
from service.transfer.uploads import assess, assess_record
from tests.extensions.score_books.test_books import NOW, WORDS
from tests.service.export.finished_games import context, played, ranking
from tests.service.export.games import told

Seen = tuple[str | None, tuple[str | None, ...], object, object, str | None, str, str]
LOWEST = Raw(b'{"wins":"lowest"}')


def titled(number: int, totals: list[int], places: list[int | None], **other: object) -> PlayedGame:
    one = played(number, ["Ana", "Ben", "Zoé"], totals, "scores")
    game = replace(one.game, title=str(number), title_name="Skyjo", options=LOWEST)
    points = tuple(
        None if place is None and any(places) else total
        for place, total in zip(places, totals, strict=True)
    )
    deals = (replace(one.game.deals[0], points=points),)
    return replace(one, game=replace(game, **({"places": tuple(places), "deals": deals} | other)))


SEASON = [
    titled(1, [12, 30, 41], [1, 2, 3]),
    titled(2, [70, 70, 90], [2, 1, 3]),  # the table broke the tie
    titled(3, [5, 6, 7], [None, None, None]),  # nobody won
    titled(4, [12, 15, 0], [1, 2, None]),  # Zoé had no number
    titled(5, [3, 2, 9], [2, 1, 3], status="open", took_part=(False, False, False)),
    titled(6, [9, 8, 7], [3, 2, 1], place="Chalet, 2e étage"),
    played(7, ["Ana", "Ben"], [10, 8], said=Description(place="Lac", tags=("Noël", "Rain"))),
]


def seen(record: PortableRecord) -> Seen:
    """Return what a family would compare."""
    outcome = assess_record(record).outcome
    assert outcome is not None
    day = record.date.astimezone(UTC).isoformat()[:16] if record.date else ""
    summary = outcome.summary
    title = record.title or record.ruleset
    return (
        title,
        record.players,
        summary.totals,
        summary.places,
        record.place,
        summary.status,
        day,
    )


def expected(one: PlayedGame) -> Seen:
    game = one.game
    title = game.title_name or game.ruleset
    day = game.started_at.isoformat()[:16]
    names, place = tuple(player.name for player in game.players), game.place or None
    return (title, names, game.totals, game.places, place, game.status, day)


def write(open_writer: Callable[[io.BytesIO], HistoryWriter]) -> bytes:
    out = io.BytesIO()
    writer = open_writer(out)
    writer.add(SEASON)
    writer.rank(ranking([SEASON[0]]))
    writer.finish()
    return out.getvalue()


def read_table(data: bytes) -> list[PortableRecord]:
    return [game.record for game in read_games(data)]


def read_games(data: bytes) -> tuple[BookGame, ...]:
    sheets = [part for one in read_sheets(data) for part in arrange(one, guess_head(one))]
    sheet = sheets[fullest(tuple(sheets))]
    head = guess_head(sheet)
    euchre = GameKind(ruleset="euchre")
    skyjo = GameKind(ruleset="scores", title="Skyjo", wins="lowest")
    matching = Matching(
        ruleset=None,
        head=head,
        roles=guess_roles(sheet, head),
        kinds={"euchre": euchre, "skyjo": skyjo},
    )
    book = read_book(sheet, matching, NOW, UTC, WORDS)
    assert book.problems == ()
    return book.games


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
@pytest.mark.parametrize("dialect", [RFC_4180, *DIALECTS.values()])
def test_a_csv_of_a_history_comes_back_equal(dialect: Dialect, lang: str) -> None:
    data = write(lambda out: CsvHistory(out, context(lang), GAMES, dialect))
    games = read_games(data)
    assert [seen(game.record) for game in games] == [*map(expected, SEASON)]
    assert [game.tags for game in games] == [one.game.tags for one in SEASON]


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_the_deals_of_a_history_come_back_with_the_day_of_their_games(lang: str) -> None:
    first = SEASON[0].game
    deals = tuple(
        replace(first.deals[0], deal=number, at=datetime(2026, 1, 3 + number, 1, tzinfo=UTC))
        for number in (1, 2)
    )
    one = replace(SEASON[0], game=replace(first, deals=deals))
    out = io.BytesIO()
    writer = CsvHistory(out, context(lang), DEALS, RFC_4180)
    writer.add([one])
    writer.finish()
    (record,) = read_table(out.getvalue())
    assert (record.title, record.players) == ("Skyjo", ("Ana", "Ben", "Zoé"))
    assert record.date == datetime(2026, 1, 4, 1, tzinfo=UTC)
    rounds = [getattr(entry, "points", None) for entry in record.log]
    assert rounds[:2] == [(12, 30, 41), (12, 30, 41)]


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_a_workbook_of_a_history_comes_back_equal(lang: str) -> None:
    data = write(lambda out: XlsxHistory(out, context(lang)))
    assert [*map(seen, read_table(data))] == [*map(expected, SEASON)]


def test_a_workbook_opens_on_days_and_names_and_ends_with_ids() -> None:
    data = write(lambda out: XlsxHistory(out, context("de")))
    sheets = {one.name: one.rows for one in read_sheets(data)}
    heads = sheets["Partien"][0]
    assert heads[:3] == ("Begonnen", "Name des Spiels", "Spieler")
    assert heads[-3:] == ("Spielart", "Titel", "Partie")
    for name in ("Partien", "Spiele", "Einträge"):
        assert sheets[name][0][0] == "Begonnen"
        assert all(isinstance(row[0], date) for row in sheets[name][1:])


def test_a_json_history_comes_back_equal(tmp_path: Path) -> None:
    data = write(lambda out: JsonHistory(out, context()))
    (tmp_path / "history.json").write_bytes(data)
    words = BatchWords(lang="en", deal="Deal {number}", beside="Beside", ended="Elsewhere")
    file = NamedFile(name="history.json", path=str(tmp_path / "history.json"))
    opened = open_files([file], tmp_path / "out", words, NOW).pieces
    assert [one.problem for one in opened] == [None] * len(SEASON)
    assert [one.tags for one in opened] == [one.game.tags for one in SEASON]
    content = (tmp_path / "out").read_bytes()
    records = [decode_portable(content[one.begin : one.end]).record for one in opened]
    assert [seen(one) for one in records if one] == [*map(expected, SEASON)]
    assert json.decode(data)["games"]


def open_records(folder: Path, *files: tuple[str, bytes]) -> list[PortableRecord]:
    """Write files, open them as one upload, and return their records."""
    words = BatchWords(lang="en", deal="Deal {number}", beside="Beside", ended="Elsewhere")
    for name, data in files:
        (folder / name).write_bytes(data)
    sent = [NamedFile(name=name, path=str(folder / name)) for name, _ in files]
    opened = open_files(sent, folder / "out", words, NOW).pieces
    assert [one.problem for one in opened] == [None] * len(opened)
    content = (folder / "out").read_bytes()
    records = [assess(content[one.begin : one.end], NOW) for one in opened]
    return [
        replace(one.record, log=one.outcome.entries)
        for one in records
        if one.record and one.outcome
    ]


def with_derived_entries(record: PortableRecord) -> PortableRecord:
    outcome = assess_record(record).outcome
    assert outcome is not None
    return replace(record, log=outcome.entries)


def records_of_the_season() -> list[PortableRecord]:
    table = write(lambda out: CsvHistory(out, context("en"), GAMES, RFC_4180))
    return [*map(with_derived_entries, read_table(table))]


def test_text_records_of_a_season_come_back_equal(tmp_path: Path) -> None:
    files = [
        (f"{number}.carnet", notation.write(record).encode())
        for number, record in enumerate(records_of_the_season())
    ]
    assert [*map(seen, open_records(tmp_path, *files))] == [*map(expected, SEASON)]


@pytest.mark.parametrize("end", [b"\n", b"\r\n\r\n"])
def test_records_of_a_season_come_back_equal_line_by_line(tmp_path: Path, end: bytes) -> None:
    lines = [
        encode_record(record, notation.digest(record)).replace(b"\n", b"")
        for record in records_of_the_season()
    ]
    opened = open_records(tmp_path, ("season.jsonl", end.join(lines)))
    assert [*map(seen, opened)] == [*map(expected, SEASON)]


@pytest.mark.parametrize("form", ["carnet", "json"])
def test_a_record_comes_back_with_its_corrections_remarks_and_winners(
    tmp_path: Path, form: str
) -> None:
    log = [
        {"type": "result", "points": [70, 60]},
        {"type": "amend", "version": 2, "move": {"type": "result", "points": [70, 70]}},
        {"type": "note", "text": "at the lake"},
        {"type": "finish", "reason": "late", "winners": [1]},
    ]
    document = {"ruleset": "scores", "seats": 2, "players": ["Ana", "Ben"], "log": log}
    record = decode_portable(json.encode(document)).record
    assert record is not None
    record = with_derived_entries(record)
    text = notation.write(record).encode()
    data = text if form == "carnet" else encode_record(record, notation.digest(record))
    (opened,) = open_records(tmp_path, (f"game.{form}", data))
    assert opened.log == record.log
    assert [entry.text for entry in opened.log if isinstance(entry, Note)] == ["at the lake"]
    assert first_seats(opened) == {1}


@pytest.mark.parametrize("winners", [[1], [0, 1], [2], []])
@pytest.mark.parametrize("lang", ["en", "fr", "de"])
@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_the_sheet_of_a_game_comes_back_with_who_won(
    form: str, lang: str, winners: list[int]
) -> None:
    log: list[dict[str, object]] = [
        {"type": "result", "points": [70, 70, 7]},
        {"type": "finish", "reason": "late", "winners": winners},
    ]
    sheet = replace(told("scores", log, ("Ana", "Ben", "Zoé"), lang), title_name="Azul")
    data = game_xlsx(sheet) if form == "xlsx" else rows_csv(sheet.rows).encode()
    words = BatchWords(lang=lang, deal="{number}", beside="", ended="over", zone="UTC")
    answers = {"ruleset": "scores", "title": "Azul", "wins": "highest"}
    table, (game,) = open_table((f"game.{form}", data), answers, words, (), NOW)
    assert table.view["problems"] == ()
    assert first_seats(game.record) == {*winners}
    assert game.record.players == ("Ana", "Ben", "Zoé")


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_the_workbook_of_a_game_comes_back_with_its_day_and_title(lang: str) -> None:
    log: list[dict[str, object]] = [
        {"type": "result", "points": [12, 5, 7]},
        {"type": "result", "points": [3, None, 9]},
        {"type": "note", "text": "rain"},
        {"type": "finish", "reason": "late"},
    ]
    sheet = told("scores", log, ("Ana", "Ben", "Zoé"), lang, {"wins": "lowest"})
    began = datetime(2025, 3, 1, 18, tzinfo=UTC)
    data = game_xlsx(replace(sheet, title_name="Skyjo", began_at=began))
    words = BatchWords(lang=lang, deal="{number}", beside="", ended="over", zone="UTC")
    table, (game,) = open_table(("game.xlsx", data), {}, words, (), NOW)
    assert table.view["problems"] == ()
    record = game.record
    assert (record.title, record.date, record.players) == ("Skyjo", began, ("Ana", "Ben", "Zoé"))
    rounds = [getattr(entry, "points", None) for entry in record.log]
    assert rounds[:2] == [(12, 5, 7), (3, None, 9)]
    assert [entry.text for entry in record.log if isinstance(entry, Note)] == ["rain", "late"]


def test_tags_that_cannot_be_read_are_a_problem_of_their_cell() -> None:
    data = write(lambda out: CsvHistory(out, context("en"), GAMES, RFC_4180))
    data = data.replace("Noël".encode(), b"x" * 41)
    words = BatchWords(lang="en", deal="{number}", beside="", ended="over", zone="UTC")
    table, games = open_table(("history.csv", data), {}, words, (), NOW)
    (problem,) = table.view["problems"]
    assert problem["cell"].startswith("M")  # the column of the tags
    assert len(games) == len(SEASON) - 1
