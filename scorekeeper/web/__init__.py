"""Connect what all pages share: headers, form protection, error pages, assets and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper.web import (
    assets,
    compression,
    error_answers,
    errors,
    form_answers,
    headers,
    help_pages,
    hosts,
    links,
    locale,
    origin,
    privacy,
    pwa,
    rate_limit,
    settings,
    settings_page,
    trust,
    uploads,
)
from scorekeeper.web.cookies import DeviceSessions

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Connect all modules of this package to `app`.

    The modules that protect `app` are first, so they run before others. The last ones turn
    finished pages into redirects.
    """
    app.jinja_options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    proxies: int = app.config["PROXIES"]
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, proxies, proxies, proxies)  # type: ignore[method-assign]
    app.session_interface = DeviceSessions()
    for part in (
        links,
        hosts,
        origin,
        headers,
        trust,
        locale,
        compression,
        assets,
        errors,
        rate_limit,
        settings,
        settings_page,
        privacy,
        help_pages,
        pwa,
        uploads,
        form_answers,
        error_answers,
    ):
        part.connect(app)
