"""Show people how to trust the certificate of `--tls`, and redirect plain http to HTTPS."""

import socket

from flask import Flask, abort, current_app, make_response, redirect, render_template, request, url_for
from msgspec import Struct
from werkzeug.wrappers import Response

from scorekeeper.i18n.catalog import _
from scorekeeper.web.links import network_origin

AT_THE_DOOR = "scorekeeper.at_the_door"
"""Key in the WSGI environment of a request that came over plain http.

The value is `SENT` if the request sent a form, and `ASKED` for any other request.
"""
ASKED = "asked"
SENT = "sent"
"""Value for a form that was sent over plain http: `server.worker.open_door` refuses it and shows `/trust` instead."""
OPEN = {"trust", "trust_certificate", "static", "healthz", "readyz"}
"""Endpoints that are answered over plain http."""
TYPE = "application/x-x509-ca-cert"
"""Media type of certificates that phones offer to install."""


class Trust(Struct, frozen=True):
    """The certificate that phones must trust to use this server over HTTPS, and the HTTPS port."""

    certificate: bytes
    """The authority's certificate, in DER."""
    fingerprint: str
    """SHA-256 of the certificate: pairs of hexadecimal digits, separated by colons."""
    port: int
    """Port for HTTPS."""


def connect(app: Flask) -> None:
    """Add the pages `/trust` and `/trust/scorekeeper.crt` to `app`.

    If the server doesn't use `--tls`, these pages answer 404.
    """
    app.config.setdefault("TRUST", None)
    app.before_request(keep_the_door)
    app.add_url_rule("/trust", view_func=trust)
    app.add_url_rule("/trust/scorekeeper.crt", view_func=trust_certificate)


def keep_the_door() -> Response | None:
    """Redirect a plain-http request for the home page to `/trust`, and for any other page to HTTPS.

    Return None for requests that need no redirect. The redirects are temporary, because a later start without `--tls`
    serves the app on the same plain-http address.

    Programs, whose requests don't ask for HTML, get 403. If programs were redirected, they would send every request
    unencrypted first, and nobody would notice.
    """
    if not request.environ.get(AT_THE_DOOR) or request.endpoint in OPEN:
        return None
    if request.path == "/":
        return redirect(url_for("trust"), 307)
    if "text/html" not in request.headers.get("Accept", ""):
        abort(403, description=_("This address isn't encrypted. Use the https:// address."))
    return redirect(secure_address(request.full_path.removesuffix("?").lstrip("/")), 307)


def trust() -> Response:
    """Show how to trust the certificate. If a form was sent over plain http, also say that nothing was saved."""
    found = found_trust()
    refused = request.environ.get(AT_THE_DOOR) == SENT
    text = render_template("web/trust.html", fingerprint=found.fingerprint, secure=secure_address(), refused=refused)
    return make_response(text, 403 if refused else 200)


def trust_certificate() -> Response:
    """Answer with the authority's certificate in the format that phones install.

    The response isn't an attachment. An iPhone would save an attachment as a file instead of offering to install it.
    """
    response = make_response(found_trust().certificate)
    response.content_type = TYPE
    return response


def secure_address(path: str = "") -> str:
    """Return the HTTPS address of `path` on the host of this request. `path` has no leading slash.

    No certificate can be for a single word, such as "hall-pc". If that is this computer's name, the result has its
    address on the network instead.
    """
    host = request.host
    name = host if host.endswith("]") else host.rsplit(":", 1)[0] if ":" in host else host
    if name.lower() == socket.gethostname().partition(".")[0].lower() and (network := network_origin()):
        return f"{network}/{path}"
    return f"https://{name}:{found_trust().port}/{path}"


def found_trust() -> Trust:
    """Return the server's `Trust`. Abort with 404 if the server doesn't use `--tls`."""
    found: Trust | None = current_app.config["TRUST"]
    if found is None:
        abort(404)
    return found
