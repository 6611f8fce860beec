from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import RequestFactory
from msgspec import json

from schemas.catalogue import SHAPES
from service.language.sentence import LANGUAGES
from service.transfer.record_files import BatchWords, NamedFile, open_files
from service.transfer.uploads import assess
from service.web.format.render import Reader
from service.web.transfer.import_preview import record_preview, refused_entry

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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", _REFUSED)
def test_every_refused_record_is_told_with_its_entry_and_where_it_stands(
    tmp_path: Path, game: str, language: str
) -> None:
    reader = _reader(language)
    words = BatchWords(lang=language, deal="", beside="", ended="")
    files: list[NamedFile] = []
    for number, data in enumerate(_records(game, "refused")):
        path = tmp_path / f"{number}.json"
        path.write_bytes(data)
        files.append(NamedFile(name=path.name, path=str(path)))
    for piece in open_files(files, tmp_path / "out", words, NOW).pieces:
        (fault,) = piece.faults
        assert piece.ruleset == game
        assert fault.view.message
        assert refused_entry(reader, piece, fault)
        assert fault.place is not None
        assert fault.place.marked.startswith("{")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHAPES)
def test_every_true_record_is_drawn(game: str, language: str) -> None:
    reader = _reader(language)
    for data in _records(game, "true"):
        shown = record_preview(reader, assess(data, NOW, "json", sheet=True), ())
        assert shown is not None
        assert not any(shown.players)
        assert shown.names[0].endswith(" 1")
        context = {"sheet": shown.sheet, "names": shown.names, "game": reader.game(game)}
        drawn = reader.markup("score_table.html", view={"options": shown.options}, **context)
        assert "<tfoot>" in drawn
