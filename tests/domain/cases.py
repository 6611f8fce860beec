"""Recorded cases, read from the files beside the clauses."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from schemas.catalogue import SHAPES

DOMAIN = Path(__file__).parents[2] / "domain"


class Case(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record with the answer that it expects. `id`: the clause, then the fact."""

    id: str
    ruleset: str
    seats: int
    options: dict[str, Any]
    log: list[dict[str, Any]]
    expect: dict[str, Any]

    @property
    def clause(self) -> str:
        return self.id.partition(":")[0]


def cases_of(game: str) -> list[Case]:
    file = DOMAIN / game / "cases.jsonl"
    return [msgspec.json.decode(line, type=Case) for line in file.read_bytes().splitlines()]


CASES = [case for game in SHAPES for case in cases_of(game)]
