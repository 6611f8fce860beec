from typing import Any

import pytest

from service.web.reference.schema_page import operations


@pytest.mark.parametrize(
    ("description", "more"),
    [
        ("List the games.", ""),
        ("List  the games", ""),
        ("List the games.\n\nNewest first.", "List the games. Newest first."),
    ],
)
def test_a_description_that_only_repeats_the_summary_is_left_out(
    description: str, more: str
) -> None:
    listed: dict[str, Any] = {
        "operationId": "listGames",
        "tags": ["games"],
        "summary": "List the games",
        "description": description,
        "responses": {},
    }
    document = {"tags": [{"name": "games"}], "paths": {"/api/games": {"get": listed}}}
    (found,) = operations(document)["games"]
    assert (found.method, found.path, found.more) == ("GET", "/api/games", more)
