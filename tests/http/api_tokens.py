"""Tokens for programs, made on the owner's page."""

import re

import httpx
import psycopg
from msgspec import Struct


class CreatedToken(Struct, frozen=True):
    """A token: its id, and its secret, which the page shows once."""

    id: str
    secret: str


async def make_token(owner: httpx.AsyncClient, **form: str) -> CreatedToken:
    answer = await owner.post("/programs/tokens", data={"name": "a display", **form})
    assert answer.headers["Location"] == "/programs#tokens"
    page = (await owner.get("/programs")).text
    (secret,) = re.findall(r"<code>([\w-]{22}\.[\w-]+)</code>", page)
    return CreatedToken(re.findall(r'action="/programs/tokens/([0-9a-f-]{36})"', page)[-1], secret)


def end_token(database: str, token_id: str) -> None:
    with psycopg.connect(database) as conn:
        conn.execute("ALTER TABLE carnet.access_grant DISABLE TRIGGER USER")
        conn.execute(
            "UPDATE carnet.access_grant SET expires_at = now() WHERE grant_id = %s", [token_id]
        )
        conn.execute("ALTER TABLE carnet.access_grant ENABLE TRIGGER USER")
