"""The registry: ruleset name → rules. The only module that imports all games."""

from domain.durak.rules import Durak
from domain.dutch.rules import Dutch
from domain.euchre.rules import Euchre
from domain.rami.rules import Rami
from domain.table.rules import Rules

GAMES: dict[str, Rules] = {
    "durak": Durak(),
    "dutch": Dutch(),
    "euchre": Euchre(),
    "rami": Rami(),
}
