"""With `--tls`, clients that trust the certificate authority use HTTPS, and other clients get a help page over HTTP."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from cryptography import x509

from scorekeeper.server.certificates import fingerprint, names_of
from tests.support.server import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.server import Server

TLS = ("--tls", "--tls-port", "0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder for these tests."""
    return tmp_path_factory.mktemp("instance")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    """Yield a server with HTTPS and two worker processes."""
    with running(folder, *TLS, "--workers", "2") as server:
        yield server


def door_of(server: Server) -> str:
    """Return the HTTP address that the server prints for a phone's first visit, without the slash at the end."""
    found = re.search(r"The first time, open (http://\S+)/", "\n".join(server.said))
    assert found is not None, server.said
    return found[1]


def believing(folder: Path) -> ssl.SSLContext:
    """Return TLS settings for a client that trusts only the server's own certificate authority.

    The client also checks that the certificate is for the host that it connects to.
    """
    return ssl.create_default_context(cafile=folder / "tls" / "ca.crt")


def ask(url: str, method: str, path: str, accept: str = "text/html,*/*;q=0.8") -> http.client.HTTPResponse:
    """Send a request over plain HTTP and return the response, without following redirects.

    The default of `accept` is what a browser sends for a page.
    """
    parts = urlsplit(url)
    with closing(http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)) as connection:
        connection.request(method, path, b"a=b" if method == "POST" else None, {"Accept": accept})
        answer = connection.getresponse()
        answer.read()
        return answer


def certificate_of(host: str, port: int, folder: Path) -> bytes:
    """Connect to the server at `host` and `port`, and return the server's certificate as DER bytes.

    The client trusts only the authority in `folder`. Raises an error if the certificate isn't valid for `host`.
    """
    with (
        socket.create_connection((host, port), timeout=60) as plain,
        believing(folder).wrap_socket(plain, server_hostname=host) as connection,
    ):
        return connection.getpeercert(binary_form=True) or b""


def test_a_client_that_trusts_the_authority_compares_the_name_and_is_content(server: Server, folder: Path) -> None:
    assert server.url.startswith("https://127.0.0.1:")
    for host in ("127.0.0.1", "localhost"):
        with urlopen(server.url.replace("127.0.0.1", host), context=believing(folder)) as answer:
            assert answer.status == 200
            assert "Secure" in answer.headers["Set-Cookie"]
            assert "Strict-Transport-Security" not in answer.headers, "without --tls the address is plain again"


def test_a_client_that_does_not_is_not_and_the_terminal_stays_quiet(server: Server) -> None:
    before = [line for line in server.said if line]
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        urlopen(server.url)
    with pytest.raises((OSError, http.client.HTTPException)):
        urlopen(server.url.replace("https:", "http:"))
    assert [line for line in server.said if line] == before


def test_the_terminal_shows_the_fingerprint_of_what_the_door_hands_out(server: Server, folder: Path) -> None:
    with urlopen(f"{door_of(server)}/trust/scorekeeper.crt") as answer:
        assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
        authority = x509.load_der_x509_certificate(answer.read())
    assert authority == x509.load_pem_x509_certificate((folder / "tls" / "ca.crt").read_bytes())
    said = "".join(line.removeprefix("  SHA-256").strip() for line in server.said)
    assert fingerprint(authority) in said
    with urlopen(f"{door_of(server)}/trust") as answer:
        assert fingerprint(authority) in answer.read().decode().replace("<wbr>", "")


def test_the_door_sends_on_and_keeps_nothing(server: Server) -> None:
    door = door_of(server)
    first = ask(door, "GET", "/")
    assert (first.status, first.headers["Location"]) == (307, "/trust")
    game = ask(door, "GET", "/games/abc?x=1%26")
    assert (game.status, game.headers["Location"]) == (307, f"{server.url}/games/abc?x=1%26")
    assert ask(door, "HEAD", "/rules/setback-21").headers["Location"] == f"{server.url}/rules/setback-21"
    assert ask(door, "GET", "//evil.example/x").headers["Location"] == f"{server.url}/evil.example/x"
    assert ask(door, "GET", "/games/abc", accept="*/*").status == 403
    assert ask(door, "POST", "/games").status == 403
    assert ask(door, "DELETE", "/games").status == 403
    for answer in (first, game, ask(door, "GET", "/trust")):
        assert "Set-Cookie" not in answer.headers
    with urlopen(f"{door}/trust") as page:
        style = re.search(r'href="(/static/[^"]+trust.css)"', page.read().decode())
    assert style is not None
    assert ask(door, "GET", style[1]).status == 200


@pytest.mark.slow
def test_another_address_renews_the_servers_certificate_and_keeps_the_authority(tmp_path: Path) -> None:
    found = []
    for host in ("127.0.0.1", "127.0.0.1", "127.0.0.2"):
        with running(tmp_path, *TLS, "--host", host) as server:
            port = urlsplit(server.url).port or 0
            own = x509.load_der_x509_certificate(certificate_of(host, port, tmp_path))
        found.append((own, (tmp_path / "tls" / "ca.crt").read_bytes()))
    (first, authority), again, (moved, kept) = found
    assert again == (first, authority)
    assert kept == authority
    assert "127.0.0.2" not in names_of(first)
    assert "127.0.0.2" in names_of(moved)
