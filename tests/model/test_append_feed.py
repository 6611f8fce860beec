"""Every state of append, sequencer and takeover: all is well, and each fault is noticed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from tests.depth import sized
from tests.model.append_feed import COMMANDS, INVARIANTS, Fault, explored

SPECIFICATION = Path(__file__).with_name("AppendFeed.tla").read_text("utf-8")
CONFIGURATION = Path(__file__).with_name("AppendFeed.cfg").read_text("utf-8")


def test_every_state_that_can_be_reached_keeps_every_invariant(
    record_property: Callable[[str, int], None],
) -> None:
    crashes = sized(1, deep=3)
    found = explored("none", crashes)
    assert found.broken == set()
    record_property("states", found.states)
    assert found.states > 1_000
    # Whatever died on the way: in the end all is stored, in the feed, told and followed.
    for end in found.ends:
        assert end.acked == {*COMMANDS}
        assert len(end.log) == len(end.feed) == len(end.seen) == len(COMMANDS)


@pytest.mark.parametrize(
    ("fault", "broken"),
    [
        ("no game lock", {"VersionsAreTheOrder"}),
        ("no feed lock", {"FeedHoldsEachOnce"}),
        ("early position", {"FeedHasNoGap", "NobodyMisses"}),
        ("early ack", {"AcknowledgedIsStored"}),
    ],
)
def test_each_fault_breaks_what_it_must(fault: Fault, broken: set[str]) -> None:
    found = explored(fault, 1).broken
    assert found
    assert found <= broken


def test_the_specification_for_tlc_has_the_same_faults_and_invariants() -> None:
    assert all(f'"{fault}"' in SPECIFICATION for fault in get_args(Fault))
    assert {*re.findall(r"^(\w+) ==", SPECIFICATION, re.MULTILINE)} >= INVARIANTS.keys()
    assert {*CONFIGURATION.partition("INVARIANTS")[2].split()} >= INVARIANTS.keys()
