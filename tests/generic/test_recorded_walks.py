"""All visible states and choices along the stored walks are unchanged.

Outcomes of walks are tested with the recorded games (`tests/games`). After an intended change, see
`tests.generic.recorded`.
"""

from tests.generic.games import every_game
from tests.generic.recorded import KEPT, kept, printed, prints


@every_game
def test_recorded_walks__show_and_offer_what_they_did(ruleset: str) -> None:
    wanted = prints(ruleset)
    for record in kept(ruleset):
        found = printed(record)
        changed = [
            number
            for number, (then, now) in enumerate(zip(wanted[record["id"]], found, strict=True))
            if then != now
        ]
        assert not changed, (
            f"{record['id']}: after {changed[0]} entries something else is seen or offered;"
            " if that was meant: .venv/bin/python -m tests.generic.recorded"
        )


@every_game
def test_recorded_walks__are_kept_of_every_game(ruleset: str) -> None:
    records = kept(ruleset)
    assert len(records) >= KEPT, f"write them: .venv/bin/python -m tests.generic.recorded {ruleset}"
    assert {record["id"] for record in records} == prints(ruleset).keys()
    ended = [record["id"] for record in records if record["expect"]["deals"]]
    assert ended, "no recorded walk ends a deal: its maker of true games needs `result`"
