"""The manifest of any other game by points."""

from domain.scores.rules import RULES
from domain.table.manifest import Manifest, Teams
from schemas.scores import Options


def _teams(options: Options, _seats: int) -> Teams:
    return options.teams or ()


MANIFEST = Manifest(rules=RULES, teams=_teams)
