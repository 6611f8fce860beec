"""Whom a reverse proxy speaks for, and who is believed to be one."""

from collections.abc import Iterable
from pathlib import Path

import httpx
import pytest

from tests.service_process import KEY, PLAIN, ServiceProcess

# More than one address has at once (60), fewer than all have together (600).
TRIES = 250


def told_to_wait(url: str, forwarded: Iterable[str]) -> bool:
    """Send wrong keys as from these addresses; say whether one of them is answered by 429."""
    wrong = {"Authorization": "Bearer wrong"}
    with httpx.Client(base_url=url, headers=wrong, verify=PLAIN) as http:
        return any(
            http.get("/api/players", headers={"X-Forwarded-For": one}).status_code == 429
            for one in forwarded
        )


@pytest.mark.parametrize("named", ["127.0.0.1", "127.0.0.0/8,192.0.2.9"])
def test_behind_a_proxy_wrong_keys_are_counted_by_the_last_address_that_is_none(
    named: str, service_database: str, tmp_path: Path
) -> None:
    settings = {"CARNET_DATABASE_URL": service_database, "FORWARDED_ALLOW_IPS": named}
    with ServiceProcess.running(tmp_path / "log", **settings) as own:
        # What comes before it was written by whoever guesses.
        assert told_to_wait(own.url, (f"203.0.113.{one}, 198.51.100.7" for one in range(TRIES)))
        assert not told_to_wait(own.url, ["198.51.100.8"])
        headers = {"Authorization": f"Bearer {KEY}", "X-Forwarded-For": "198.51.100.7"}
        assert httpx.get(f"{own.url}/api/players", headers=headers, verify=PLAIN).status_code == 200


def test_who_is_not_named_as_a_proxy_speaks_for_nobody(
    service_database: str, tmp_path: Path
) -> None:
    settings = {"CARNET_DATABASE_URL": service_database, "FORWARDED_ALLOW_IPS": "192.0.2.9"}
    with ServiceProcess.running(tmp_path / "log", **settings) as own:
        assert told_to_wait(own.url, (f"198.51.100.{one}" for one in range(TRIES)))
