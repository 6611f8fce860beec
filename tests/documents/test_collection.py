"""The games of docs/games/collection are legal, a hundred, and of the kinds of its page."""

import json
import re
from collections import Counter

from tests.carnet_process import run_carnet
from tests.generation.collection import BYTES_MAX, FOLDER, KINDS, page

FILES = sorted(FOLDER.glob("*.carnet"))


def test_there_are_a_hundred_small_ones_of_every_kind() -> None:
    found = Counter(path.stem[:-3] for path in FILES)
    assert found == {kind.name: kind.games for kind in KINDS}
    assert found.total() == 100
    assert max(path.stat().st_size for path in FILES) <= BYTES_MAX


def test_the_page_links_to_each() -> None:
    ordered = [path.name for kind in KINDS for path in FILES if path.stem[:-3] == kind.name]
    assert (FOLDER / "README.md").read_text("utf-8") == page(ordered)


def test_many_have_corrections() -> None:
    corrected = re.compile(r"^\d+\. .*\b(amend|take_back)\b", re.MULTILINE)
    assert sum(bool(corrected.search(path.read_text("utf-8"))) for path in FILES) >= 40


def test_carnet_check_accepts_each() -> None:
    answer = run_carnet("check", *(str(path) for path in FILES))
    judged = [json.loads(line) for line in answer.stdout.splitlines()]
    assert answer.returncode == 0, [one for one in judged if not one["ok"]]
    assert len(judged) == len(FILES)
