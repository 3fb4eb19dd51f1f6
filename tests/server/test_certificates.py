"""The TLS certificates of the server and of its own authority: dates, local names, renewal, and damaged files."""

from __future__ import annotations

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID

from scorekeeper.ops.inspection import BootError
from scorekeeper.server.certificates import (
    context_for,
    fingerprint,
    issue,
    make_certificates,
    names_for,
    names_of,
    renewed,
)

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {"127.0.0.1", "192.168.1.5", "::1", "hall.local", "localhost"}
NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)


def server_of(folder: Path) -> x509.Certificate:
    """Return the server's certificate; `folder` is the folder of the TLS files."""
    return x509.load_pem_x509_certificate((folder / "server.pem").read_bytes())


def test_the_first_start_makes_both_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    folder = tmp_path / "instance" / "tls"
    authority = issue(folder, NAMES, NOW)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir() if path.name != "lock"} == {
        "ca.crt": 0o600,
        "ca.key": 0o600,
        "server.pem": 0o600,
    }
    server = server_of(folder)
    server.verify_directly_issued_by(authority)
    assert names_of(server) == sorted(NAMES)
    assert names_of(server)[0] == "127.0.0.1"
    addresses = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert ipaddress.ip_address("192.168.1.5") in addresses.get_values_for_type(x509.IPAddress)


def test_phones_take_the_dates(tmp_path: Path) -> None:
    """The certificates are valid from two days before their creation, and the server's for at most 398 days in all.

    A phone's clock may be a day off, and an iPhone accepts a server's certificate for at most 825 days.
    """
    authority = issue(tmp_path, NAMES, NOW)
    server = server_of(tmp_path)
    for certificate in (authority, server):
        assert certificate.not_valid_before_utc == NOW - timedelta(days=2)
    assert server.not_valid_after_utc - server.not_valid_before_utc <= timedelta(days=398)
    assert authority.not_valid_after_utc - NOW == timedelta(days=3650)


def test_the_authority_can_vouch_for_nothing_on_the_internet(tmp_path: Path) -> None:
    authority = issue(tmp_path, NAMES, NOW)
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    permitted = constraints.value.permitted_subtrees or []
    networks = [name.value for name in permitted if isinstance(name, x509.IPAddress)]
    assert networks
    assert not any(network.is_global for network in networks)
    assert {name.value for name in permitted if isinstance(name, x509.DNSName)} == {
        *("localhost", "local", "lan", "home.arpa", "internal")
    }
    basic = authority.extensions.get_extension_for_class(x509.BasicConstraints).value
    assert (basic.ca, basic.path_length) == (True, 0)
    server = server_of(tmp_path)
    assert not server.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    usage = server.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]


@pytest.mark.parametrize("name", ["8.8.8.8", "2a00::1", "cards.example.org", "notlocal"])
def test_an_address_on_the_internet_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(BootError, match="home network") as refused:
        issue(tmp_path, {*NAMES, name}, NOW)
    assert name in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_restart_keeps_both(tmp_path: Path) -> None:
    issue(tmp_path, NAMES, NOW)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    issue(tmp_path, NAMES, NOW + timedelta(days=364))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("names", "later"),
    [(NAMES | {"10.0.0.7"}, timedelta(0)), ({"localhost"}, timedelta(0)), (NAMES, timedelta(days=366))],
    ids=["another address", "an address less", "nearly run out"],
)
def test_only_the_servers_certificate_is_renewed(tmp_path: Path, names: set[str], later: timedelta) -> None:
    authority = issue(tmp_path, NAMES, NOW)
    first = server_of(tmp_path)
    assert issue(tmp_path, names, NOW + later) == authority
    second = server_of(tmp_path)
    assert second.serial_number != first.serial_number
    assert names_of(second) == sorted(names)
    assert second.not_valid_after_utc >= NOW + later + timedelta(days=390)


def test_an_authority_that_runs_out_is_made_anew_and_the_server_with_it(tmp_path: Path) -> None:
    first = issue(tmp_path, NAMES, NOW)
    last_year = NOW + timedelta(days=3500)
    assert issue(tmp_path, NAMES, last_year) == first
    assert server_of(tmp_path).not_valid_after_utc == first.not_valid_after_utc
    second = issue(tmp_path, NAMES, NOW + timedelta(days=3640))
    assert fingerprint(second) != fingerprint(first)
    server_of(tmp_path).verify_directly_issued_by(second)


@pytest.mark.parametrize("content", [b"", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_a_server_file_that_cannot_be_read_is_made_anew(tmp_path: Path, content: bytes) -> None:
    issue(tmp_path, NAMES, NOW)
    (tmp_path / "server.pem").write_bytes(content)
    issue(tmp_path, NAMES, NOW)
    assert names_of(server_of(tmp_path)) == sorted(NAMES)


@pytest.mark.parametrize("damage", ["no key", "another key", "no certificate in the file"])
def test_a_damaged_authority_is_never_replaced_silently(tmp_path: Path, damage: str) -> None:
    """If one of the authority's two files is damaged or missing, the server doesn't start, and makes no new authority.

    With a new authority, people would have to trust a new certificate on every phone.
    """
    issue(tmp_path, NAMES, NOW)
    if damage == "no key":
        (tmp_path / "ca.key").unlink()
    elif damage == "another key":
        issue(tmp_path / "other", NAMES, NOW)
        (tmp_path / "ca.key").write_bytes((tmp_path / "other" / "ca.key").read_bytes())
    else:
        (tmp_path / "ca.crt").write_text("paper")
    before = (tmp_path / "ca.crt").read_bytes()
    with pytest.raises(BootError, match=r"Put ca\.key and ca\.crt back"):
        issue(tmp_path, NAMES, NOW)
    assert (tmp_path / "ca.crt").read_bytes() == before


def test_a_crash_between_key_and_certificate_leaves_nothing_to_mend(tmp_path: Path) -> None:
    (tmp_path / "ca.key").write_text("half")
    (tmp_path / "ca.key.new").write_text("half")
    authority = issue(tmp_path, NAMES, NOW)
    key = load_pem_private_key((tmp_path / "ca.key").read_bytes(), None)
    assert key.public_key() == authority.public_key()
    assert not list(tmp_path.glob("*.new"))


def test_the_server_is_known_by_the_address_it_listens_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Hall-PC.example.org")
    named = {f"hall-pc.{end}" for end in ("local", "lan", "home.arpa", "internal")}
    assert names_for("127.0.0.1") == {"localhost", "127.0.0.1", "::1"} | named
    assert names_for("192.168.7.9") == {"localhost", "127.0.0.1", "::1", "192.168.7.9"} | named
    monkeypatch.setattr("socket.gethostname", lambda: "no_such name")
    assert names_for("localhost") == {"localhost", "127.0.0.1", "::1"}


def test_a_computer_that_moves_to_another_network_is_known_there_without_a_restart(tmp_path: Path) -> None:
    make_certificates(tmp_path, "192.168.1.5")
    file = tmp_path / "tls" / "server.pem"
    context = context_for(tmp_path, "192.168.1.5")
    at_home = file.read_bytes()
    assert renewed(context, file, "192.168.1.5", at_home) == at_home
    in_the_hall = renewed(context, file, "10.0.0.7", at_home)
    assert in_the_hall == file.read_bytes() != at_home
    assert "10.0.0.7" in names_of(server_of(tmp_path / "tls"))
    # Nothing it can vouch for: what is there is better than nothing.
    assert renewed(context, file, "8.8.8.8", in_the_hall) == in_the_hall == file.read_bytes()


def test_nothing_older_than_tls_1_2_is_spoken_and_every_session_has_its_own_key(tmp_path: Path) -> None:
    make_certificates(tmp_path, "127.0.0.1")
    context = context_for(tmp_path, "127.0.0.1")
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    names = [cipher["name"] for cipher in context.get_ciphers()]
    assert names[0].startswith("TLS_"), "of TLS 1.3 first"
    assert [name for name in names if not name.startswith(("TLS_", "ECDHE-"))] == []
    assert [name for name in names if "GCM" not in name and "CHACHA20" not in name] == []


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "tls").write_text("in the way")
    with pytest.raises(BootError, match="can't be used"):
        make_certificates(tmp_path, "127.0.0.1")
