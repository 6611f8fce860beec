"""The commands of docs/operating are executed: databases, logins and backups.

Container engine and systemd are missing in a test; their files must name existing files, settings
and versions.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import psycopg
import pytest
from msgspec.structs import fields

from deploy.development.environment import UV_VERSION, find_uv
from deploy.development.running import VENV
from service.settings import Settings, Tls
from service.store.server.embedded import EmbeddedServer, wheel_programs
from tests.documents.blocks import BLOCKS, ROOT
from tests.http.club import DEAL, Game, client_with_key
from tests.service_process import KEY, ServiceProcess

CODE = [block.code for block in BLOCKS if block.document.startswith("docs/operating/")]
SETTINGS = (ROOT / "docs" / "reference" / "settings.md").read_text("utf-8")
INSTALLERS = ["docs/operating/install.md", "deploy/container/Dockerfile"]
DAY = r"\$\(date \+%F\)|\d{4}-\d\d-\d\d"


def code(word: str) -> str:
    (found,) = (one for one in CODE if word in one)
    return found


class Operator:
    """An operator with the PostgreSQL programs, a server and `carnet`, in one folder."""

    def __init__(self, server: EmbeddedServer, folder: Path) -> None:
        self.folder = folder
        self.socket = server.url.partition("host=")[2].partition("&")[0]

    def url(self, database: str) -> str:
        return f"postgresql://carnet@/{database}?host={self.socket}"

    def types(self, shell: str) -> str:
        here = re.sub(DAY, "today", shell)
        here = re.sub(r"postgresql://carnet@localhost/(\w+)", lambda it: self.url(it[1]), here)
        environ = {
            **os.environ,
            "PATH": f"{wheel_programs()}:{VENV / 'bin'}:{os.environ['PATH']}",
            "PGHOST": unquote(self.socket),
            "PGUSER": "carnet_owner",
            "CARNET_DATABASE_URL": self.url("carnet"),
        }
        command = ["/bin/bash", "-eu", "-o", "pipefail", "-c", here]
        answer = subprocess.run(
            command, cwd=self.folder, env=environ, capture_output=True, text=True, check=False
        )
        assert answer.returncode == 0, answer.stderr
        return answer.stdout


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operator]:
    folder = tmp_path_factory.mktemp("operator")
    with EmbeddedServer(folder / "server") as server:
        other = server.url.replace("/carnet?", "/postgres?")
        with psycopg.connect(other, autocommit=True) as conn:
            conn.execute("DROP DATABASE carnet")
            for statement in filter(str.strip, code("CREATE ROLE").split(";")):
                conn.execute(statement.encode())
        yield Operator(server, folder)


async def test_a_dump_of_a_database_of_ones_own_is_restored_and_whole(operator: Operator) -> None:
    log = operator.folder / "log"
    owner = operator.url("carnet")
    logins = {
        "CARNET_DATABASE_URL": owner.replace("//carnet@", "//carnet_service@"),
        "CARNET_DATABASE_OWNER_URL": owner,
    }
    with ServiceProcess.running(log, **logins) as service:
        async with client_with_key(service.url, KEY) as http:
            game = await Game.start(http)
            await game.record(*DEAL)
        operator.types(code("pg_dump"))
    told = operator.types(code("pg_restore"))
    assert re.search(r"\b1 game", told), told


def settings_read() -> set[str]:
    # Only the hash of the owner's key is stored.
    return {f"CARNET_{field.name.upper().removesuffix('_HASH')}" for field in fields(Settings)}


def test_settings__are_those_that_are_read() -> None:
    told = set(re.findall(r"^\| `(\w+)`", SETTINGS, re.MULTILINE))
    read = settings_read()
    tls = {f"CARNET_TLS_{field.name.upper()}" for field in fields(Tls)}
    urls = {"CARNET_OWNER_URL", "CARNET_DIRECT_URL"}
    named = {f"CARNET_DATABASE_{name.removeprefix('CARNET_')}" for name in urls}
    # Named as by other servers.
    others = {"FORWARDED_ALLOW_IPS"} | tls | named
    # Defined by OpenTelemetry, whose libraries read its other variables.
    others |= {"OTEL_EXPORTER_OTLP_ENDPOINT"}
    assert told == read - {"CARNET_TLS", "CARNET_PROXIES", "CARNET_OTEL"} - urls | others


@pytest.mark.parametrize("file", INSTALLERS)
def test_uv__is_the_one_that_a_checkout_installs(file: str) -> None:
    told = re.findall(r"uv==([\d.]+)", (ROOT / file).read_text("utf-8"))
    assert set(told) == {UV_VERSION}


@pytest.mark.parametrize("file", INSTALLERS)
def test_uv__knows_what_it_is_asked_for(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    (asked,) = re.findall(r"uv (sync [-a-z ]+)$", text, re.MULTILINE)
    command = [str(find_uv()), *asked.split(), "--offline", "--dry-run"]
    environ = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(VENV), "UV_PYTHON": sys.executable}
    answer = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr


def test_containers__are_told_settings_that_are_read() -> None:
    known = settings_read()
    for file in ("compose.yaml", "container/Dockerfile", "carnet.service"):
        text = (ROOT / "deploy" / file).read_text("utf-8")
        assert set(re.findall(r"CARNET_[A-Z_]+", text)) <= known, file


def test_systemd__starts_what_the_paper_installs_where_it_puts_it() -> None:
    unit = (ROOT / "deploy" / "carnet.service").read_text("utf-8")
    steps = code("systemctl enable")
    assert "git clone https://… /opt/carnet" in steps
    assert "ExecStart=/opt/carnet/.venv/bin/carnet serve\n" in unit
    assert "EnvironmentFile=-/etc/carnet/environment\n" in unit
    assert "/etc/carnet/environment " in steps
    assert "User=carnet\n" in unit
    assert "useradd --system --home-dir /var/lib/carnet carnet\n" in steps
    assert "Environment=CARNET_DATA_DIR=/var/lib/carnet\n" in unit
