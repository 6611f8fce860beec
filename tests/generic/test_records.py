from msgspec.structs import replace

from domain.notation import canonical, digest, read, write
from domain.portable import judge_record
from domain.replay import opening
from domain.table.history import History
from schemas.catalogue import shapes
from schemas.entries import Entry
from schemas.record import PortableRecord, decode_portable, encode_record
from tests.generic.games import every_game, walks
from tests.generic.walks import Walk, accept, decoded, picture


def portable(one: Walk) -> PortableRecord:
    history = History(opening(one.ruleset, one.options, one.seats))
    log: list[Entry] = []
    for written in one.log:
        log += [line.entry for line in accept(history, decoded(one.ruleset, written))]
    return PortableRecord(
        ruleset=one.ruleset,
        rules_version=shapes(one.ruleset).rules_version,
        options=one.options,
        seats=one.seats,
        log=tuple(log),
    )


@every_game
def test_text__comes_back_the_same_and_stands(ruleset: str) -> None:
    for one in walks(ruleset):
        record = portable(one)
        reading = read(write(record))
        assert reading.record == record
        judged = judge_record(record, reading.numbers)
        assert judged.faults == (), f"expected a record without faults, got {judged.faults}"
        assert picture(judged.history.game) == picture(one.history.game)


@every_game
def test_text__without_outcomes_is_given_them(ruleset: str) -> None:
    for one in walks(ruleset):
        record = portable(one)
        by_hand = replace(record, log=tuple(decoded(ruleset, written) for written in one.log))
        judged = judge_record(by_hand)
        assert tuple(line.entry for line in judged.lines) == record.log


@every_game
def test_json__comes_back_the_same_with_the_same_hash(ruleset: str) -> None:
    for one in walks(ruleset):
        record = portable(one)
        found = decode_portable(encode_record(record, digest(record)))
        assert found.record == record, f"expected the same record, got {found}"
        assert found.hash == digest(record)
        assert found.record is not None
        assert canonical(record) == canonical(found.record)
