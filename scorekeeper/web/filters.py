"""Filters that templates use."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from babel.dates import format_date
from markupsafe import Markup

from scorekeeper.web.locale import page_language

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Give the templates of `app` the filters."""
    app.add_template_filter(localtime)


def localtime(moment: datetime) -> Markup:
    """Return `moment` (aware) as a `<time>` element that reads in UTC until a script puts it in local time.

    Raises `ValueError` for a moment without a time zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone")
    utc = moment.astimezone(UTC)
    machine = utc.strftime("%Y-%m-%dT%H:%M:%SZ")
    day = format_date(utc, "long", locale=page_language())
    return Markup('<time datetime="{}">{}, {} UTC</time>').format(machine, day, utc.strftime("%H:%M"))
