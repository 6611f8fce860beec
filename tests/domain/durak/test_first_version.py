from typing import Any

from msgspec import UNSET, json

from domain.notation import digest, read, write
from domain.replay import ReplayedRecord, opening, replay
from domain.table.history import History
from schemas import durak
from schemas.catalogue import encode, shapes
from schemas.record import decode_portable
from schemas.strict_json import Malformed
from tests.domain.durak.entries import Entry, attack, beat, deal, lowest, pass_on, result

WITHOUT = (
    b'"deals":null,"first_bout":5,"four_away":true,"lead":"several","max_bout":6,'
    b'"next_lead":"teach","redeal_no_trump":true,"redeal_suit":true,"rules":"de","teams":false,'
    b'"throw_after_take":true,"throwers":"neighbours","transfer":true,"while_unbeaten":true,'
    b'"word":"strict"'
)
STARTED = (
    b'{"type":"started","ruleset":"durak","rules_version":1,"seats":4,"options":{' + WITHOUT + b"}}"
)
OF = shapes("durak")


def begin() -> durak.Options:
    started: Any = OF.decode_stored(STARTED)
    assert isinstance(started.options, durak.Options)
    return started.options


def play(*log: Entry) -> History:
    decoded = OF.decode_submitted(json.encode(log))
    assert not isinstance(decoded, Malformed)
    outcome = replay(opening("durak", begin(), 4), decoded)
    assert isinstance(outcome, ReplayedRecord), outcome
    return outcome.history


def test_first_version__its_first_entry_holds_neither_option() -> None:
    assert json.decode(encode(OF.decode_stored(STARTED))) == json.decode(STARTED)


def test_first_version__who_passes_on_has_the_word() -> None:
    log = [deal(dealer=3), lowest(0, "6S"), attack(0, "7D"), pass_on(1, "7C")]
    log += [beat(2, "7D", "8D"), beat(2, "7C", "8C"), attack(1, "8H")]
    assert play(*log).game.deal.bout.main_attacker == 1


def test_first_version__level_in_points_and_places_share_the_place() -> None:
    game = play(result([[1], [0], [3], [2]], 2, dealer=0), result([[3], [0], [2], [1]], 1)).game
    assert game.rules.ranking(game) == ((0, 3), (1,), (2,))


def test_first_version__a_record_of_it_keeps_its_meaning_and_its_hash() -> None:
    raw = b'{"ruleset":"durak","rules_version":1,"seats":4,"log":[],"options":{' + WITHOUT + b"}}"
    record = decode_portable(raw).record
    assert record is not None
    assert (record.rules_version, record.options) == (1, begin())
    text = write(record)
    assert "after_transfer" not in text
    again = read(text).record
    assert again is not None
    assert digest(again) == digest(record)
    assert again == record


def test_first_version__a_record_that_names_no_version_is_of_today() -> None:
    raw = b'{"ruleset":"durak","seats":4,"log":[],"options":{' + WITHOUT + b"}}"
    record = decode_portable(raw).record
    assert record is not None
    assert isinstance(record.options, durak.Options)
    assert (record.rules_version, record.options.after_transfer) == (2, "opener")


def test_first_version__people_are_told_what_it_was_played_by() -> None:
    chosen = OF.non_default_options(begin(), 4)
    assert chosen == {"rules": "de", "after_transfer": "passer"}
    assert UNSET not in chosen.values()


def test_first_version__without_passing_on_nothing_is_told_of_it() -> None:
    options = durak.Options(rules="fr", teams=False)
    assert OF.non_default_options(options, 4) == {"rules": "fr", "teams": False}
