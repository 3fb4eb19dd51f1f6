"""Refuse requests under host names that aren't ours.

A stranger could point a domain at an address in the house, and its pages could then do what ours can on a phone that
opens them ("DNS rebinding"). That needs an internet name. So addresses and house names are always accepted, and
internet names only if they were set. Flask's `TRUSTED_HOSTS` doesn't handle addresses.
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
"""Endings of names that nobody can own on the internet."""


ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)")
"""Form of a request target with its host, as sent to proxies."""


class UnknownName(BadRequest):
    """The request is for a host name that isn't ours."""


def connect(app: Flask) -> None:
    """Answer 400 to each request of `app` whose name is neither a house name nor in `app.config["HOSTS"]`."""
    app.config["HOSTS"] = frozenset(app.config["HOSTS"]) | {socket.gethostname().lower()}
    app.before_request(refuse_unknown_names)


def refuse_unknown_names() -> None:
    """Raise `UnknownName` if the request names another host, none, or two."""
    if not is_known(request.host) or not names_one_host():
        raise UnknownName


def names_one_host() -> bool:
    """Return whether the request names its host, as HTTP/1.1 requires, and its target names no other."""
    environ = request.environ
    if "HTTP_HOST" not in environ and environ.get("SERVER_PROTOCOL") == "HTTP/1.1":
        return False
    # The request target as sent, under the names that servers use; others give only PATH_INFO.
    asked = [str(environ.get(name, "")) for name in ("RAW_URI", "REQUEST_URI", "PATH_INFO")]
    named = [found[1] for each in asked if (found := ABSOLUTE.match(each))]
    return all(name.lower() == request.host.lower() for name in named)


def is_known(host: str) -> bool:
    """Return whether `host`, as in a request, is ours."""
    name = name_of(host)
    return is_of_a_house(name) or name in current_app.config["HOSTS"]


def is_named_on_the_internet() -> bool:
    """Return whether the request uses one of our internet names."""
    name = name_of(request.host)
    return name in current_app.config["HOSTS"] and not is_of_a_house(name)


def is_own_name() -> bool:
    """Return whether links made from this request lead here for everyone who gets them.

    If this server has internet names, the request must use one, because anyone can send a request with another IP
    address as its host.
    """
    on_the_internet = any(not is_of_a_house(name) for name in current_app.config["HOSTS"])
    return is_named_on_the_internet() if on_the_internet else True


def is_of_a_house(name: str) -> bool:
    """Return whether `name` is an IP address, or a name without meaning on the internet, such as "hall-pc"."""
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
    """Return the name or address in `host`, in lower case and without the port."""
    return re.sub(r":[0-9]*\Z", "", host).strip("[]").rstrip(".").lower()
