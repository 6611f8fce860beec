import os
import subprocess
import time
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from deploy.development.programs import POOLER, find
from service.store.server.account import Account, server_account
from tests.postgres import Cluster
from tests.service_process import ServiceProcess, free_port

# Fewer than a process of the service opens, so that they are lent in turns.
SESSIONS = 3
_START_SECONDS_MAX = 30.0
_LOGIN = "carnet_service"


def _other(account: Account) -> dict[str, Any]:
    return (
        {"user": account.uid, "group": account.gid, "extra_groups": []} if account.is_other else {}
    )


@contextmanager
def pooler(url: str, folder: Path) -> Generator[str]:
    program = find(POOLER)
    assert program, "there is no PgBouncer; `deploy/dev.py test` finds or installs one"
    database, port = conninfo_to_dict(url), free_port()
    (folder / "users").write_text(f'"{_LOGIN}" ""\n')
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        f"""[databases]
carnet = host={database["host"]} port={database["port"]} dbname={database["dbname"]}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {SESSIONS}
"""
    )
    account = server_account()
    for path in (folder, *folder.iterdir()):
        os.chown(path, account.uid, account.gid)
    account.make_passable(settings)
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(
            [program, str(settings)],
            stdout=subprocess.DEVNULL,
            stderr=log,
            **_other(account),
        )
    pooled = f"postgresql://{_LOGIN}@127.0.0.1:{port}/carnet"
    try:
        answers(pooled, folder / "log")
        yield pooled
    finally:
        running.terminate()
        running.wait()


def answers(url: str, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS_MAX
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        else:
            return


@pytest.fixture(scope="session")
async def pooled_settings(
    embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[dict[str, str]]:
    with (
        embedded_cluster.migrated_database() as url,
        pooler(url, tmp_path_factory.mktemp("pooler")) as pooled,
    ):
        yield {
            "CARNET_DATABASE_URL": pooled,
            "CARNET_DATABASE_DIRECT_URL": as_url(url),
            "CARNET_DATABASE_OWNER_URL": url,
        }


def as_url(url: str) -> str:
    owner = str(conninfo_to_dict(url)["user"])
    return url.replace(f"//{owner}@", f"//{_LOGIN}@", 1)


@pytest.fixture(scope="session")
def service(
    pooled_settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("pooled") / "log"
    with ServiceProcess.running(log, **pooled_settings) as running:
        yield running


@pytest.fixture(scope="session")
def other_service(
    service: ServiceProcess,
    pooled_settings: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ServiceProcess]:
    del service
    log = tmp_path_factory.mktemp("other-pooled") / "log"
    with ServiceProcess.running(log, **pooled_settings) as running:
        yield running
