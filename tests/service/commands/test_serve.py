import gc
import json
import re
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Literal
from unittest.mock import Mock
from urllib.parse import urlsplit

import httpx
import pytest
import trustme

from service.access.network import own_address
from service.commands.serve import announce, leave_out_of_rounds, log_file, open_log, welcome
from service.commands.support.link import qr_code
from service.settings import Settings
from tests.carnet_process import run_carnet
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

LINK = re.compile(r"http://\S+/login\?key=\S+")


def settings(host: str, given: bytes | None = None) -> Settings:
    # A folder that nobody can make.
    return Settings(data_dir=Path("/dev/null/nowhere"), host=host, owner_key_hash=given)


def test_words_come_first_and_logs_after_them(service_database: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=service_database):
        lines = log.read_text().splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("{"))
    assert any(line.startswith("Carnet runs on ") for line in lines[:first])
    assert all(json.loads(line)["level"] == "info" for line in lines[first:])
    assert "\x1b" not in "".join(lines)


def test_what_keeps_it_from_starting_is_logged_although_nothing_was_announced(
    tmp_path: Path,
) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "service.cli", "serve"],
        capture_output=True,
        text=True,
        check=False,
        env={
            "PATH": "",
            "CARNET_PORT": "0",
            "CARNET_DATA_DIR": str(tmp_path),
            "CARNET_DATABASE_URL": "postgresql://127.0.0.1:1/nowhere",
        },
        cwd=Path(__file__).parents[3],
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert "server.starting" in run.stderr


async def test_a_key_from_the_settings_is_neither_printed_nor_logged(
    service_database: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=service_database) as running:
        async with httpx.AsyncClient(base_url=running.url) as browser:
            for path in ("/login", "/nowhere", "/api/nowhere", "/join", f"/shared/{KEY}"):
                await browser.get(path, params={"key": KEY})
            await browser.post("/login", data={"key": KEY})
            await browser.post("/api/games", content=KEY)
            assert (await browser.get("/history")).status_code == 200
            await browser.get("/api/players", headers={"Authorization": f"Bearer {KEY}!"})
    said = log.read_text()
    assert "The owner signs in there with the key in CARNET_OWNER_KEY." in said
    assert KEY not in said
    assert not {"█", "▀", "▄"} & set(said)


def test_on_this_computer_alone_no_qr_code_is_drawn_but_the_line_that_lets_phones_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    welcome(settings("127.0.0.1"), 8000, "sesame")
    announce(settings("127.0.0.1"), 8000)
    said = capsys.readouterr().out
    assert "scan" not in said
    assert not {"█", "▀", "▄"} & set(said)
    assert said.count("CARNET_HOST=0.0.0.0") == 1
    assert said.count("--lan") == 1
    assert "it cannot be shown again" in said


@pytest.mark.parametrize("host", ["192.0.2.7", "0.0.0.0"])  # noqa: S104 the setting for phones
def test_where_phones_reach_it_the_link_is_drawn(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    welcome(settings(host), 8000, "sesame")
    announce(settings(host), 8000)
    said = capsys.readouterr().out
    reachable = host if host == "192.0.2.7" else own_address()
    if reachable is None:
        assert "it is in no network" in said
    else:
        drawn = qr_code(f"http://{reachable}:8000/login?key=sesame", coloured=False)
        assert "scan it with your phone" in said
        assert drawn in said
    assert "CARNET_HOST" not in said


@pytest.mark.parametrize("host", ["127.0.0.1", "192.0.2.7", "0.0.0.0"])  # noqa: S104 as above
def test_three_short_lines_say_where_it_runs_and_where_link_and_log_are(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    announce(settings(host), 8000, Path("/home/ann/.local/share/carnet/carnet.log"))
    said = capsys.readouterr().out
    assert "login" not in said
    assert "`carnet key`" in said
    assert "carnet.log" in said
    assert len(said.splitlines()) <= 3
    assert max(map(len, said.splitlines())) <= 100


def test_the_link_of_the_first_start_is_shown_again_until_the_key_is_replaced(
    embedded_cluster: Cluster, tmp_path: Path
) -> None:
    with embedded_cluster.database() as url:
        service = ServiceProcess(
            tmp_path / "logs" / "log", CARNET_DATABASE_URL=url, CARNET_OWNER_KEY=""
        )
        service.log.parent.mkdir()
        service.start()
        service.stop()
        here = {
            "CARNET_DATABASE_URL": url,
            "CARNET_DATA_DIR": str(service.data_dir),
            "CARNET_PORT": str(service.port),
        }
        (first,) = LINK.findall(service.log.read_text())
        assert LINK.findall(run_carnet("key", environment=here).stdout) == [first]
        assert (service.data_dir / "owner-key").stat().st_mode & 0o777 == 0o600
        (second,) = LINK.findall(run_carnet("key", "--new", environment=here).stdout)
        assert second != first
        assert LINK.findall(run_carnet("key", environment=here).stdout) == [second]
        elsewhere = {**here, "CARNET_DATA_DIR": str(tmp_path / "elsewhere")}
        replaced = run_carnet("key", "--new", environment=elsewhere)
        assert replaced.returncode == 0
        stale = run_carnet("key", environment=here)
        assert stale.returncode == 1
        assert "not stored on this machine" in stale.stderr


@pytest.mark.parametrize(
    ("chosen", "terminal", "in_file"),
    [(None, True, True), (None, False, False), ("json", True, False), ("file", False, True)],
)
def test_the_log_goes_to_a_file_where_people_read_the_link(
    *,
    chosen: Literal["json", "file"] | None,
    terminal: bool,
    in_file: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(sys, "stderr", Mock(isatty=lambda: terminal))
    path = log_file(Settings(data_dir=tmp_path / "new", log=chosen))
    assert path == (tmp_path / "new" / "carnet.log" if in_file else None)
    if path is not None:
        open_log(path).close()
        assert path.is_file()


def test_a_long_log_is_put_aside_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "carnet.log"
    with path.open("wb") as long:
        long.truncate(20_000_000)
    open_log(path).close()
    assert path.stat().st_size == 0
    assert (tmp_path / "carnet.log.1").stat().st_size == 20_000_000


def test_what_is_there_at_the_start_is_left_out_of_the_rounds_of_the_collector() -> None:
    leave_out_of_rounds()
    try:
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()


def test_a_certificate_makes_the_service_answer_by_https_alone(
    service_database: str, tmp_path: Path
) -> None:
    authority = trustme.CA()
    made = authority.issue_cert("127.0.0.1")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    made.private_key_pem.write_to_path(key)
    trusting = ssl.create_default_context(cadata=authority.cert_pem.bytes().decode())
    service = ServiceProcess(
        tmp_path / "log",
        CARNET_DATABASE_URL=service_database,
        CARNET_TLS_CERT=str(cert),
        CARNET_TLS_KEY=str(key),
    )
    service.url = service.url.replace("http:", "https:")
    service.trust(trusting)
    service.start()
    try:
        assert f"Carnet runs on {service.url}/\n" in service.log.read_text()
        answer = httpx.get(f"{service.url}/login?key={KEY}", verify=trusting)
        assert "secure" in answer.headers["set-cookie"].lower()
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        with pytest.raises(httpx.HTTPError):
            httpx.get(service.url.replace("https:", "http:"))
    finally:
        service.stop()


def test_lan_lets_phones_in(service_database: str, tmp_path: Path) -> None:
    service = ServiceProcess(tmp_path / "log", CARNET_DATABASE_URL=service_database)
    service.arguments = ("--lan",)
    service.start()
    try:
        own = own_address()
        said = service.log.read_text()
        assert f"http://{own or '127.0.0.1'}:{service.port}/" in said
        if own:
            assert httpx.get(f"http://{own}:{service.port}/healthz").status_code == 200
    finally:
        service.stop()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_links_made_on_the_machine_itself_name_its_address_in_the_network(
    service_database: str, tmp_path: Path, host: str
) -> None:
    service = ServiceProcess(tmp_path / "log", CARNET_DATABASE_URL=service_database)
    service.arguments = ("--lan",)
    service.start()
    own = own_address()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{service.port}") as browser:
            # Browsers resolve such names without DNS.
            browser.headers["Host"] = f"{host}:{service.port}"
            browser.headers["Accept"] = "text/html"
            browser.post("/login", data={"key": KEY})
            sent = browser.post("/people", data={"role": "scorer", "name": "Ann"})
            page = browser.get(urlsplit(sent.headers["Location"]).path).text
    finally:
        service.stop()
    assert f"http://{own or host}:{service.port}/login?key=" in page
    assert ("opens on this computer only" in page) is (own is None)
    assert ("<svg" in page) is (own is not None)
