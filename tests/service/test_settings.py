from pathlib import Path

import pytest
import trustme

from service.access.secrets import token_hash
from service.errors import SettingsError
from service.settings import Machine, Settings, Tls, read_settings

LINUX = Machine(platform="linux", home=Path("/home/ann"), root=False)


def read(**environ: str) -> Settings:
    return read_settings(environ, LINUX)


def test_nothing_needs_to_be_set() -> None:
    assert read() == Settings(data_dir=Path("/home/ann/.local/share/carnet"))


def test_what_is_set_is_read() -> None:
    assert read(
        CARNET_DATABASE_URL="postgresql://carnet@db/carnet",
        CARNET_DATA_DIR="/srv/carnet",
        CARNET_HOST="::1",
        CARNET_PORT="80",
        CARNET_OWNER_KEY="open-sesame-open-sesame",
    ) == Settings(
        database_url="postgresql://carnet@db/carnet",
        data_dir=Path("/srv/carnet"),
        host="::1",
        port=80,
        owner_key_hash=token_hash("open-sesame-open-sesame"),
    )


@pytest.mark.parametrize("which", ["OWNER", "DIRECT"])
def test_another_address_of_the_database_stands_beside_the_first(which: str) -> None:
    name, other = f"CARNET_DATABASE_{which}_URL", "postgresql://other@db/carnet"
    found = read(CARNET_DATABASE_URL="postgresql://carnet@db/carnet", **{name: other})
    assert other in {found.database_owner_url, found.database_direct_url}
    with pytest.raises(SettingsError) as refused:
        read(**{name: other})
    assert refused.value.variable == name


def test_an_empty_variable_counts_as_unset() -> None:
    assert read(CARNET_PORT="", CARNET_DATABASE_URL="", CARNET_OWNER_KEY="") == read()


@pytest.mark.parametrize(
    ("machine", "environ", "expected"),
    [
        (LINUX, {"XDG_DATA_HOME": "/data/ann"}, "/data/ann/carnet"),
        (LINUX, {"XDG_DATA_HOME": "relative"}, "/home/ann/.local/share/carnet"),
        (LINUX, {"CARNET_DATA_DIR": "~/games"}, "/home/ann/games"),
        (
            Machine(platform="darwin", home=Path("/Users/ann"), root=False),
            {},
            "/Users/ann/Library/Application Support/carnet",
        ),
        (Machine(platform="linux", home=Path("/root"), root=True), {}, "/var/lib/carnet"),
    ],
)
def test_the_data_directory_is_where_the_platform_keeps_data(
    machine: Machine, environ: dict[str, str], expected: str
) -> None:
    assert read_settings(environ, machine).data_dir == Path(expected)


@pytest.mark.parametrize("port", ["http", "-1", "65536", "8000.0", "٨"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(CARNET_PORT=port)
    assert refused.value.variable == "CARNET_PORT"
    assert refused.value.found == repr(port)
    assert refused.value.expected == "a number from 0 to 65535"


@pytest.mark.parametrize("url", ["mysql://u:secret@h/d", "host=db password=secret", "//[secret"])
def test_an_address_that_is_none_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(CARNET_DATABASE_URL=url)
    assert refused.value.variable == "CARNET_DATABASE_URL"
    assert "secret" not in str(refused.value)


def test_a_file_for_heads_is_a_file(tmp_path: Path) -> None:
    assert read().heads_file is None
    assert read(CARNET_HEADS_FILE=f"{tmp_path}/heads").heads_file == tmp_path / "heads"
    with pytest.raises(SettingsError) as refused:
        read(CARNET_HEADS_FILE=str(tmp_path))
    assert refused.value.variable == "CARNET_HEADS_FILE"


@pytest.mark.parametrize("key", ["two words", "clé", "line\nbreak"])
def test_a_key_that_fits_no_header_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(CARNET_OWNER_KEY=key)
    assert key not in str(refused.value)


@pytest.mark.parametrize("key", ["sesame", 21 * "k"])
def test_a_key_that_can_be_guessed_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(SettingsError, match="22 or more by chance") as refused:
        read(CARNET_OWNER_KEY=key)
    assert key not in str(refused.value)
    given = key.ljust(22, "k")
    settings = read(CARNET_OWNER_KEY=given)
    assert settings.owner_key_hash == token_hash(given)
    assert given not in repr(settings)


def test_proxies_are_those_that_are_named() -> None:
    assert read().proxies == ("127.0.0.1", "::1")
    assert read(FORWARDED_ALLOW_IPS="").proxies == ()
    named = read(FORWARDED_ALLOW_IPS="192.0.2.7, 172.31.250.0/24")
    assert named.proxies == ("192.0.2.7", "172.31.250.0/24")


@pytest.mark.parametrize("named", ["*", "caddy", "192.0.2.7/24"])
def test_proxies_that_would_be_anybody_are_refused(named: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(FORWARDED_ALLOW_IPS=named)
    assert refused.value.variable == "FORWARDED_ALLOW_IPS"


def test_a_data_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SettingsError, match="a directory"):
        read(CARNET_DATA_DIR=str(file))


def certificate(folder: Path, name: str = "carnet") -> tuple[Path, Path]:
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    made = trustme.CA().issue_cert("127.0.0.1", "carnet.local")
    cert.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    made.private_key_pem.write_to_path(key)
    return cert, key


def test_a_certificate_and_its_key_make_https(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    settings = read(CARNET_TLS_CERT=str(cert), CARNET_TLS_KEY=str(key))
    assert settings.tls == Tls(cert=cert, key=key)
    assert settings.scheme == "https"
    assert read().scheme == "http"


def test_half_of_it_is_refused_by_the_name_of_what_is_missing(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    with pytest.raises(SettingsError, match="CARNET_TLS_KEY"):
        read(CARNET_TLS_CERT=str(cert))
    with pytest.raises(SettingsError, match="CARNET_TLS_CERT"):
        read(CARNET_TLS_KEY=str(key))


def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    cert, _ = certificate(tmp_path)
    _, other = certificate(tmp_path, "other")
    with pytest.raises(SettingsError, match="fit each other"):
        read(CARNET_TLS_CERT=str(cert), CARNET_TLS_KEY=str(other))
    with pytest.raises(SettingsError, match="which is no file"):
        read(CARNET_TLS_CERT=str(cert), CARNET_TLS_KEY=str(tmp_path / "nothing"))


@pytest.mark.parametrize("told", ["live", "deal", "game", "never"])
def test_viewers_are_told_when_the_operator_says(told: str) -> None:
    assert read(CARNET_VIEWERS_KNOW=told).viewers_know == told


def test_viewers_are_told_when_the_deal_is_over_unless_said_otherwise() -> None:
    assert read().viewers_know == "deal"


def test_when_viewers_are_told_is_one_of_four() -> None:
    with pytest.raises(SettingsError, match="CARNET_VIEWERS_KNOW"):
        read(CARNET_VIEWERS_KNOW="always")


def test_hosts_are_names_and_addresses_with_or_without_a_port() -> None:
    assert read().hosts == ()
    named = read(CARNET_HOSTS="Games.example.org, 192.168.1.5:8000 ,[2001:db8::7]:443,")
    assert named.hosts == ("games.example.org", "192.168.1.5:8000", "[2001:db8::7]:443")


@pytest.mark.parametrize("named", ["*", "http://games.example.org", "a/b", "a@b", "-a", "a:x"])
def test_hosts_that_are_none_are_refused(named: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(CARNET_HOSTS=named)
    assert refused.value.variable == "CARNET_HOSTS"


def test_webhook_networks_are_addresses_and_networks_and_nothing_else() -> None:
    assert read().webhook_networks == ()
    named = read(CARNET_WEBHOOK_NETWORKS="192.168.1.20, 10.0.0.0/24 ,fd00::/8,")
    assert [*map(str, named.webhook_networks)] == ["192.168.1.20/32", "10.0.0.0/24", "fd00::/8"]
    for wrong in ("10.0.0.1/24", "home", "*"):
        with pytest.raises(SettingsError) as refused:
            read(CARNET_WEBHOOK_NETWORKS=wrong)
        assert refused.value.variable == "CARNET_WEBHOOK_NETWORKS"
