import pytest

from service.access.network import is_loopback, own_address
from service.commands.support.link import (
    owner_link,
    qr_code,
    reachable_host,
    show_link,
)


@pytest.mark.parametrize(
    ("host", "port", "key", "link"),
    [
        ("192.0.2.7", 8000, "s3same", "http://192.0.2.7:8000/login?key=s3same"),
        ("carnet.example", 80, None, "http://carnet.example/"),
        ("2001:db8::7", 8000, None, "http://[2001:db8::7]:8000/"),
        ("192.0.2.7", 8000, "a&b/c?", "http://192.0.2.7:8000/login?key=a%26b%2Fc%3F"),
    ],
)
def test_link__is_an_address_with_the_key(host: str, port: int, key: str | None, link: str) -> None:
    assert owner_link(host, port, key) == link


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "192.0.2.7", "carnet.example"])
def test_host__one_that_is_named_is_kept(host: str) -> None:
    assert reachable_host(host) == host


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104 the setting for phones
def test_host__every_address_means_this_machine_s_own(host: str) -> None:
    assert reachable_host(host) == (own_address() or "127.0.0.1")


def test_loopback__is_told_from_the_network() -> None:
    told = {host: is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "192.0.2.7")}
    assert told == {"127.0.0.1": True, "::1": True, "localhost": True, "192.0.2.7": False}


def test_qr_code__is_white_on_black_in_any_terminal_and_square() -> None:
    rows = qr_code("http://192.0.2.7:8000/login?key=s3same").splitlines()
    drawn = [row.removeprefix("\x1b[97;40m").removesuffix("\x1b[0m") for row in rows]
    assert all(len(row) != len(plain) for row, plain in zip(rows, drawn, strict=True))
    width = {len(row) for row in drawn}
    assert len(width) == 1
    assert (width.pop() + 1) // 2 == len(drawn)


def test_qr_code__is_drawn_in_plain_characters_where_there_are_no_colours(
    capsys: pytest.CaptureFixture[str],
) -> None:
    link = "http://192.0.2.7:8000/"
    show_link("Open this link.", link)
    told = capsys.readouterr().out
    assert told.startswith(f"\nOpen this link.\n\n    {link}\n\n")
    assert told.endswith(qr_code(link, coloured=False) + "\n")
    assert "\x1b" not in told


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_qr_code__is_not_drawn_of_an_address_that_only_this_computer_reaches(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show_link("Open this link.", f"http://{host}:8000/")
    assert capsys.readouterr().out == f"\nOpen this link.\n\n    http://{host}:8000/\n\n"
