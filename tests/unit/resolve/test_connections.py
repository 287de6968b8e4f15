"""Which machines are connected to: public ones, the user's proxy, and nobody's password on the
way."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pybadge.resolve import Resolver, connections
from pybadge.resolve.peers import PrivateAddressError
from pybadge.verification import report_on
from tests.support.asking import PATH, ask
from tests.support.data import RECORD_BYTES, SUFFIX
from tests.support.http_server import Server, answer


def test_a_name_that_leads_into_this_machine_is_refused_before_a_byte_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Server({"*": answer(RECORD_BYTES)}) as server:
        port = server.server_address[1]
        resolve = socket.getaddrinfo

        def rebound(host: str, asked_port: Any, *arguments: Any, **named: Any) -> Any:
            if host == "pith.science":
                host, asked_port = "127.0.0.1", port
            return resolve(host, asked_port, *arguments, **named)

        monkeypatch.setattr(socket, "getaddrinfo", rebound)
        report = report_on(SUFFIX, Resolver("https://pith.science"))
        assert report["parse"].code == "resolve.private_address"
        assert "--allow-host pith.science" in report["parse"].detail
        assert server.asked == []
        allowed = Resolver("https://pith.science", allowed_hosts=["PITH.science"])
        assert report_on(SUFFIX, allowed)["parse"].code == "resolve.certificate"


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("8.8.8.8", True),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff0e::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("2606:4700:4700::1111", True),
    ],
)
def test_only_public_addresses_are_connected_to(address: str, allowed: bool) -> None:
    class Peer:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET

        def getpeername(self) -> tuple[str, int]:
            return (address, 443)

    def check(host: str, names: tuple[str, ...] = ()) -> bool:
        try:
            connections._check_connection(Peer(), host, names)  # type: ignore[arg-type]
        except PrivateAddressError:
            return False
        return True

    loopback = address in ("127.0.0.1", "::1", "::ffff:127.0.0.1")
    assert check("mirror.example") is allowed
    assert check("mirror.example", ("mirror.example",))
    assert check("mirror.example", ("other.example",)) is allowed
    assert check("localhost") is loopback
    assert check("[::1]") is loopback


# --- the environment


@contextlib.contextmanager
def proxy(asked: list[str]) -> Iterator[str]:
    """A proxy that notes the first line of each request and refuses it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    asked.append(connection.recv(4000).split(b"\r\n")[0].decode())
                    connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def no_such_host(*_arguments: Any, **_named: Any) -> NoReturn:
    raise socket.gaierror("no such host")


def test_a_proxy_of_the_environment_is_used_and_no_proxy_heeded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The proxy sees the CONNECT for the https host; loopback addresses never go through it."""
    asked: list[str] = []
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with proxy(asked) as url:
        for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
            monkeypatch.setenv(name, url)
        report = report_on(SUFFIX, Resolver("https://pith.science"))
        assert report["parse"].code == "resolve.proxy"
        assert asked
        assert all(line.startswith("CONNECT pith.science:443 ") for line in asked)
        asked.clear()
        with Server({PATH: answer(RECORD_BYTES)}) as server:
            assert ask(server).verdict == "verified"
        monkeypatch.setenv("NO_PROXY", "pith.science")
        monkeypatch.setattr(socket, "getaddrinfo", no_such_host)
        report = report_on(SUFFIX, Resolver("https://pith.science"))
        assert report["parse"].code == "resolve.unreachable"
        assert asked == []


def test_a_bundle_of_certificates_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/ca.pem")
    report = report_on(SUFFIX, Resolver("https://pith.science"))
    assert report.exit_code == 3
    assert report["parse"].code == "resolve.certificate"
    assert "/nowhere/ca.pem" in report["parse"].detail


def test_no_password_of_netrc_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n", encoding="utf-8")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server).verdict == "verified"
        assert "Authorization" not in server.headers_asked[0]
