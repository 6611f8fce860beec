"""The registry: ruleset name → rules. The only module that imports all games."""

from domain.durak.rules import Durak
from domain.euchre.rules import Euchre
from domain.rules import Rules

GAMES: dict[str, Rules] = {
    "durak": Durak(),
    "euchre": Euchre(),
}
