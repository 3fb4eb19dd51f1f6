"""The banner in the terminal says how phones reach this computer, also by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper.config import from_environment
from scorekeeper.server.listen import WHOLE_HOUSE, banner
from scorekeeper.web.trust import Trust

ADDRESS = "192.168.1.5"


def said(host: str = WHOLE_HOUSE, *addresses: str, trust: Trust | None = None) -> str:
    """Return the banner of a server on port 8000, without line breaks inside its sentences."""
    settings = from_environment({}, instance=Path("/srv/cards"))
    return " ".join(banner(host, 8000, list(addresses), settings, trust).split())


@pytest.mark.parametrize("machine", ["Hall-PC", "Hall-PC.local", "hall-pc.example.org"])
def test_phones_can_use_the_name_of_the_computer(monkeypatch: pytest.MonkeyPatch, machine: str) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: machine)
    told = said(WHOLE_HOUSE, ADDRESS)
    assert f"On every phone http://{ADDRESS}:8000/" in told
    assert "another network" not in told
    assert (
        "Or type http://hall-pc.local:8000/ on the phone. That works if this computer announces its name on the "
        "network: macOS and Windows 10 or later do, and so do Debian and Raspberry Pi OS with the package avahi-daemon."
    ) in told


def test_the_name_goes_with_https(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "hall-pc")
    told = said(WHOLE_HOUSE, ADDRESS, trust=Trust(b"", "AB:CD", 8443))
    assert "Or type https://hall-pc.local:8443/ on the phone." in told
    # The certificate isn't trusted yet, and this is also the address in the QR code.
    assert f"On every phone http://{ADDRESS}:8000/" in told


@pytest.mark.parametrize("machine", ["", "hall pc", "hall_pc", "-hall", "hall-", "küche", "localhost", "a" * 64])
def test_other_host_names_are_left_out(monkeypatch: pytest.MonkeyPatch, machine: str) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: machine)
    told = said(WHOLE_HOUSE, ADDRESS)
    assert f"http://{ADDRESS}:8000/" in told
    assert ".local" not in told


def test_the_name_is_left_out_if_phones_cannot_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is printed neither without a network nor if the server listens on one address only."""
    monkeypatch.setattr("socket.gethostname", lambda: "hall-pc")
    assert ".local" not in said()
    assert ".local" not in said("127.0.0.1")
    assert ".local" not in said(ADDRESS, ADDRESS)


def test_the_addresses_of_other_networks_are_below_the_likeliest() -> None:
    told = said(WHOLE_HOUSE, ADDRESS, "10.42.0.1", "100.64.3.2")
    assert f"On every phone http://{ADDRESS}:8000/" in told
    assert "Phones on another network of this computer open http://10.42.0.1:8000/ http://100.64.3.2:8000/" in told


def test_without_a_network_no_phone_is_sent_to_this_computer_itself() -> None:
    told = said(trust=Trust(b"", "AB:CD", 8443))
    assert "This computer isn't on a network." in told
    assert "The first time, open http://ADDRESS:8000/, with this computer's address, on the phone." in told
