from hashlib import sha256
from pathlib import Path

import pytest

from domain import notation
from domain.notation import Problem, canonical, digest, read, write
from domain.portable import judge_record
from schemas.record import PortableRecord

TEXT = """\
[Carnet 1]
[Ruleset euchre]
[Rules 1]
[Options deck 24 target 10 last_bid pass turned_down_suit allowed]
[Seats 2]

2. deal dealer 0 turn_up QC hands - (AS KS QS JS TS)
3. 1 order
4. 0 exchange take yes discard ?? unsure
5. 1 play AS at 2026-11-20T19:42:10+01:00
6. 0 play 9H waive euchre.follow-suit table.turn
7. amend version 5 move (1 play KS)
8. take_back to 4
9. note "\\"Über\\"\\nund aus \\\\ \\u{1f}"
10. result maker 0 tricks 5 dealer 0
11. deal_ended deal 1 points 2 0 detail (maker 0 trump C tricks 5/0 euchred no)
12. game_ended totals 2 0 ranking (0) (1)
"""
WORDS = (
    "one of deal, pass, order, exchange, accept, name, play, result, void, adjust, note, finish,"
    " set_aside, take_back, amend, splice, deal_ended, game_ended"
)
TAGS, ENTRIES = TEXT.split("\n\n")


PAPER = Path(str(notation.__file__)).with_name("NOTATION.md")


def record(text: str) -> PortableRecord:
    reading = read(text)
    assert reading.record is not None, reading.problems
    return reading.record


def problems(*lines: str, tags: str = TAGS) -> list[tuple[int, int, str, str]]:
    found = read("\n".join((tags, "", *lines, ""))).problems
    return [(one.line, one.column, one.found, one.expected) for one in found]


def test_canonical__is_what_was_read_where_that_was_canonical() -> None:
    assert canonical(record(TEXT)).decode() == TEXT


def test_hash__is_that_of_the_canonical_text_whoever_played() -> None:
    named = TEXT.replace("[Seats 2]", '[Seats 2]\n[Players "Ann" -]\n[Date 2026-11-20T19:00:00Z]')
    assert digest(record(named)) == f"sha256:{sha256(TEXT.encode()).hexdigest()}"
    assert f"[Hash {digest(record(named))}]" in write(record(named))


def test_hash__that_differs_is_a_problem() -> None:
    changed = write(record(TEXT)).replace("play AS", "play KS")
    (problem,) = read(changed).problems
    assert (problem.line, problem.column) == (6, 7)


@pytest.mark.parametrize(
    "line",
    [
        "5. 1 play AS at 2026-11-20T19:42:10+01:00",
        "  5.1 PLAY  as  AT 2026-11-20T19:42:10+01:00   ; a comment",
        "1: play card AS at 2026-11-20T19:42:10+01:00 {and another}",
        "play at 2026-11-20T19:42:10+01:00 card AS seat 1",
        "{ over\ntwo lines } 1 play AS at 2026-11-20T19:42:10+01:00",
        "\n\n5. 1 play AS at 2026-11-20T19:42:10+01:00",
    ],
)
def test_spelling__is_forgiven(line: str) -> None:
    spelt = TEXT.replace("5. 1 play AS at 2026-11-20T19:42:10+01:00", line)
    assert canonical(record(spelt)).decode() == TEXT


@pytest.mark.parametrize(
    "players",
    [
        "“Ana” “Ben”",
        "„Ana“ „Ben“",
        "«Ana» «Ben»",
        "« Ana » « Ben »",
        "»Ana« »Ben«",
        "‘Ana’ ‘Ben’",
        "'Ana' 'Ben'",
        "”Ana” ”Ben”",
        '“Ana" “Ben”',
        "“Ana”“Ben”",
        "「Ana」「Ben」",
        "〝Ana〞〝Ben〟",
        "\uff02Ana\uff02 \uff02Ben\uff02",
        "\u275dAna\u275e \u275dBen\u275e",
    ],
)
def test_quotation_marks_of_every_language__are_read(players: str) -> None:
    assert record(f"{TAGS}\n[Players {players}]\n\n{ENTRIES}").players == ("Ana", "Ben")


@pytest.mark.parametrize(
    ("written", "name"),
    [("‘O’Neil’", "O’Neil"), ("'O'Neil'", "O'Neil"), ('"“Ana”"', "“Ana”"), (r"“a\"b”", 'a"b')],
)
def test_quotation_marks_inside_of_others__belong_to_the_text(written: str, name: str) -> None:
    assert record(f"{TAGS}\n[Players {written} “Ben”]\n\n{ENTRIES}").players == (name, "Ben")


def test_quotation_mark_that_is_not_closed__is_a_problem() -> None:
    (problem,) = problems("2. note “x")
    assert problem[3] == "a closing quotation mark"


@pytest.mark.parametrize("card", ["10H", "10h", "10♥", "T♥", "t\u2665\ufe0f", "T♡", "10❤\ufe0f"])
def test_a_ten_and_signs_of_suits__are_read_as_cards(card: str) -> None:
    line = "5. 1 play AS at 2026-11-20T19:42:10+01:00"
    assert record(TEXT.replace(line, f"5. 1 play {card}")) == record(
        TEXT.replace(line, "5. 1 play TH")
    )


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_byte_order_mark__are_forgiven(end: str) -> None:
    reading = read(b"\xef\xbb\xbf" + TEXT.replace("\n", end).encode())
    assert reading.record == record(TEXT)


def test_tags__left_out_are_todays_version_and_the_options_defaults() -> None:
    sparse = f'[ruleset "Euchre"]\n[seats "2"]\n{ENTRIES}'
    assert record(sparse) == record(TEXT)


def test_lines__are_known_of_every_entry() -> None:
    assert read(TEXT).lines == tuple(range(7, 18))
    assert read(TEXT).numbers == tuple(range(2, 13))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("2. 1 plays AH", (7, 6, "plays", WORDS)),
        ("2. 1 play", (7, 10, "", "the field card")),
        ("2. play AH", (7, 4, "play", "the field seat")),
        ("2. 1 play AH AS", (7, 14, "AS", "one of waive, unsure, at")),
        ("2. 1 play AH seat 0", (7, 4, "1", "each field once")),
        ("2. 1 play AH card AS", (7, 14, "card", "each field once")),
        ("2. 1 name X", (7, 11, "X", "one of C, D, H, S")),
        ("2. 0 exchange take maybe", (7, 20, "maybe", "one of yes, no")),
        ("2. take_back to x", (7, 17, "x", "int")),
        ('2. 1 note "x"', (7, 4, "1", "no seat before note")),
        ("2. note x", (7, 9, "x", "str")),
        ('2. note "x', (7, 9, "x", "a closing quotation mark")),
        (r'2. note "\x"', (7, 10, r"\x", r'an escape: \" \\ \n \r \t or \u{…}')),
        ("2. amend version 2 move (1 pass", (7, 32, "", "the sign )")),
        ("2. 1 play AH waive euchre.nothing", (7, 20, "euchre.nothing",
            "a clause of euchre or of every game, such as table.turn")),
        ("2. 1 play AH at noon", (7, 17, "noon",
            "a moment with its time zone (RFC 3339), such as 2024-05-09T20:37:00Z")),
        ("2. result maker 0 tricks 6", (7, 26, "6", "int <= 5")),
        ("2. result maker 0", (7, 4, "result", "`tricks`, the maker's, 0 to 5")),
        ("2. started", (7, 4, "started", WORDS)),
        ("[Seats 2]", (7, 2, "Seats", "each tag once")),
        ("{ 2. 1 pass", (7, 1, "{", "a comment that ends: { … }")),
    ],
)  # fmt: skip
def test_problem__says_where_and_what_was_expected(
    line: str, problem: tuple[int, int, str, str]
) -> None:
    assert problems(line) == [problem]


def test_problems__are_told_all_at_once_in_their_order() -> None:
    found = problems("2. 1 pas", "3. 1 pass", "3. 0 pass", "5. 1 name Q", tags=TAGS + "\n[Site x]")
    assert [(line, column) for line, column, _, _ in found] == [(6, 2), (8, 6), (10, 1), (11, 11)]


@pytest.mark.parametrize(
    ("tags", "problem"),
    [
        ("", (1, 1, "", "the tag [Ruleset …]")),
        ("[Ruleset go]\n[Seats 2]", (1, 10, "go", "one of")),
        ("[Ruleset euchre]", (1, 1, "[", "the tag [Seats …]")),
        ("[Ruleset euchre]\n[Seats 3]", (2, 8, "3", "2 players")),
        ("[Ruleset euchre]\n[Seats two]", (2, 8, "two", "int")),
        ("[Ruleset euchre]\n[Seats 2", (2, 9, "", "the sign ]")),
        ("[Ruleset euchre]\n[Seats 2]\n[Rules 2]", (3, 8, "2", "one of 1")),
        ("[Ruleset euchre]\n[Seats 2]\n[Carnet 2]", (3, 9, "2", "one of 1")),
        ("[Ruleset euchre]\n[Seats 2]\n[Options deck 52]", (3, 15, "52", "one of 24, 25, 32")),
        ("[Ruleset euchre]\n[Seats 2]\n[Options cards 24]", (3, 10, "cards", "one of deck")),
        ('[Ruleset euchre]\n[Seats 2]\n[Players "Ann"]', (3, 15, "]", "2 players")),
        ("[Ruleset euchre]\n[Seats 2]\n[Hash md5:0]", (3, 7, "md5:0", "sha256: and 64 digits")),
        ("[Ruleset euchre]\n[Seats 2]\n[Date today]", (3, 7, "today", "a moment")),
    ],
)
def test_tag__that_cannot_be_read_is_a_problem(
    tags: str, problem: tuple[int, int, str, str]
) -> None:
    found = read(tags).problems
    assert [(one.line, one.column, one.found) for one in found][:1] == [problem[:3]]
    assert found[0].expected.startswith(problem[3])


def test_bytes__that_are_no_utf_8_are_a_problem_where_they_stand() -> None:
    problem = Problem(line=2, column=3, found="0xff", expected="UTF-8 text")
    assert read(b"[Carnet 1]\n\xc3\xa9 \xff").problems == (problem,)


def test_the_paper__shows_a_game_that_stands_in_its_one_spelling() -> None:
    shown = PAPER.read_text("utf-8").split("```\n")[1]
    reading = read(shown)
    assert reading.record is not None, reading.problems
    assert write(reading.record) == shown
    assert not judge_record(reading.record, reading.numbers).faults
