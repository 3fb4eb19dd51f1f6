"""The page that shows how a phone trusts a score book with HTTPS at home, and the door that leads there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import abort, current_app, make_response, redirect, render_template, request, url_for

from scorekeeper.i18n.catalog import _

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response

AT_THE_DOOR = "scorekeeper.at_the_door"
"""Key in the WSGI environment of a request that came in without encryption: `ASKED` or `SENT`."""
ASKED = "asked"
SENT = "sent"
"""It was a form, which is refused there: `server.worker.open_door` makes a request for `/trust` of it."""
OPEN = {"trust", "trust_certificate", "static", "healthz", "readyz"}
"""What is answered at the door."""
TYPE = "application/x-x509-ca-cert"
"""What phones offer to install."""


@dataclass(frozen=True, slots=True)
class Trust:
    """What a phone needs to trust this score book."""

    certificate: bytes
    """The authority's, in DER."""
    fingerprint: str
    """Its SHA-256, pairs of hexadecimal digits with colons between."""
    port: int
    """Where HTTPS is answered."""


def connect(app: Flask) -> None:
    """Serve `/trust` and `/trust/scorekeeper.crt` once `app.config["TRUST"]` is a `Trust`; until then there is none."""
    app.config.setdefault("TRUST", None)
    app.before_request(keep_the_door)
    app.add_url_rule("/trust", view_func=trust)
    app.add_url_rule("/trust/scorekeeper.crt", view_func=trust_certificate)


def keep_the_door() -> Response | None:
    """At the door, send who opens a page on to HTTPS; the first page leads to `/trust`.

    Not for ever (308): without `--tls` the same address is the score book again. A script or a program is not sent on:
    it would ask without encryption for ever, and nobody would notice.
    """
    if not request.environ.get(AT_THE_DOOR) or request.endpoint in OPEN:
        return None
    if request.path == "/":
        return redirect(url_for("trust"), 307)
    if "text/html" not in request.headers.get("Accept", ""):
        abort(403, description=_("This address isn't encrypted. Use the https:// address."))
    return redirect(secure_address(request.full_path.removesuffix("?").lstrip("/")), 307)


def trust() -> Response:
    """Show how to trust the certificate authority of this house; where a form came to the door, say first so."""
    found = found_trust()
    refused = request.environ.get(AT_THE_DOOR) == SENT
    text = render_template("web/trust.html", fingerprint=found.fingerprint, secure=secure_address(), refused=refused)
    return make_response(text, 403 if refused else 200)


def trust_certificate() -> Response:
    """Return the authority's certificate, in the form that phones install.

    Not as an attachment: an iPhone would put it among its files instead of offering to install it.
    """
    response = make_response(found_trust().certificate)
    response.content_type = TYPE
    return response


def secure_address(path: str = "") -> str:
    """Return the HTTPS address of `path` (without its first slash) on the host by which we were asked."""
    host = request.host
    name = host if host.endswith("]") else host.rsplit(":", 1)[0] if ":" in host else host
    return f"https://{name}:{found_trust().port}/{path}"


def found_trust() -> Trust:
    """Return what a phone needs to trust us; without HTTPS at home there is no such page."""
    found: Trust | None = current_app.config["TRUST"]
    if found is None:
        abort(404)
    return found
