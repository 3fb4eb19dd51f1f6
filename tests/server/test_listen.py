"""Which of a computer's addresses phones can use, and which of them is the likeliest, on each operating system."""

from __future__ import annotations

import pytest

from scorekeeper.server.listen import Reach, kind_of, own_addresses, reachable_addresses

UP = "up,broadcast,running,multicast"
TUNNEL = "up,pointopoint,running,noarp,multicast"
WINDOWS = ""
C = "255.255.255.0"


@pytest.mark.parametrize(
    ("name", "flags", "address", "netmask", "kind"),
    [
        ("wlan0", UP, "192.168.1.5", C, Reach.HOUSE),
        ("br0", UP, "192.168.1.5", C, Reach.HOUSE),
        ("br-lan", UP, "192.168.1.1", C, Reach.HOUSE),
        ("vmbr0", UP, "192.168.1.5", C, Reach.HOUSE),
        ("bridge100", UP, "192.168.2.1", C, Reach.HOUSE),  # macOS shares its internet connection
        ("Local Area Connection* 2", WINDOWS, "192.168.137.1", C, Reach.HOUSE),  # Windows' mobile hotspot
        ("eth0", UP, "fd12:3456::7", "ffff:ffff:ffff:ffff::", Reach.HOUSE),
        ("wg0", TUNNEL, "10.8.0.2", C, Reach.TUNNEL),
        ("utun4", TUNNEL, "100.101.102.103", "255.255.255.255", Reach.TUNNEL),
        ("Tailscale", WINDOWS, "100.101.102.103", "255.255.255.255", Reach.TUNNEL),
        ("eth0", UP, "8.8.8.8", C, Reach.PUBLIC),
        ("ppp0", TUNNEL, "8.8.8.8", "255.255.255.255", Reach.PUBLIC),
        ("lo", "up,loopback,running", "127.0.0.1", "255.0.0.0", Reach.HIDDEN),
        ("eth0", None, "192.168.1.5", C, Reach.HIDDEN),
        ("eth0", UP, "169.254.7.7", "255.255.0.0", Reach.HIDDEN),
        ("docker0", UP, "172.17.0.1", "255.255.0.0", Reach.HIDDEN),
        ("br-0123456789ab", UP, "172.18.0.1", "255.255.0.0", Reach.HIDDEN),
        ("virbr0", UP, "192.168.122.1", C, Reach.HIDDEN),
        ("vEthernet (WSL)", WINDOWS, "172.29.0.1", "255.255.240.0", Reach.HIDDEN),
        ("VMware Network Adapter VMnet8", WINDOWS, "192.168.80.1", C, Reach.HIDDEN),
        ("VirtualBox Host-Only Network", WINDOWS, "192.168.56.1", C, Reach.HIDDEN),
    ],
)
def test_kind_of_an_address(name: str, flags: str | None, address: str, netmask: str, kind: Reach) -> None:
    assert kind_of(name, flags, address, netmask) is kind


def test_every_computer_has_its_loopback_address_and_no_phone_is_sent_there() -> None:
    assert (Reach.HIDDEN, "127.0.0.1") in own_addresses()
    assert (Reach.HIDDEN, "::1") not in own_addresses()
    for host in ("0.0.0.0", "::"):
        assert "127.0.0.1" not in reachable_addresses(host)


def test_a_server_on_one_address_has_only_that_one() -> None:
    assert reachable_addresses("192.0.2.7") == ["192.0.2.7"]
    assert reachable_addresses("hall-pc.local") == ["hall-pc.local"]
    assert reachable_addresses("127.0.0.1") == reachable_addresses("localhost") == []
