"""Parse the address of a webhook, and decide which addresses on the network a webhook may reach."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import parse_qs, urlsplit

from scorekeeper.leagues.outbox.channels import KINDS
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

MOST = 500
"""Most characters of a webhook's address."""
HTTPS = 443
GLOBAL_UNICAST = IPv6Network("2000::/3")
EMBEDDED = tuple(IPv6Network(each) for each in ("2001::/32", "2002::/16"))
"""IPv6 networks of Teredo and 6to4. Their addresses contain an IPv4 address, which may be private."""
RELAY = "192.88.99."
"""Prefix of the IP addresses of 6to4 relays."""


@dataclass(frozen=True, slots=True)
class Target:
    """The parts of a webhook's address."""

    host: str
    port: int
    path: str
    """Path of the address, with its query."""
    secure: bool
    trusted: bool
    """True if the operator listed this host and port as allowed, even if the host isn't public."""


def is_public(address: str) -> bool:
    """Return True if anyone on the internet can reach this IP address.

    Raises `ValueError` if `address` isn't an IP address.
    """
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv4Address):
        return ip.is_global and not ip.is_multicast and not ip.is_reserved and not str(ip).startswith(RELAY)
    return _is_public_6(ip)


def _is_public_6(ip: IPv6Address) -> bool:
    if ip not in GLOBAL_UNICAST or any(ip in each for each in EMBEDDED):
        return False  # IPv4-mapped, NAT64, local and multicast addresses are outside of global unicast
    return ip.is_global and not ip.is_reserved


def read_target(address: str, allowed: Collection[str] = ()) -> Target:
    """Return the parts of a webhook's address. Raises `RuleViolation` if the address is malformed or not allowed.

    `allowed` has the addresses (`host:port`) that the operator allows although they aren't public.
    """
    if len(address) > MOST or not re.fullmatch(r"https?://[!-\[\]-~]+", address):
        raise _refused(Phrase("Enter an address that starts with https://, without spaces."))
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        raise _refused(Phrase("That isn't a web address. Copy it again.")) from None
    secure = parts.scheme == "https"
    port = port or (HTTPS if secure else 80)
    if not host or "@" in parts.netloc or parts.fragment:
        raise _refused(Phrase("That isn't a web address. Copy it again."))
    trusted = f"[{host}]:{port}" in allowed if ":" in host else f"{host}:{port}" in allowed
    if not trusted and not secure:
        raise _refused(Phrase("Enter an address that starts with https://, without spaces."))
    if not trusted and (port != HTTPS or not _may_be_public(host)):
        raise _refused(Phrase("Use a public address, without a port."))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(host, port, path, secure, trusted)


def check_address(address: str, kind: str, allowed: Collection[str]) -> str:
    """Return the typed address of a new webhook, without spaces around it.

    Raises `RuleViolation` if the address is malformed, not allowed, or wrong for this kind of webhook.
    """
    if kind not in KINDS:
        raise RuleViolation("kind", "Choose where the messages go.", field="kind")
    typed = address.strip()
    read_target(typed, allowed)
    needed = KINDS[kind].query
    if needed and not parse_qs(urlsplit(typed).query).get(needed):
        raise _refused(Phrase("Add ?chat_id= and the chat's number at the end."))
    return typed


def shown(address: str) -> str:
    """Return a webhook's address for pages: only its host and last four characters, because the rest is secret."""
    parts = urlsplit(address)
    return f"{parts.hostname}/…{address[-4:]}"


def _may_be_public(host: str) -> bool:
    """Return whether `host` is a public IP address or a name with a dot.

    A name is resolved only when a message is sent.
    """
    try:
        return is_public(host)
    except ValueError:
        return "." in host


def _refused(message: Phrase) -> RuleViolation:
    return RuleViolation("address", message, field="address")
