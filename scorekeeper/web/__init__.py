"""Connect what all pages share: headers, form protection, error pages, assets and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper.web import (
    assets,
    errors,
    form_answers,
    headers,
    help_pages,
    links,
    locale,
    rate_limit,
    settings,
    settings_page,
    shared,
    trust,
    uploads,
)
from scorekeeper.web.settings import DeviceSessions

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Connect all modules of this package to `app`.

    The modules that protect `app` are first, so they run before others. The last ones turn
    finished pages into redirects.
    """
    app.jinja_env.undefined = StrictUndefined
    proxies: int = app.config["PROXIES"]
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, proxies, proxies, proxies)  # type: ignore[method-assign]
    app.session_interface = DeviceSessions()
    for connect_part in (
        links.connect,
        shared.connect,
        headers.connect_hosts,
        headers.connect_origin,
        headers.connect,
        trust.connect,
        locale.connect,
        assets.connect_compression,
        assets.connect,
        errors.connect,
        rate_limit.connect,
        settings.connect,
        settings_page.connect,
        help_pages.connect_privacy,
        help_pages.connect,
        assets.connect_pwa,
        uploads.connect,
        form_answers.connect,
        form_answers.connect_error_answers,
    ):
        connect_part(app)
