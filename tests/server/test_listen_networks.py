"""Phones reach the server on each network of its computer, also without a way out, and after it moved.

The computer and each phone are in a network namespace of their own.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from scorekeeper.server.listen import qr_code
from tests.support.networks import hall
from tests.support.server import command, environment, kill_group, start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.networks import Hall, Machine
    from tests.support.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]


@pytest.fixture
def computer() -> Iterator[Hall]:
    """Yield the hall's computer, which isn't on any network yet."""
    with hall() as found:
        yield found


@contextmanager
def serving(computer: Hall, folder: Path, *options: str) -> Iterator[Server]:
    """Yield a server for phones on the hall's computer, with its data in `folder`."""
    words = computer.command(*command(folder, "--lan", "--port", "8000", *options))
    server = start(words, environment(PYTHONIOENCODING="utf-8"))
    try:
        yield server
    finally:
        server.stop()
        kill_group(server)


def said(server: Server) -> str:
    """Return what the server has printed since its start, when that is all."""
    while not any("Press Ctrl-C" in line for line in server.said):
        time.sleep(0.01)
    return "\n".join(server.said)


def link_on(page: str) -> str:
    """Return the beginning of the addresses that a help page about the API prints."""
    found = re.search(r"(https?://\S+?)/api/1/", page)
    assert found is not None, page
    return found[1]


def trusts(phone: Machine, address: str, folder: Path) -> None:
    """Open the server at `address` as a phone does: the plain page, then, with the certificate trusted, https.

    Raises an error if the certificate isn't for this address.
    """
    assert f"https://{address}:8443/" in phone.get(f"http://{address}:8000/trust")
    page = phone.get(f"https://{address}:8443/help/api", folder / "tls" / "ca.crt")
    assert link_on(page) == f"https://{address}:8443"


def test_a_hall_without_a_way_out(computer: Hall, tmp_path: Path) -> None:
    """A hotspot, or a Wi-Fi without internet, gives the computer an address but no default route."""
    phone = computer.join("wlan0", "10.42.0.1/24", "10.42.0.2/24")
    with serving(computer, tmp_path, "--tls") as server:
        told = said(server)
        assert "On every phone    http://10.42.0.1:8000/" in told
        assert "another network" not in told
        assert qr_code("http://10.42.0.1:8000/").splitlines()[3] in told
        assert "The first time, open http://10.42.0.1:8000/ on the phone." in told
        trusts(phone, "10.42.0.1", tmp_path)
        desk = computer.get("https://127.0.0.1:8443/help/api", tmp_path / "tls" / "ca.crt")
        assert link_on(desk) == "https://10.42.0.1:8443"


def test_two_networks(computer: Hall, tmp_path: Path) -> None:
    """Both addresses are printed and certified; the one of the default route is first. Docker's isn't printed."""
    on_hotspot = computer.join("ap0", "10.42.0.1/24", "10.42.0.2/24")
    on_wifi = computer.join("wlan0", "192.168.77.1/24", "192.168.77.2/24")
    computer.run("ip", "route", "add", "default", "via", "192.168.77.2")
    computer.join("docker0", "172.17.0.1/16", "172.17.0.2/16")
    with serving(computer, tmp_path, "--tls") as server:
        told = said(server)
        assert "On every phone    http://192.168.77.1:8000/" in told
        below = told.partition("Phones on another network of this computer open")[2]
        assert "http://10.42.0.1:8000/" in below
        assert "172.17.0.1" not in told
        assert qr_code("http://192.168.77.1:8000/").splitlines()[3] in told
        trusts(on_wifi, "192.168.77.1", tmp_path)
        trusts(on_hotspot, "10.42.0.1", tmp_path)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_computer_that_moves(computer: Hall, tmp_path: Path, workers: str) -> None:
    """Started without a network, then in one, then in another: the first phone there is served with its address."""
    with serving(computer, tmp_path, "--tls", "--workers", workers) as server:
        told = said(server)
        assert "This computer isn't on a network." in told
        assert "On every phone" not in told
        authority = tmp_path / "tls" / "ca.crt"
        desk = "https://127.0.0.1:8443/help/api"
        assert link_on(computer.get(desk, authority)) == "https://127.0.0.1:8443"
        at_home = computer.join("wlan0", "192.168.77.1/24", "192.168.77.2/24")
        for _ in range(6):  # connections reach each process
            trusts(at_home, "192.168.77.1", tmp_path)
        computer.run("ip", "link", "delete", "wlan0")
        in_the_hall = computer.join("wlan0", "10.42.0.1/24", "10.42.0.2/24")
        for _ in range(6):
            trusts(in_the_hall, "10.42.0.1", tmp_path)
        assert link_on(computer.get(desk, authority)) == "https://10.42.0.1:8443"


def test_plain_http_follows_the_network_too(computer: Hall, tmp_path: Path) -> None:
    with serving(computer, tmp_path):
        phone = computer.join("wlan0", "10.42.0.1/24", "10.42.0.2/24")
        assert link_on(computer.get("http://127.0.0.1:8000/help/api")) == "http://10.42.0.1:8000"
        assert link_on(phone.get("http://10.42.0.1:8000/help/api")) == "http://10.42.0.1:8000"
