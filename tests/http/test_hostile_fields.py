"""JSON in the fields of forms and addresses: nested, not closed, repeated names, huge numbers."""

from uuid import uuid4

import pytest

from tests.http.club import DEAL, Game
from tests.http.test_rights import TABLE

NESTED = 1_100  # more than Python recurses
NUMBERS = ("NaN", "1e999", "9" * 400, "-" + "9" * 4_500, "18446744073709551616")
VALUES = {
    "nested lists": "[" * NESTED + "]" * NESTED,
    "nested objects": '{"type":' * NESTED + "1" + "}" * NESTED,
    "not closed": "[" * NESTED,
    "half a sign": '{"type":"note","text":"\\ud800"}',
    # The last one alone would be legal.
    "a name twice": '{"type":"pass","seat":0,"seat":1}',
    **{f"tricks {number[:9]}": f'{{"type":"result","tricks":{number}}}' for number in NUMBERS},
    **{f"alone {number[:9]}": number for number in NUMBERS},
}
OUT_OF_TURN = '{"type":"pass","seat":0}'
NOTE = '{"type":"note","text":{"must":"text"}}'
FIELDS = "moves tried draft correction with.reason with.options open.text opens.entry teams to"
HTML = {"Accept": "text/html"}


@pytest.mark.parametrize("what", VALUES)
async def test_a_hostile_field_is_refused_and_changes_nothing(game: Game, what: str) -> None:
    await game.record(DEAL[0])
    value, failed = VALUES[what], list[str]()
    hostile = dict.fromkeys(FIELDS.split(), value)
    hostile |= {"version": str(game.version), "command": str(uuid4()), "ruleset": "euchre"}
    forms = [
        {**hostile, "entry": value},
        {**hostile, "entry": f"[{value}]"},
        {**hostile, "entries": f"[{value}]"},
        {**hostile, "entry": OUT_OF_TURN},
        {**hostile, "entry": NOTE},
    ]
    for method, path, _ in TABLE:
        if not path.startswith("/games/") or "old_id" in path:
            continue
        filled = path.format(game_id=game.id, version=game.version, link_id=game.id)
        if method == "GET" and not path.endswith(("/live", ".png")):
            for name in ("moves", "tried", "draft"):
                answer = await game.http.get(filled, params={name: value}, headers=HTML)
                failed += [f"{path}?{name}"] if answer.status_code >= 500 else []
        elif method == "POST" and "erase" not in path and "share" not in path:
            for form in forms:
                answer = await game.http.post(filled, data=form, headers=HTML)
                failed += [f"{path} {form}"[:100]] if answer.status_code >= 500 else []
    assert failed == []
    assert (await game.view())["version"] == game.version
