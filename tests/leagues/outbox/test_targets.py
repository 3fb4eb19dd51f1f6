"""The network addresses to which webhooks may send."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.leagues.outbox.targets import check_address, is_public, read_target, shown
from scorekeeper.rules.violation import RuleViolation

PRIVATE = (
    *("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"),
    *("172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1"),
    *("203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::", "fc00::1", "fd00::1"),
    *("fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1"),
)
PUBLIC = ("1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1")


@pytest.mark.parametrize("address", PRIVATE)
def test_private_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_address_is_public(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_no_public_address_hides_in_ipv6(address: IPv4Address) -> None:
    """An IPv6 address that contains an IPv4 address never counts as public.

    This covers mapped, compatible, 6to4, Teredo and NAT64 addresses.
    """
    number = int(address)
    for high, shift in ((0xFFFF << 32, 0), (0, 0), (0x2002 << 112, 80), (0x20010000 << 96, 0), (0x64FF9B << 96, 0)):
        assert not is_public(str(IPv6Address(high | number << shift)))


@given(st.ip_addresses())
def test_public_means_global(address: IPv4Address | IPv6Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert not any((address.is_private, address.is_loopback, address.is_link_local, address.is_multicast))


@pytest.mark.parametrize(
    "address",
    [
        "",
        "discord.com/api",
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://example.org/hook",
        "https://",
        "https://example.org:8443/hook",
        "https://user@example.org/hook",
        "https://user:pass@example.org/hook",
        "https://example.org/#part",
        "https://example.org/a b",
        "https://example.org/\r\nX: y",
        "https://exa\\mple.org/",
        "https://exämple.org/",
        "https://[::1/",
        "https://example.org:port/",
        "https://localhost/hook",
        "https://hall-pc/hook",
        "https://127.0.0.1/hook",
        "https://[::1]/hook",
        "https://[::ffff:8.8.8.8]/hook",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433/",
        "https://example.org/" + "a" * 500,
    ],
)
def test_unsuitable_address_is_refused(address: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        read_target(address)
    assert refused.value.field == "address"


def test_address_is_read() -> None:
    target = read_target("https://Example.org./hook?a=b")
    assert (target.host, target.port, target.path, target.secure) == ("example.org", 443, "/hook?a=b", True)
    assert not target.trusted
    assert read_target("https://example.org").path == "/"


def test_operators_list_allows_host_with_its_port_only() -> None:
    allowed = {"127.0.0.1:8065", "[::1]:80", "example.org:8443"}
    assert read_target("http://127.0.0.1:8065/hook", allowed).trusted
    assert read_target("http://[::1]/hook", allowed).trusted
    assert read_target("https://example.org:8443/", allowed).trusted
    for address in ("http://127.0.0.1:8066/", "http://127.0.0.2:8065/", "http://example.org/"):
        with pytest.raises(RuleViolation):
            read_target(address, allowed)


def test_telegram_needs_a_chat() -> None:
    address = "https://api.telegram.org/bot1:a/sendMessage"
    with pytest.raises(RuleViolation):
        check_address(address, "telegram", ())
    assert check_address(f" {address}?chat_id=-1 ", "telegram", ()) == f"{address}?chat_id=-1"
    with pytest.raises(RuleViolation) as refused:
        check_address(address, "fax", ())
    assert refused.value.field == "kind"


def test_shown_address_has_no_token() -> None:
    assert shown("https://discord.com/api/webhooks/123/very-secret-token") == "discord.com/…oken"
