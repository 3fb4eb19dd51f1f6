"""Show how to trust our HTTPS certificate, and redirect plain http to HTTPS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import abort, current_app, make_response, redirect, render_template, request, url_for

from scorekeeper.i18n.catalog import _

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response

AT_THE_DOOR = "scorekeeper.at_the_door"
"""Key in the WSGI environment of a plain-http request: `ASKED` or `SENT`."""
ASKED = "asked"
SENT = "sent"
"""A form came over plain http and is refused: `server.worker.open_door` turns it into a request for `/trust`."""
OPEN = {"trust", "trust_certificate", "static", "healthz", "readyz"}
"""Endpoints that plain http serves."""
TYPE = "application/x-x509-ca-cert"
"""Media type that phones offer to install."""


@dataclass(frozen=True, slots=True)
class Trust:
    """The data that a phone needs to trust this server."""

    certificate: bytes
    """The authority's certificate, in DER."""
    fingerprint: str
    """Its SHA-256: pairs of hexadecimal digits, separated by colons."""
    port: int
    """The HTTPS port."""


def connect(app: Flask) -> None:
    """Serve `/trust` and `/trust/scorekeeper.crt` if `app.config["TRUST"]` is a `Trust`, else 404."""
    app.config.setdefault("TRUST", None)
    app.before_request(keep_the_door)
    app.add_url_rule("/trust", view_func=trust)
    app.add_url_rule("/trust/scorekeeper.crt", view_func=trust_certificate)


def keep_the_door() -> Response | None:
    """Redirect plain-http requests for pages to HTTPS, and the home page to `/trust`.

    Temporarily, since without `--tls` the same address serves Scorekeeper again. Scripts and programs get 403: they
    would keep asking without encryption, and nobody would notice.
    """
    if not request.environ.get(AT_THE_DOOR) or request.endpoint in OPEN:
        return None
    if request.path == "/":
        return redirect(url_for("trust"), 307)
    if "text/html" not in request.headers.get("Accept", ""):
        abort(403, description=_("This address isn't encrypted. Use the https:// address."))
    return redirect(secure_address(request.full_path.removesuffix("?").lstrip("/")), 307)


def trust() -> Response:
    """Show how to trust the certificate; after a form over plain http, first say that nothing was saved."""
    found = found_trust()
    refused = request.environ.get(AT_THE_DOOR) == SENT
    text = render_template("web/trust.html", fingerprint=found.fingerprint, secure=secure_address(), refused=refused)
    return make_response(text, 403 if refused else 200)


def trust_certificate() -> Response:
    """Return the authority's certificate in the form that phones install.

    Not as an attachment, which an iPhone would save as a file instead of offering to install it.
    """
    response = make_response(found_trust().certificate)
    response.content_type = TYPE
    return response


def secure_address(path: str = "") -> str:
    """Return the HTTPS address of `path` (without its first slash) on the requested host."""
    host = request.host
    name = host if host.endswith("]") else host.rsplit(":", 1)[0] if ":" in host else host
    return f"https://{name}:{found_trust().port}/{path}"


def found_trust() -> Trust:
    """Return the `Trust`; abort with 404 if the server has no HTTPS at home."""
    found: Trust | None = current_app.config["TRUST"]
    if found is None:
        abort(404)
    return found
