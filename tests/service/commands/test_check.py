import io
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from service.commands.check import BATCH_BYTES, batches
from service.commands.support.verdict import is_text, text_verdict, verdict, verdicts
from tests.carnet_process import run_carnet_with_bytes
from tests.service.refused import DEAL, REVOKED, Log

CARNET = [sys.executable, "-m", "service.cli"]
LEGAL = b'{"id":"g1","ruleset":"euchre","options":{},"seats":2,"log":[]}'
MALFORMED = b'{"id":"g3","ruleset":"euchre","options":{},"seats":2,"log":[{"type":"deal"}]}'
STRANGER = b"# not a record\n"


def record(log: Log, identity: object = "g") -> bytes:
    return json.encode({"id": identity, "ruleset": "euchre", "options": {}, "seats": 2, "log": log})


ILLEGAL = record(REVOKED, "g2")


def check(
    *arguments: str, given: Iterable[bytes] = (), environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run `carnet check` on arguments and lines of standard input."""
    lines = b"".join(line + b"\n" for line in given)
    return run_carnet_with_bytes("check", *arguments, environment=environ, typed=lines)


def answer(line: bytes, lang: str = "en") -> dict[str, object]:
    return json.decode(verdict(line, lang)[0], type=dict[str, object])


def test_legal__the_answer_is_the_contract_s_to_the_letter() -> None:
    log: Log = [DEAL, {"type": "pass", "seat": 1}, {"type": "accept", "seat": 0}]
    said, status = verdict(record(log, "g1"), "en")
    assert status == 0
    assert said.decode() == (
        '{"id":"g1","ok":true,"entries":3,"deals":[],"totals":[0,0],"finished":false,'
        '"phase":"play","to_act":[1],"hand_counts":[5,5],"stock":13}'
    )


def test_illegal__the_answer_is_the_contract_s_to_the_letter() -> None:
    said, status = verdict(ILLEGAL, "en")
    assert status == 1
    assert said.decode() == (
        '{"id":"g2","ok":false,"at":7,"rule":"euchre.follow-suit","contradicts":5,"message":'
        '"Player 1 cannot have the king of spades: player 1 did not follow spades in trick 1."}'
    )


def test_malformed__the_answer_is_the_contract_s_to_the_letter() -> None:
    assert verdict(MALFORMED, "en") == (
        b'{"id":"g3","ok":false,"malformed":{"path":"$.log[0].dealer","expected":"this field"}}',
        2,
    )


@pytest.mark.parametrize("identity", [None, 7, 1.5, "", "é", [1, {"a": None}], {"b": True}])
def test_id__comes_back_as_it_came(identity: object) -> None:
    assert answer(record([], identity))["id"] == identity
    assert answer(record([{"type": "?"}], identity))["id"] == identity


def test_id__none_given_none_answered() -> None:
    assert b'"id"' not in verdict(LEGAL.replace(b'"id":"g1",', b""), "en")[0]
    assert b'"id"' not in verdict(STRANGER, "en")[0]


def test_contradicts__counts_places_in_the_log_where_derived_entries_are_not() -> None:
    passed_out: Log = [
        DEAL,
        *({"type": "pass", "seat": seat} for seat in (1, 0, 1, 0)),
    ]
    second = [{**REVOKED[0], "dealer": 1}, *map(_other_seat, REVOKED[1:])]
    found = answer(record([*passed_out, *second]))
    assert (found["at"], found["contradicts"]) == (12, 10)


def _other_seat(entry: dict[str, object]) -> dict[str, object]:
    return {**entry, "seat": 1 - int(str(entry["seat"]))}


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_lang__changes_the_message_and_nothing_else(lang: str) -> None:
    english, asked = answer(ILLEGAL), answer(ILLEGAL, lang)
    assert (english.pop("message") == asked.pop("message")) == (lang == "en")
    assert english == asked


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ([LEGAL, LEGAL], 0),
        ([LEGAL, ILLEGAL, LEGAL], 1),
        ([ILLEGAL, MALFORMED, LEGAL], 2),
        ([], 0),
    ],
)
def test_status__is_the_gravest(given: list[bytes], status: int) -> None:
    run = check(given=given)
    assert run.returncode == status
    assert len(run.stdout.splitlines()) == len(given)


def test_order__answers_come_as_the_records_did() -> None:
    run = check(given=[MALFORMED, LEGAL, STRANGER.strip(), ILLEGAL])
    said = [json.decode(line, type=dict[str, object]).get("id") for line in run.stdout.splitlines()]
    assert said == ["g3", "g1", None, "g2"]
    assert not run.stderr


def test_blank_lines__are_passed_over() -> None:
    assert len(check(given=[b"", LEGAL, b"  \r", LEGAL, b""]).stdout.splitlines()) == 2


def test_files__are_read_in_turn_and_standard_input_where_a_dash_stands(tmp_path: Path) -> None:
    first = tmp_path / "one.jsonl"
    first.write_bytes(b"\xef\xbb\xbf" + LEGAL)
    run = check(str(first), "-", given=[ILLEGAL])
    assert [b'"g1"' in line for line in run.stdout.splitlines()] == [True, False]


def test_unreadable_file__is_named_and_the_others_are_answered(tmp_path: Path) -> None:
    good = tmp_path / "good.jsonl"
    good.write_bytes(LEGAL)
    missing = str(tmp_path / "missing.jsonl")
    run = check(missing, str(tmp_path), str(good))
    assert run.returncode == 2
    assert b'"g1"' in run.stdout
    said = run.stderr.decode().splitlines()
    assert said == [
        f"carnet check: {missing} cannot be read: No such file or directory",
        f"carnet check: {tmp_path} cannot be read: Is a directory",
    ]


def test_processes__give_the_same_answers_in_the_same_order() -> None:
    sample = [LEGAL, ILLEGAL, MALFORMED]
    given = [line.replace(b'"g', b'"%d-g' % place) for place in range(3_000) for line in sample]
    alone = check("--jobs", "1", given=given)
    together = check("--jobs", "2", given=given)
    assert together.stdout == alone.stdout
    assert together.returncode == alone.returncode == 2


def test_reader_that_stops_reading__is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    given = b"".join(LEGAL + b"\n" for _ in range(5_000))
    run = subprocess.run(
        [*CARNET, "check"], input=given, stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert run.stderr == b""
    assert run.returncode == 141


def test_answer__comes_before_the_next_record_is_sent() -> None:
    with subprocess.Popen(
        [*CARNET, "check"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        for _ in range(2):
            run.stdin.write(LEGAL + b"\n")
            assert b'"ok":true' in run.stdout.readline()
        run.stdin.close()
    assert run.returncode == 0


def test_start__needs_neither_the_server_s_libraries_nor_the_database_s() -> None:
    started = subprocess.run(
        [*CARNET, "check"],
        input=ILLEGAL,
        env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"},
        capture_output=True,
        check=False,
    )
    told = started.stderr.decode()
    assert "service.commands.support.verdict" in told
    for library in ("litestar", "psycopg", "granian", "structlog", "rich", "segno", "jinja2"):
        assert f"{library}\n" not in told


def test_lines__are_cut_at_line_ends_whatever_arrives_together() -> None:
    text = b"".join(b"%d" % number * 20_000 + b"\n" for number in range(1, 10)) + b"rest"
    found = [line for lines, _ in batches(io.BytesIO(text)) for line in lines]
    assert found == text.split(b"\n")
    assert sum(size for _, size in batches(io.BytesIO(text))) == len(text) > 2 * BATCH_BYTES


def test_fault_of_ours__costs_one_answer_and_is_said_aloud(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("broken")

    monkeypatch.setattr("service.commands.support.verdict.opening", fail)
    answers, status = verdicts([STRANGER, LEGAL, STRANGER], "en")
    said = answers.splitlines()
    assert status == 2
    assert b"an internal error of Carnet" in said[1]
    assert said[0] == said[2]
    assert "AssertionError: broken" in capsys.readouterr().err


@given(st.binary(max_size=4), st.integers(0, len(ILLEGAL)), st.integers(0, 3))
def test_any_line__has_an_answer_or_a_place(put: bytes, at: int, removed: int) -> None:
    said, status = verdict(ILLEGAL[:at] + put + ILLEGAL[at + removed :], "de")
    told = json.decode(said, type=dict[str, object])
    assert told["ok"] == (status == 0)
    assert ("malformed" in told) == (status == 2)
    assert ("message" in told) == (status == 1)


NOTATION = b"""; an evening
[Carnet 1]
[Ruleset scores]
[Seats 3]

2. result points 12 15 -
4. take_back to 1
result points 12 15 -
finish "late" winners 1
"""


def text(data: bytes) -> tuple[dict[str, object], int]:
    said, status = text_verdict(data, "en")
    return json.decode(said, type=dict[str, object]), status


def test_notation__is_judged_as_json_is(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(NOTATION)
    done = check(str(file))
    said = json.decode(done.stdout, type=dict[str, object])
    assert done.returncode == 0
    assert (said["ok"], said["entries"], said["ranking"]) == (True, 4, [[1], [0]])
    assert "file" not in said
    assert check(given=NOTATION.splitlines()).stdout == done.stdout


def test_notation__the_entries_written_by_hand_are_counted() -> None:
    ended = b"3. deal_ended deal 1 points 12 15 0 detail (absent 2)\n"
    again = ended.replace(b"3. ", b"6. ")
    refused = NOTATION.replace(b"4. take", ended + b"4. take").replace(b"finish", again + b"finish")
    said, status = text(refused.replace(b"winners 1", b"winners 1 1"))
    assert (said["ok"], said["at"], said["rule"], status) == (False, 3, "scores.winners", 1)


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        (NOTATION.replace(b"take_back", b"take_bac"), "line 7, column 4"),
        (NOTATION.replace(b"4. take", b"7. take"), "line 7"),
        (NOTATION.replace(b"[Seats 3]", b"[Seats 13]"), "line 4, column 8"),
    ],
)
def test_notation__what_cannot_be_read_is_answered_by_line(wrong: bytes, path: str) -> None:
    said, status = text(wrong)
    assert isinstance(said["malformed"], dict)
    assert (said["malformed"]["path"], status) == (path, 2)


def test_several_files__every_answer_names_its_own(tmp_path: Path) -> None:
    lines, notation = tmp_path / "games.jsonl", tmp_path / "game.carnet"
    lines.write_bytes(LEGAL + b"\n" + ILLEGAL + b"\n" + STRANGER)
    notation.write_bytes(NOTATION)
    done = check(str(lines), str(notation))
    said = [json.decode(line, type=dict[str, object]) for line in done.stdout.splitlines()]
    assert [one["file"] for one in said] == [str(lines)] * 3 + [str(notation)]
    assert done.returncode == 2


def test_json_lines__that_begin_with_a_bracket_are_no_notation() -> None:
    for head in (
        b"[true]",
        b'["Carnet"]',
        b'{"a": 1} [Carnet 1]',
        b"{} [Carnet 1]",
        b"# [Seats 2]",
    ):
        assert not is_text(head)
    assert not is_text(b" " * 100_000)


def test_games_of_the_documents__are_legal() -> None:
    files = sorted(Path("docs/games").glob("*.carnet"))
    said = [text(file.read_bytes()) for file in files]
    assert files
    assert [(one["ok"], status) for one, status in said] == [(True, 0)] * len(files)
