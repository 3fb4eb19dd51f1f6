"""By which names a score book is known: a page elsewhere must not reach it under a name of its own.

A stranger's domain can be pointed at an address in the house, and its pages could then do what ours can on a phone
that opens them ("DNS rebinding"). That takes a name on the internet. So addresses and names that mean something inside
a house only are always known, and names on the internet are those that were set; Flask's `TRUSTED_HOSTS` knows no
addresses.
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
"""Ends of names that nobody can own on the internet."""


ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)")
"""An address with its host, as proxies are asked for."""


class UnknownName(BadRequest):
    """The request is for a name that is not ours."""


def connect(app: Flask) -> None:
    """Answer 400 to every request of `app` under a name that is neither of a house nor in `app.config["HOSTS"]`."""
    app.config["HOSTS"] = frozenset(app.config["HOSTS"]) | {socket.gethostname().lower()}
    app.before_request(refuse_unknown_names)


def refuse_unknown_names() -> None:
    """Raise `UnknownName` where the request is for another name than ours, for none, or for two."""
    if not is_known(request.host) or not names_one_host():
        raise UnknownName


def names_one_host() -> bool:
    """Return whether the request says for whom it is, as HTTP/1.1 must, and its address names nobody else."""
    environ = request.environ
    if "HTTP_HOST" not in environ and environ.get("SERVER_PROTOCOL") == "HTTP/1.1":
        return False
    # What a server calls the address as it was sent; one that parsed it says it in PATH_INFO alone.
    asked = [str(environ.get(name, "")) for name in ("RAW_URI", "REQUEST_URI", "PATH_INFO")]
    named = [found[1] for each in asked if (found := ABSOLUTE.match(each))]
    return all(name.lower() == request.host.lower() for name in named)


def is_known(host: str) -> bool:
    """Return whether `host`, as a request names it, is ours."""
    name = name_of(host)
    return is_of_a_house(name) or name in current_app.config["HOSTS"]


def is_named_on_the_internet() -> bool:
    """Return whether the request is for a name on the internet that was set to be ours."""
    name = name_of(request.host)
    return name in current_app.config["HOSTS"] and not is_of_a_house(name)


def is_of_a_house(name: str) -> bool:
    """Return whether `name` is an address, or a name that has no meaning on the internet, such as "hall-pc"."""
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
    """Return the name or address in `host` in small letters, without its port."""
    return re.sub(r":[0-9]*\Z", "", host).strip("[]").rstrip(".").lower()
