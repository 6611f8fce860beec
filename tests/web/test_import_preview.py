from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import RequestFactory
from msgspec import json

from schemas.catalogue import SHAPES
from service.language.sentence import LANGUAGES
from service.store.club.players import NameBook
from service.transfer.uploads import Assessed, assess, seat_players
from service.web.format.render import Reader
from service.web.transfer.import_preview import problem_excerpts, record_preview

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
_RECORDED_GAMES = Path(__file__).parent.parent / "games"
_REFUSED = [game for game in SHAPES if (_RECORDED_GAMES / game / "refused.jsonl").exists()]


def _reader(language: str) -> Reader:
    return Reader(RequestFactory().get("/import", headers={"Accept-Language": language}))


def _records(game: str, kind: str) -> list[bytes]:
    lines = (_RECORDED_GAMES / game / f"{kind}.jsonl").read_bytes().splitlines()
    found: list[dict[str, Any]] = [json.decode(line) for line in lines]
    parts = ("ruleset", "options", "seats", "log")
    return [
        json.encode({part: one[part] for part in parts if part in one})
        for one in found
        if "malformed" not in one["expect"]
    ]


def _seat(data: bytes) -> Assessed:
    return seat_players(assess(data, NOW, "json", sheet=True), (), NameBook())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", _REFUSED)
def test_every_refused_record_is_told_with_its_entry_and_where_it_stands(
    game: str, language: str
) -> None:
    reader = _reader(language)
    for data in _records(game, "refused"):
        assessed = _seat(data)
        (problem,) = problem_excerpts(reader, assessed, data.decode())
        assert problem.ruleset == game
        assert problem.view.message
        assert problem.words
        assert problem.place is not None
        assert problem.place.marked.startswith("{")
        assert record_preview(reader, assessed, NameBook(), asked=False) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHAPES)
def test_every_true_record_is_drawn(game: str, language: str) -> None:
    reader = _reader(language)
    for data in _records(game, "true"):
        shown = record_preview(reader, _seat(data), NameBook(), asked=True)
        assert shown is not None
        assert all(seat.nameless for seat in shown.seats)
        assert shown.names[0].endswith(" 1")
        context = {"sheet": shown.sheet, "names": shown.names, "game": reader.game(game)}
        drawn = reader.markup("score_table.html", view={"options": shown.options}, **context)
        assert "<tfoot>" in drawn
