"""Refuse requests under host names that aren't ours.

A stranger could point their domain at an address in the local network. On a phone that opens a page of that domain,
the page could then do all that our own pages can ("DNS rebinding"). Such an attack needs a name that exists on the
internet. So IP addresses and local names such as "hall-pc" are always accepted. Names on the internet are accepted only
if the operator set them.
Flask's `TRUSTED_HOSTS` doesn't handle addresses.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import TYPE_CHECKING

from flask import current_app, request
from werkzeug.exceptions import BadRequest

if TYPE_CHECKING:
    from flask import Flask

HOME_NAMES = ("localhost", "local", "lan", "home.arpa", "internal")
"""Last parts of names that nobody can own on the internet."""


ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)")
"""Pattern of a request target that contains its host, as clients send it to proxies."""


class UnknownName(BadRequest):
    """The host name of the request isn't one of ours."""


def connect(app: Flask) -> None:
    """Answer 400 to each request to `app` whose host name is neither local nor in `app.config["HOSTS"]`."""
    app.config["HOSTS"] = frozenset(app.config["HOSTS"]) | {socket.gethostname().lower()}
    app.before_request(refuse_unknown_names)


def refuse_unknown_names() -> None:
    """Raise `UnknownName` if the request names a host that isn't ours, no host, or two different hosts."""
    if not is_known(request.host) or not names_one_host():
        raise UnknownName


def names_one_host() -> bool:
    """Return whether the request names exactly one host.

    HTTP/1.1 requires a `Host` header. If the request line also has a host, both hosts must be the same.
    """
    environ = request.environ
    if "HTTP_HOST" not in environ and environ.get("SERVER_PROTOCOL") == "HTTP/1.1":
        return False
    # The request target as sent, under the names that servers use; others give only PATH_INFO.
    asked = [str(environ.get(name, "")) for name in ("RAW_URI", "REQUEST_URI", "PATH_INFO")]
    named = [found[1] for each in asked if (found := ABSOLUTE.match(each))]
    return all(name.lower() == request.host.lower() for name in named)


def is_known(host: str) -> bool:
    """Return whether `host`, a `Host` header, has an IP address, a local name or an internet name of this server."""
    name = name_of(host)
    return is_of_a_house(name) or name in current_app.config["HOSTS"]


def is_named_on_the_internet() -> bool:
    """Return whether the request uses one of this server's internet names."""
    name = name_of(request.host)
    return name in current_app.config["HOSTS"] and not is_of_a_house(name)


def is_of_a_house(name: str) -> bool:
    """Return whether `name` is an IP address, or a name such as "hall-pc" that doesn't exist on the internet."""
    if is_address(name):
        return True
    return bool(name) and ("." not in name or any(name.endswith(f".{home}") for home in HOME_NAMES))


def is_address(name: str) -> bool:
    """Return whether `name` is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def name_of(host: str) -> str:
    """Return the host name or address in `host`, in lower case and without the port."""
    return re.sub(r":[0-9]*\Z", "", host).strip("[]").rstrip(".").lower()
