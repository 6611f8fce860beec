import gc
import json
import ssl
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import trustme

from service.access.network import own_address
from service.commands.serve import announce, leave_out_of_rounds, welcome
from service.commands.support.link import qr_code
from service.settings import Settings
from tests.service_process import KEY, ServiceProcess


def settings(host: str, given: bytes | None = None) -> Settings:
    return Settings(data_dir=Path("/nowhere"), host=host, owner_key_hash=given)


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


def test_a_key_that_is_kept_as_a_hash_is_not_shown_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    announce(settings("127.0.0.1"), 8000)
    said = capsys.readouterr().out
    assert "login" not in said
    assert "`carnet key --new`" in said


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
