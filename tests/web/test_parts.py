import json
from pathlib import Path

import msgspec
import pytest

from domain.games import GAMES
from domain.replay import ReplayedRecord, opening, replay
from domain.table.history import Step
from schemas.catalogue import decode_record, type_of
from schemas.strict_json import Malformed
from service.language.sentence import LANGUAGES
from service.web.format.environments import environment
from service.web.format.game_macros import game_macros

RECORDS = Path(__file__).parents[1] / "games"
IN_PARTS = [game for game, manifest in GAMES.items() if manifest.part_begun_by]
OPENS = {"euchre": "play", "durak": "attack"}


def steps(game: str) -> list[Step]:
    found: list[Step] = []
    for line in (RECORDS / game / "true.jsonl").read_text("utf-8").splitlines():
        raw = json.loads(line)
        record = decode_record(msgspec.json.encode(raw))
        assert not isinstance(record, Malformed)
        replayed = replay(opening(game, record.options, raw["seats"], exact=False), record.log)
        if isinstance(replayed, ReplayedRecord):
            found += replayed.history.steps()
    return found


def begin(game: str, one: list[Step]) -> list[tuple[str, Step]]:
    begins = GAMES[game].part_begun_by
    assert begins is not None
    found = [(begins(step.before.game, step.entry), step) for step in one if step.before]
    return [(kind, step) for kind, step in found if kind]


@pytest.mark.parametrize("game", IN_PARTS)
def test_every_part_that_begins_has_a_heading_in_every_language(game: str) -> None:
    kinds = {kind for kind, _ in begin(game, steps(game))}
    assert len(kinds) > 1
    for language in LANGUAGES:
        said = [
            str(game_macros(environment(language), game).part(kind, 3, "Zoë")).strip()
            for kind in kinds
        ]
        assert "" not in said
        assert len({*said}) == len(kinds)


@pytest.mark.parametrize(("game", "opens"), OPENS.items())
def test_a_trick_or_a_bout_begins_with_the_card_that_is_led(game: str, opens: str) -> None:
    led = [type_of(step.entry) for kind, step in begin(game, steps(game)) if kind != "bidding"]
    assert {kind for kind in led if kind != "deal"} == {opens}


def test_a_trick_has_two_cards() -> None:
    counts: list[int] = []
    begins = GAMES["euchre"].part_begun_by
    assert begins is not None
    for step in steps("euchre"):
        if type_of(step.entry) != "play" or step.before is None:
            continue
        if begins(step.before.game, step.entry):
            counts.append(0)
        counts[-1] += 1
    assert max(counts) == 2
