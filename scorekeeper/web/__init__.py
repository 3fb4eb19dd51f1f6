"""What every page shares: headers, the guard against foreign forms, errors, assets, filters, a phone's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper.web import (
    assets,
    compression,
    device_cookie,
    errors,
    filters,
    head_requests,
    headers,
    hosts,
    locale,
    origin,
    page_link,
    privacy,
    pwa,
    rate_limit,
    reachable,
    security_txt,
    settings,
    settings_page,
    trust,
    url_cache,
    url_converters,
)

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Give `app` all of it. The guards come before any other check, so they must be connected first."""
    app.jinja_options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    proxies: int = app.config["PROXIES"]
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, proxies, proxies, proxies)  # type: ignore[method-assign]
    app.session_interface = device_cookie.DeviceSessions()
    for part in (
        head_requests,
        url_converters,
        hosts,
        origin,
        page_link,
        headers,
        trust,
        url_cache,
        locale,
        compression,
        assets,
        filters,
        errors,
        rate_limit,
        reachable,
        settings,
        settings_page,
        security_txt,
        privacy,
        pwa,
    ):
        part.connect(app)
