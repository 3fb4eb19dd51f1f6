"""Where somebody asks from, as far as it is kept: the network, never the address."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network


def network(address: str) -> str:
    """Return the network of an address, as "192.0.2.0/24" or "2001:db8:1::/48"; empty for what is no address."""
    try:
        known = ip_address(address)
    except ValueError:
        return ""
    if isinstance(known, IPv6Address):
        known = known.ipv4_mapped or known
    return str(ip_network((str(known), 24 if known.version == 4 else 48), strict=False))
