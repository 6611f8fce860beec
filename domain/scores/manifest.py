"""The manifest of any other game by points."""

from domain.scores.rules import RULES, RULES_1
from domain.table.manifest import Manifest

MANIFEST = Manifest(
    rules=RULES,
    earlier_rules=(RULES_1,),
    teams=lambda options, _seats: options.teams or (),
    rounds=True,
    deals_option="rounds",
    correctable=("wins", "target", "rounds", "zero_sum"),
)
