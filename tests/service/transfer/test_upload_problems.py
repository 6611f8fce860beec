from datetime import UTC, datetime

import pytest

from domain.notation import read
from domain.notation.values import OR
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from service.transfer.upload_problems import describe
from service.transfer.uploads import assess

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
TAGS = "[Ruleset euchre]\n[Seats 2]\n"
UNREADABLE = [
    "",
    "[Ruleset go]",
    "[Ruleset euchre]",
    "[Ruleset euchre]\n[Seats 3]",
    "[Ruleset euchre]\n[Seats two",
    f"{TAGS}[Seats 2]",
    f"{TAGS}[Site here]",
    f"{TAGS}[Rules 2]",
    f"{TAGS}[Options deck 52]",
    f"{TAGS}[Options deck 24 deck 25]",
    f'{TAGS}[Players "Ann"]',
    f"{TAGS}[Hash md5:0]",
    f"{TAGS}[Hash sha256:{'0' * 64}]",
    f"{TAGS}[Date today]",
    f"{TAGS}1 pass\n[Carnet 1]",
    f"{TAGS}pass",
    f"{TAGS}1 plays AH",
    f"{TAGS}1 play AX",
    f"{TAGS}1 play AH AS",
    f"{TAGS}1 note x",
    f"{TAGS}1 exchange take perhaps",
    f"{TAGS}take_back to the start",
    f"{TAGS}deal dealer 0 turn_up QH hands 1",
    f"{TAGS}result maker - tricks",
    f"{TAGS}deal_ended deal 1 points 1 0 detail (maker 0 trump H tricks 3 euchred no)",
    f"{TAGS}amend version 2 move (1 pass",
    f"{TAGS}1 play AH waive euchre.nothing",
    f"{TAGS}1 play AH at noon",
    f'{TAGS}note "x',
    rf'{TAGS}note "\x"',
    f"{TAGS}{{ no end",
    f"{TAGS}3. 1 pass\n2. 0 pass",
    f"{TAGS}1 pass )",
]
STANDS_NOT = [
    "2. 1 pass",
    "3. deal dealer 0 turn_up QH",
    "result maker -\ndeal_ended deal 2 points 0 0 detail (maker - trump - tricks 0/0 euchred no)",
    'note "x"\ngame_ended totals 0 0 ranking (0 1)',
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable__every_expectation_is_said_in_every_language(text: str) -> None:
    problems = read(text).problems
    assert problems
    for problem in problems:
        assert len({describe(problem, lang).message for lang in LANGUAGES}) == len(LANGUAGES)
        for part in problem.expected.split(OR):
            if part.startswith("one of ") and "," not in part:
                continue  # the one word itself
            assert len({texts().expected(part, lang) for lang in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("log", STANDS_NOT)
def test_refused__the_reason_is_said_in_every_language(log: str) -> None:
    (problem, *_) = assess(f"{TAGS}{log}".encode(), NOW).problems
    views = [describe(problem, lang, ("Ann", "Bob")) for lang in LANGUAGES]
    assert len({view.message for view in views}) == len(LANGUAGES)
    assert all(view.line is not None and view.index is not None for view in views)
