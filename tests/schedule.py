"""Which files of tests come first, and how long each folder took.

Files are shared among processes whole: the slow ones come first, so that no process is left alone
with one in the end. Those that wait for what was killed come one by one among the first of them,
while the gates of a check work beside: later, or several at a time, they would leave a processor
idle. Those that wait for a service or a server come among those that only compute. What a run of
several folders took is said before pytest's closing line.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

# The rest follows, each of its folders spread evenly over it.
FIRST = (
    "browser/test_dutch_screens.py",
    "http/test_rights.py",
    "browser/test_screens.py",
    "browser/test_true_games.py",
    "service/commands/test_club.py",
    "browser/test_rami.py",
    "browser/test_durak_screens.py",
    "bench",
    "web/test_every_entry.py",
    "mutation",
    "service/transfer",
    "http/test_token_rights.py",
    "http/test_large_exports.py",
    "browser",
    "office",
    "generation/test_effort.py",
    "domain/notation/test_round_trip.py",
    "domain/inference/test_recorded_answers.py",
    "store/test_durability.py",
    "store/test_embedded.py",
    "deploy",
    "http/test_webhooks.py",
    "http/test_stored_corrections.py",
    "http/test_app.py",
    "store/test_logins.py",
)
# Those that wait, and among how many of the first others.
WAITING, EARLY = "faults", 13
SLOWEST = 8

_TESTS = Path(__file__).parent


def rank(path: Path) -> int:
    """Say how early a file of tests comes."""
    place = path.relative_to(_TESTS) if path.is_relative_to(_TESTS) else path
    found = (number for number, name in enumerate(FIRST) if place.is_relative_to(name))
    return next(found, len(FIRST))


def order(paths: Iterable[Path]) -> dict[Path, tuple[int, float]]:
    """Order files: by rank, and those of one rank so that each folder is spread evenly over it.

    Those that wait are spread evenly over the first ranks, each after those that work.
    """
    folders: dict[tuple[int, Path], list[Path]] = {}
    for path in dict.fromkeys(paths):
        folders.setdefault((rank(path), path.parent), []).append(path)
    places: dict[Path, tuple[int, float]] = {}
    for (number, folder), files in folders.items():
        waits = folder == _TESTS / WAITING
        for place, path in enumerate(files):
            share = (place + 0.5) / len(files)
            places[path] = (int(share * EARLY), 1 + share) if waits else (number, share)
    return places


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slow files first, in the same order in every process."""
    places = order(item.path for item in items)
    items.sort(key=lambda item: places[item.path])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how long each folder took, and the slowest files, fixtures included."""
    reports = (
        report
        for found in terminalreporter.stats.values()
        for report in found
        if isinstance(report, pytest.TestReport)
    )
    folders, files = seconds(reports)
    if len(folders) > 1:
        terminalreporter.write_line(told("seconds of tests", folders.most_common()))
        terminalreporter.write_line(told("slowest files", files.most_common(SLOWEST)))


def seconds(reports: Iterable[pytest.TestReport]) -> tuple[Counter[str], Counter[str]]:
    """Add up how long folders and files took."""
    folders, files = Counter[str](), Counter[str]()
    for report in reports:
        file = report.nodeid.split("::")[0].removeprefix("tests/")
        files[file] += report.duration  # type: ignore[assignment] # seconds, not a count
        folders[file.split("/")[0]] += report.duration  # type: ignore[assignment] # 〃
    return folders, files


def told(what: str, found: Sequence[tuple[str, float]]) -> str:
    """Make one line of it."""
    return f"{what}: " + ", ".join(f"{name} {number:.0f}" for name, number in found)
