"""The registry: ruleset name → rules. The only module that imports all games."""

from domain.euchre.rules import Euchre
from domain.rules import Rules

GAMES: dict[str, Rules] = {
    "euchre": Euchre(),
}
