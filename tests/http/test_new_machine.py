"""A backup restored on a new machine: phones, links and programs go on without a word."""

import asyncio
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg
import pytest
from msgspec import Struct, json

from tests.carnet_process import run_carnet
from tests.http.api_tokens import make_token
from tests.http.club import DEAL, LOST_RESULT, Game, add_player, anonymous_client, client_with_key
from tests.http.test_members import invited, join
from tests.postgres import Cluster
from tests.service_process import ServiceProcess

HTML = {"Accept": "text/html"}

# What a server computes again, or only knows of itself.
NOT_COMPARED = {"backup", "feed_mark", "feed_tile", "migration", "result_change", "standings_kept"}
_COLUMNS = """
    SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r'
      AND a.attnum > 0 AND NOT a.attisdropped
    GROUP BY c.relname ORDER BY c.relname
"""
# Of one server: its transactions, and when it signed.
OWN_COLUMNS = {
    ("entry", "xid"),
    ("head", "signed_at"),
    ("head_key", "made_at"),
}


def rows_of(url: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    with psycopg.connect(url) as conn:
        for table, columns in conn.execute(_COLUMNS).fetchall():
            if table in NOT_COMPARED:
                continue
            names = [f"t.{name}" for name in columns if (table, name) not in OWN_COLUMNS]
            query = f"SELECT ROW({', '.join(names)})::text FROM carnet.{table} t ORDER BY 1"  # noqa: S608 -- names from the catalogue
            found[table] = [row for (row,) in conn.execute(query.encode())]
    return found


class Machine:
    """An installation with its own database, data folder and owner's key."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self.environment = {
            "CARNET_DATABASE_URL": url,
            "CARNET_DATA_DIR": str(folder / "data"),
            "CARNET_OWNER_KEY": "",
        }

    def carnet(self, *arguments: str, status: int = 0) -> str:
        done = run_carnet(*arguments, environment=self.environment)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def new_key(self) -> str:
        (key,) = re.findall(r"login\?key=(\S+)", self.carnet("key", "--new"))
        return str(key)

    def backup(self) -> Path:
        self.carnet("backup", str(self.folder / "backups"))
        return max((self.folder / "backups").glob("carnet-*.jsonl"))

    @contextmanager
    def serving(self) -> Iterator[ServiceProcess]:
        with ServiceProcess.running(self.folder / "log", **self.environment) as service:
            yield service


@pytest.fixture(scope="module")
def old(embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    with embedded_cluster.database() as url:
        yield Machine(url, tmp_path_factory.mktemp("old"))


@pytest.fixture(scope="module")
async def home(old: Machine) -> "Household":
    return await settle(old)


@pytest.fixture(scope="module")
def backup(old: Machine, home: "Household") -> Path:
    assert home.game_id
    return old.backup()


@pytest.fixture
def new(embedded_cluster: Cluster, tmp_path: Path) -> Generator[Machine]:
    with embedded_cluster.database() as url:
        yield Machine(url, tmp_path)


class Household(Struct, frozen=True, kw_only=True):
    """What people have of a machine: the owner's key, a token, a viewer's link, two phones."""

    game_id: str
    key: str
    token: str
    viewer: str
    phones: tuple[httpx.Cookies, httpx.Cookies]


async def settle(machine: Machine) -> Household:
    key = machine.new_key()
    with machine.serving() as service:
        async with client_with_key(service.url, key) as owner:
            game = await Game.start(owner)
            await game.record(*DEAL)
            await game.record(LOST_RESULT, {"type": "note", "text": "by the fire"})
            ann = (await game.view())["players"][0]["id"]
            other = await add_player(owner, "Anne")
            await add_player(owner, "Ann")  # a second person of that name
            merged = await owner.post(f"/api/players/{other}/merge", json={"into": ann})
            assert merged.is_success, merged.text
            titled = {"name": "Skyjo", "options": {"wins": "lowest"}}
            skyjo = (await owner.post("/api/titles", json=titled)).json()["id"]
            sky = (await owner.post("/api/titles", json={"name": "Sky Jo"})).json()["id"]
            merged = await owner.post(f"/api/titles/{sky}/merge", json={"into": skyjo})
            assert merged.is_success, merged.text
            season = {"name": "Winter", "first_day": "2026-11-01", "last_day": "2026-12-31"}
            await owner.post("/seasons", data=season)
            hook = {"url": "https://example.org/hook", "events": ["entry.recorded"]}
            hooked = await owner.post("/api/webhooks", json=hook)
            assert hooked.is_success, hooked.text
            link = (await owner.post(f"{game.path}/links", json={"role": "viewer"})).json()
            token = await make_token(owner, role="scorer")
            phones = [await _sign_in(service.url, owner, name) for name in ("Mum", "Dad")]
    return Household(
        game_id=game.id,
        key=key,
        token=token.secret,
        viewer=parse_qs(urlsplit(link["url"]).query)["key"][0],
        phones=(phones[0], phones[1]),
    )


async def _sign_in(url: str, owner: httpx.AsyncClient, name: str) -> httpx.Cookies:
    _, invitation = await invited(owner, name, "scorer")
    async with anonymous_client(url) as phone:
        await join(phone, invitation)
        return phone.cookies


async def check_that_all_go_on(service: ServiceProcess, home: Household) -> None:
    for cookies in home.phones:
        async with anonymous_client(service.url) as phone:
            phone.cookies = cookies
            assert (await phone.get(f"/games/{home.game_id}")).status_code == 200
    async with anonymous_client(service.url) as visitor:
        opened = await visitor.post("/login", data={"key": home.viewer}, follow_redirects=True)
        assert (opened.status_code, "Ann" in opened.text) == (200, True)
    for secret in (home.token, home.key):
        async with client_with_key(service.url, secret) as program:
            game = Game(program, (await program.get(f"/api/games/{home.game_id}")).json())
            await game.record({"type": "note", "text": "on the new machine"})


async def test_phones_a_viewer_and_a_token_go_on_after_a_restore(
    old: Machine, new: Machine, home: Household, backup: Path
) -> None:
    new.carnet("restore", str(backup))
    assert rows_of(new.url) == rows_of(old.url)
    assert new.carnet("verify").endswith("all hash chains are intact\n")
    with new.serving() as service:
        await check_that_all_go_on(service, home)


async def test_a_machine_that_was_started_takes_the_key_of_the_backup(
    new: Machine, home: Household, backup: Path
) -> None:
    first_key = new.new_key()
    with new.serving() as service:
        async with anonymous_client(service.url) as screen:
            await screen.post("/login", data={"key": first_key})
            assert (await screen.get("/people")).status_code == 200
            new.carnet("restore", str(backup))
            async with client_with_key(service.url, first_key) as former:
                assert (await former.get("/api/games")).status_code == 401
            await check_that_all_go_on(service, home)
            assert (await screen.get("/people")).status_code == 200


async def test_the_owner_restores_a_backup_on_the_page_of_an_empty_carnet(
    new: Machine, home: Household, backup: Path
) -> None:
    first_key = new.new_key()
    files = {"file": (backup.name, await asyncio.to_thread(backup.read_bytes))}
    with new.serving() as service:
        async with client_with_key(service.url, first_key) as owner:
            sent = await owner.post("/import", files=files)
            review = await owner.get(sent.headers["Location"], headers=HTML)
            (action,) = re.findall(r'action="(/import/everything/[^"]+)"', review.text)
            assert "Restore everything" in review.text
            done = await owner.post(action)
            assert done.status_code in {200, 303}, done.text
        await check_that_all_go_on(service, home)
        async with client_with_key(service.url, home.key) as owner:
            await add_player(owner, "Somebody new")
            sent = await owner.post("/import", files=files)
            review = await owner.get(sent.headers["Location"], headers=HTML)
            assert "only the games and people of this backup are imported" in review.text


async def test_a_restore_can_be_repeated_and_an_inhabited_machine_refuses_one(
    new: Machine, backup: Path
) -> None:
    new.carnet("restore", str(backup))
    before = rows_of(new.url)
    new.carnet("restore", str(backup))
    assert rows_of(new.url) == before
    with new.serving() as service:
        async with client_with_key(service.url, new.new_key()) as owner:
            await add_player(owner, "Somebody else")
    assert "people or links that are not in the backup" in new.carnet(
        "restore", str(backup), status=2
    )


# Columns that an older schema did not have, and that are as by default in the household.
NEW_COLUMNS = {"title": ("hidden",), "member": ("player_id",), "access_grant": ("until", "sites")}


def older(whole: bytes) -> bytes:
    """Return a backup as a version without `NEW_COLUMNS` wrote it."""
    *lines, end = map(json.decode, whole.splitlines())
    for line in lines:
        for column in NEW_COLUMNS.get(line.get("table", ""), ()):
            del line["row"][column]
    body = b"".join(json.encode(line) + b"\n" for line in lines)
    return body + json.encode(end | {"sha256": sha256(body).hexdigest()}) + b"\n"


def test_a_backup_of_an_older_version_is_restored(
    old: Machine, new: Machine, backup: Path, tmp_path: Path
) -> None:
    before = rows_of(old.url)
    file = tmp_path / "older.jsonl"
    file.write_bytes(older(backup.read_bytes()))
    assert file.stat().st_size < backup.stat().st_size
    new.carnet("restore", str(file))
    assert rows_of(new.url) == before


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a role": (lambda whole: whole.replace(b'"role": "scorer"', b'"role": "owner" ', 1), "changed"),
    "a text": (lambda whole: whole.replace(b"by the fire", b"by the lake", 1), "changed"),
    "twice": (lambda whole: whole + whole, "changed"),
    "within a line": (lambda whole: whole[: len(whole) // 2], "not a line of a backup"),
    "a line less": (lambda whole: whole[: whole.rindex(b"\n", 0, -1) + 1], "before it is complete"),
    "a table": (lambda _: b"Date,Ann\n2026-01-01,3\n", "not a line of an export"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_backup_is_refused_and_stores_nothing(
    new: Machine, backup: Path, tmp_path: Path, name: str
) -> None:
    damage, refusal = DAMAGES[name]
    whole = backup.read_bytes()
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(damage(whole))
    assert damaged.read_bytes() != whole
    new.carnet("club", "list")  # makes the schema
    before = rows_of(new.url)
    assert refusal in new.carnet("restore", str(damaged), status=2)
    assert rows_of(new.url) == before
