import msgspec
import pytest

from domain.games import GAMES
from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.strict_json import Malformed
from tests.domain import told
from tests.domain.durak import entries as durak
from tests.domain.dutch import entries as dutch
from tests.domain.euchre import entries as euchre
from tests.domain.rami import entries as rami
from tests.domain.rami.test_reasons import COUNTING

Part = tuple[told.Entry, str | None]

EUCHRE: list[Part] = [
    (told.NOTE, None),
    (euchre.deal("9S"), "bidding"),
    (euchre.orders(), None),
    (euchre.leaves(), None),
    (euchre.play(1, "AH"), "trick"),
    (euchre.play(0, "9H"), None),
    (euchre.play(1, "KH"), "trick"),
    (told.NOTE, None),
    (euchre.play(0, "TH"), None),
    (told.VOID, None),
    (euchre.result(1, 3), None),
]
DURAK: list[Part] = [
    (told.NOTE, None),
    (durak.deal(), "dealing"),
    (durak.lowest(0, "6S"), None),
    (durak.attack(0, "7D"), "bout"),
    (durak.beat(1, "7D", "9D"), None),
    (durak.attack(0, "9C"), None),
    (durak.take(1), None),
    (durak.attack(2, "8D"), "bout"),
    (told.VOID, None),
    (told.NOTE, None),
]
DUTCH: list[Part] = [
    (told.NOTE, None),
    (dutch.deal(), "dealing"),
    (dutch.look(1, 0, 1), None),
    (dutch.draw(1), "turn"),
    (dutch.drop(1, "8S"), None),
    (dutch.snap(0, 0, "8H"), None),
    (dutch.take(2), "turn"),
    (dutch.swap(2, 0, "5S"), None),
    (dutch.dutch(0), None),
    (dutch.draw(1), "turn"),
    (dutch.drop(1, "6S"), None),
    (dutch.draw(2), "turn"),
    (dutch.drop(2, "7S"), None),
    (told.NOTE, None),
    (dutch.reveal(2, points=20), "counting"),
    (dutch.reveal(0, points=20), None),
    (dutch.reveal(1, points=20), None),
    (told.NOTE, None),
]
RAMI: list[Part] = [
    (told.NOTE, None),
    (rami.deal(), "dealing"),
    (rami.draw(1), "turn"),
    (rami.throw(1, "9S"), None),
    (rami.take(0), "turn"),
    (rami.throw(0, "9H", waive=["rami.take-use"]), None),
    (told.VOID, None),
    (told.NOTE, None),
]
TURNS = ("draw", "take")
COUNTED: list[Part] = [
    (COUNTING[0], "dealing"),
    *((entry, "turn" if entry["type"] in TURNS else None) for entry in COUNTING[1:]),
    (told.NOTE, None),
    (rami.count(0, points=20), "counting"),
    (rami.count(2, points=30), None),
]


@pytest.mark.parametrize(
    ("game", "seats", "parts"),
    [
        ("euchre", 2, EUCHRE),
        ("durak", 3, DURAK),
        ("dutch", 3, DUTCH),
        ("rami", 2, RAMI),
        ("rami", 3, COUNTED),
    ],
)
def test_parts__begin_with_the_entries_that_begin_them(
    game: str, seats: int, parts: list[Part]
) -> None:
    of, begins = shapes(game), GAMES[game].part_begun_by
    assert begins is not None
    entries = of.decode_submitted(msgspec.json.encode([entry for entry, _ in parts]))
    assert not isinstance(entries, Malformed)
    options = msgspec.convert({"rules": "fr"} if game == "durak" else {}, of.options)
    history = History(opening(game, of.complete_options(options, seats), seats))
    for entry, (_, part) in zip(entries, parts, strict=True):
        assert begins(history.game, entry) == part, entry
        assert not isinstance(history.judge(entry), Refusal), entry
