from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from domain.replay import opening
from domain.table.rules import is_exact
from schemas.euchre import Options


@pytest.mark.parametrize(
    ("deal", "exact"),
    [
        (None, True),
        (SimpleNamespace(knowledge=None), True),
        (SimpleNamespace(knowledge=SimpleNamespace(relaxed=False)), True),
        (SimpleNamespace(knowledge=SimpleNamespace(relaxed=True)), False),
    ],
)
def test_is_exact__unless_more_is_admitted_than_can_be(deal: object, *, exact: bool) -> None:
    assert is_exact(replace(opening("euchre", Options(), 2), deal=deal)) is exact
