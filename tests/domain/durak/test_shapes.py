"""What cannot be decoded at all, and which options a table plays by."""

import pytest
from msgspec import json, structs

from schemas.durak import DEFAULTS, Options, settled


def test_shapes__rules_must_be_said() -> None:
    with pytest.raises(ValueError, match="rules"):
        json.decode(b"{}", type=Options)


@pytest.mark.parametrize("rules", ["fr", "de"])
def test_shapes__the_set_of_rules_gives_every_default(rules: str) -> None:
    options = settled(json.decode(json.encode({"rules": rules}), type=Options), 3)
    said = structs.asdict(options)
    assert {name: said[name] for name in DEFAULTS[rules]} == DEFAULTS[rules]
    assert all(isinstance(value, str | int | bool | None) for value in said.values())


def test_shapes__four_play_in_teams_by_the_french_rules_only() -> None:
    assert settled(json.decode(b'{"rules":"fr"}', type=Options), 4).teams is True
    assert settled(json.decode(b'{"rules":"de"}', type=Options), 4).teams is False
    assert settled(json.decode(b'{"rules":"fr"}', type=Options), 5).teams is False


def test_shapes__options_come_back_as_they_were_written() -> None:
    options = settled(json.decode(b'{"rules":"de","first_bout":null}', type=Options), 4)
    assert json.decode(json.encode(options), type=Options) == options
