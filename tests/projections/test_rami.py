"""What a Rami score sheet tells of a deal."""

from projections.rami import RamiFacts
from schemas.rami import Detail


def test_deal__tells_who_was_out_and_who_had_opened() -> None:
    facts = RamiFacts().facts(Detail(winner=1, dry=False, opened=(True, True, False)))
    assert facts == {"winner": 1, "went": "usual", "opened": (1, 1, 0)}


def test_deal__in_which_no_loser_had_opened_is_dry() -> None:
    facts = RamiFacts().facts(Detail(winner=0, dry=True, opened=(True, False)))
    assert facts == {"winner": 0, "went": "dry", "opened": (1, 0)}


def test_facts__are_one_for_each_column() -> None:
    facts = RamiFacts().facts(Detail(winner=0, dry=True, opened=(True, False)))
    assert [column.name for column in RamiFacts.columns] == list(facts)
