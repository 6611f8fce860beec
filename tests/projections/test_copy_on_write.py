from hashlib import sha256
from typing import Any, cast

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from projections.person import CHECKPOINT_VERSION, Persons, PersonsCheckpoint
from projections.ratings import PlackettLuce
from projections.standings import GameResult
from tests.projections.results import games, played


def folded(
    results: list[GameResult[str]], known: PersonsCheckpoint[str] | None = None
) -> Persons[str]:
    fold = Persons(PlackettLuce(), known)
    for result in results:
        fold.add(result)
    return fold


def describe(fold: Persons[str]) -> object:
    return fold.standings(), [fold.person(player) for player in "abcde"]


@given(games(), st.integers(0, 30))
def test_known__is_gone_on_from_as_if_all_were_folded_and_does_not_change(
    results: list[GameResult[str]], at: int
) -> None:
    fold = folded(results[:at])
    known = fold.checkpoint()
    packed = msgspec.msgpack.encode(known)
    for result in results[at:]:
        fold.add(result)
    assert describe(folded(results[at:], known)) == describe(fold) == describe(folded(results))
    assert msgspec.msgpack.decode(packed, type=PersonsCheckpoint[str]) == known


def test_known__of_another_meaning_has_another_version() -> None:
    pairs = [
        played(number, "ab", (number % 5, 2), finished=number % 7 > 0) for number in range(150)
    ]
    threes = [
        played(number, "bcd", (1, number % 3, 1), duraks=(1, 0, number % 2))
        for number in range(150)
    ]
    teams = played(200, "abcd", (0, 1, 0, 1), lowest=True, teams=((0, 2), (1, 3)))
    known = msgspec.to_builtins(folded([*pairs, *threes, teams]).checkpoint())
    print_ = sha256(msgspec.json.encode(rounded(known), order="sorted")).hexdigest()[:16]
    assert (CHECKPOINT_VERSION, print_) == (3, "886e095c9cd21ff9"), (
        "raise CHECKPOINT_VERSION: what is kept says other things"
    )


def rounded(value: Any) -> Any:  # noqa: ANN401 -- any packable value
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        return {key: rounded(each) for key, each in held.items()}
    if not isinstance(value, list | tuple):
        return value
    return [rounded(each) for each in cast("list[Any]", value)]
