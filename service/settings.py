"""The settings, read once from the environment."""

import os
import re
import ssl
import sys
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from service.errors import SettingsError

PORT_MAX = 65_535
WORKERS_MAX = 64
BACKUPS_KEPT_MAX = 10_000
# With 64 possible characters, as in generated keys: more than 128 bits.
OWNER_KEY_CHARACTERS_MIN = 22
# A name or address, with a port unless it is the scheme's default (RFC 3986 §3.2.2).
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?")
# A proxy on this machine.
PROXIES = ("127.0.0.1", "::1")

# When viewers see inferred cards: after the deal, after the game, or never.
ViewersKnow: TypeAlias = Literal["live", "deal", "game", "never"]


# JSON lines to standard error, or to a file in the data directory.
LogTarget: TypeAlias = Literal["json", "file"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The service's settings. `database_url` None: the embedded server in `data_dir`.

    `database_owner_url`: for the role that owns and migrates the database; None: as `database_url`.
    `database_direct_url`: bypasses a connection pooler; None: there is none. `proxies`: trusted to
    set X-Forwarded-For. `hosts`: public names of this service, the first for links; empty: any.
    `log` None: a file on a terminal, else JSON. `otel`: the variables of OpenTelemetry, unparsed.
    """

    database_url: str | None = None
    database_owner_url: str | None = None
    database_direct_url: str | None = None
    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 8000
    owner_key_hash: bytes | None = None
    workers: int = 1
    tls: "Tls | None" = None
    viewers_know: ViewersKnow = "deal"
    log: LogTarget | None = None
    backup_dir: Path | None = None
    backups_kept: int = 14
    proxies: tuple[str, ...] = PROXIES
    heads_file: Path | None = None
    hosts: tuple[str, ...] = ()
    webhook_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    otel: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])

    @property
    def traced(self) -> bool:
        if self.otel.get("OTEL_SDK_DISABLED", "").lower() == "true":
            return False
        exporter = self.otel.get("OTEL_TRACES_EXPORTER")
        endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
        return exporter == "otlp" if exporter else any(map(self.otel.get, endpoints))

    @property
    def scheme(self) -> Literal["http", "https"]:
        return "https" if self.tls else "http"

    @property
    def owners_url(self) -> str | None:
        """URL of an external database for its owner; None with the embedded server."""
        return self.database_owner_url or self.database_url


class Tls(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Files in PEM for https: the certificate chain and its key."""

    cert: Path
    key: Path


class Machine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The facts that decide the default data directory. `platform` as in `sys.platform`."""

    platform: str
    home: Path
    root: bool


def settings_of_process() -> Settings:
    """Read the settings of this process. Raises: SettingsError."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    machine = Machine(platform=sys.platform, home=Path.home(), root=root)
    return read_settings(os.environ, machine)


def read_settings(environ: Mapping[str, str], machine: Machine) -> Settings:
    """Parse the `CARNET_…` variables. An empty variable counts as unset. Raises: SettingsError."""
    return Settings(
        database_url=_database_url(environ, "CARNET_DATABASE_URL"),
        database_owner_url=_second_url(environ, "CARNET_DATABASE_OWNER_URL"),
        database_direct_url=_second_url(environ, "CARNET_DATABASE_DIRECT_URL"),
        data_dir=_data_dir(environ, machine),
        host=environ.get("CARNET_HOST") or "127.0.0.1",
        port=_port(environ.get("CARNET_PORT") or "8000"),
        owner_key_hash=_owner_key_hash(environ.get("CARNET_OWNER_KEY") or None),
        workers=_workers(environ.get("CARNET_WORKERS") or "1"),
        tls=_tls(environ),
        heads_file=_heads_file(environ.get("CARNET_HEADS_FILE"), machine),
        viewers_know=_viewers_know(environ.get("CARNET_VIEWERS_KNOW") or "deal"),
        log=_log(environ.get("CARNET_LOG") or None),
        backup_dir=_backup_dir(environ.get("CARNET_BACKUP_DIR"), machine),
        backups_kept=_backups_kept(environ.get("CARNET_BACKUPS_KEPT") or "14"),
        proxies=_proxies(environ.get("FORWARDED_ALLOW_IPS")),
        hosts=_hosts(environ.get("CARNET_HOSTS") or ""),
        webhook_networks=_webhook_networks(environ.get("CARNET_WEBHOOK_NETWORKS") or ""),
        otel={name: value for name, value in environ.items() if name.startswith("OTEL_")},
    )


def _log(text: str | None) -> LogTarget | None:
    match text:
        case None | "json" | "file":
            return text
    raise SettingsError("CARNET_LOG", repr(text), "json or file")


def _database_url(environ: Mapping[str, str], name: str) -> str | None:
    expected = "a PostgreSQL address such as postgresql://user@host:5432/carnet"
    text = environ.get(name)
    if not text:
        return None
    try:
        scheme = urlsplit(text).scheme
    except ValueError as error:
        # The URL may contain a password, so only its fault is shown.
        raise SettingsError(name, f"unreadable ({error})", expected) from None
    if scheme not in {"postgresql", "postgres"}:
        found = f"an address of scheme {scheme!r}" if scheme else "not an address"
        raise SettingsError(name, found, expected)
    return text


def _second_url(environ: Mapping[str, str], name: str) -> str | None:
    url = _database_url(environ, name)
    if url is not None and not environ.get("CARNET_DATABASE_URL"):
        raise SettingsError(name, "set", "CARNET_DATABASE_URL beside it, of the same database")
    return url


def _data_dir(environ: Mapping[str, str], machine: Machine) -> Path:
    given = environ.get("CARNET_DATA_DIR")
    if given:
        return _directory("CARNET_DATA_DIR", given, machine)
    if machine.platform == "darwin":
        return machine.home / "Library" / "Application Support" / "carnet"
    if machine.root:
        # PostgreSQL refuses to run as root, and its own account cannot read root's home.
        return Path("/var/lib/carnet")
    shared = environ.get("XDG_DATA_HOME")
    # The specification requires to ignore a relative path (XDG Base Directory 0.8).
    if shared and Path(shared).is_absolute():
        return Path(shared) / "carnet"
    return machine.home / ".local" / "share" / "carnet"


def _directory(name: str, given: str, machine: Machine) -> Path:
    path = Path(given)
    if given == "~" or given.startswith("~/"):
        path = machine.home / given[2:]
    if path.exists() and not path.is_dir():
        raise SettingsError(name, f"{given!r}, a file", "a directory")
    return path.absolute()


def _backup_dir(given: str | None, machine: Machine) -> Path | None:
    return _directory("CARNET_BACKUP_DIR", given, machine) if given else None


def _heads_file(given: str | None, machine: Machine) -> Path | None:
    if not given:
        return None
    path = machine.home / given[2:] if given.startswith("~/") else Path(given)
    if path.is_dir():
        raise SettingsError("CARNET_HEADS_FILE", f"{given!r}, a directory", "a file")
    return path.absolute()


def _backups_kept(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= BACKUPS_KEPT_MAX):
        expected = f"a number from 1 to {BACKUPS_KEPT_MAX}"
        raise SettingsError("CARNET_BACKUPS_KEPT", repr(text), expected)
    return int(text)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= PORT_MAX):
        raise SettingsError("CARNET_PORT", repr(text), f"a number from 0 to {PORT_MAX}")
    return int(text)


def _workers(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= WORKERS_MAX):
        raise SettingsError("CARNET_WORKERS", repr(text), f"a number from 1 to {WORKERS_MAX}")
    return int(text)


def _viewers_know(text: str) -> ViewersKnow:
    if text not in get_args(ViewersKnow):
        raise SettingsError("CARNET_VIEWERS_KNOW", repr(text), "live, deal, game or never")
    return cast("ViewersKnow", text)


def _tls(environ: Mapping[str, str]) -> Tls | None:
    cert, key = (environ.get(name) or None for name in ("CARNET_TLS_CERT", "CARNET_TLS_KEY"))
    if cert is None and key is None:
        return None
    for name, given in (("CARNET_TLS_CERT", cert), ("CARNET_TLS_KEY", key)):
        if given is None:
            raise SettingsError(name, "nothing", "a PEM file, as its other half is set")
        if not Path(given).is_file():
            raise SettingsError(name, f"{given!r}, which is no file", "a PEM file")
    tls = Tls(cert=Path(cert or "").absolute(), key=Path(key or "").absolute())
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tls.cert, tls.key)
    except (ssl.SSLError, OSError) as error:
        why = getattr(error, "reason", None) or error.strerror or str(error)
        expected = "a certificate and its key in PEM that fit each other, readable by Carnet"
        raise SettingsError("CARNET_TLS_CERT", f"{cert!r} with {key!r} ({why})", expected) from None
    return tls


def _owner_key_hash(text: str | None) -> bytes | None:
    expected = "a key of visible ASCII characters, without spaces"
    if text is None:
        return None
    if not (text.isascii() and text.isprintable() and " " not in text):
        raise SettingsError("CARNET_OWNER_KEY", "a key with other characters", expected)
    if len(text) < OWNER_KEY_CHARACTERS_MIN:
        raise SettingsError(
            "CARNET_OWNER_KEY",
            f"a key of {len(text)} characters, which can be guessed",
            f"{OWNER_KEY_CHARACTERS_MIN} or more by chance, as `openssl rand -hex 24` makes them,"
            " or nothing: then a key is made and shown on the first start",
        )
    return sha256(text.encode()).digest()


def _proxies(text: str | None) -> tuple[str, ...]:
    """Parse the trusted proxies; `*` is refused because it would trust any client."""
    if text is None:
        return PROXIES
    named = tuple(filter(None, (part.strip() for part in text.split(","))))
    for network in named:
        try:
            ip_network(network)
        except ValueError:
            expected = "addresses and networks of proxies, such as 192.0.2.7,172.31.250.0/24"
            raise SettingsError("FORWARDED_ALLOW_IPS", repr(text), expected) from None
    return named


def _hosts(text: str) -> tuple[str, ...]:
    named = tuple(filter(None, (part.strip().lower() for part in text.split(","))))
    for host in named:
        if _HOST.fullmatch(host) is None:
            expected = "names of hosts, such as games.example.org,192.168.1.5:8000"
            raise SettingsError("CARNET_HOSTS", repr(text), expected)
    return named


def _webhook_networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    networks: list[IPv4Network | IPv6Network] = []
    for network in filter(None, (part.strip() for part in text.split(","))):
        try:
            networks.append(ip_network(network))
        except ValueError:
            expected = "addresses and networks, such as 192.168.1.20,10.0.0.0/24"
            raise SettingsError("CARNET_WEBHOOK_NETWORKS", repr(network), expected) from None
    return tuple(networks)
