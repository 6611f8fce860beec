from collections.abc import AsyncGenerator

import httpx
import pytest

from tests.http.api_tokens import end_token, make_token
from tests.http.club import client_with_key
from tests.http.test_rights import EVERYTHING, READ, RECORD, SCORE, WATCH, House, misfits
from tests.service_process import KEY, ServiceProcess

# Role, games (none: the club), and the abilities of the token in the requested game.
TOKENS: dict[str, tuple[str, tuple[str, ...], set[str]]] = {
    "owner": ("owner", (), EVERYTHING),
    "scorer": ("scorer", (), SCORE),
    "reader": ("reader", (), READ),
    "scorer of the game": ("scorer", ("game",), RECORD),
    "reader of the game": ("reader", ("game",), WATCH),
    "scorer of both games": ("scorer", ("other", "game"), RECORD),
    "scorer elsewhere": ("scorer", ("other",), {"known"}),
    "reader elsewhere": ("reader", ("other",), {"known"}),
    "owner, ended": ("owner", (), set()),
    "scorer of the game, ended": ("scorer", ("game",), set()),
    "owner, revoked": ("owner", (), set()),
    "reader of the game, revoked": ("reader", ("game",), set()),
}


@pytest.fixture(scope="module")
async def house(service: ServiceProcess) -> AsyncGenerator[House]:
    async with client_with_key(service.url, KEY) as owner:
        made = House(service, owner)
        await made.furnish()
        yield made


@pytest.mark.parametrize("name", TOKENS)
async def test_a_program_may_do_what_its_token_gives(
    house: House, service_database: str, name: str
) -> None:
    role, games, given = TOKENS[name]

    async def program(name: str) -> httpx.AsyncClient:
        ids = " ".join({"game": house.game.id, "other": house.other.id}[one] for one in games)
        made = await make_token(house.owner, role=role, games=ids, days="30")
        if name.endswith(", revoked"):
            await house.owner.post(f"/programs/tokens/{made.id}")
        if name.endswith(", ended"):
            end_token(service_database, made.id)
        return client_with_key(house.url, made.secret)

    assert await misfits(house, program, name, given) == []
