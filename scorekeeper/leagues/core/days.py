"""A day as people say it."""

from __future__ import annotations

from datetime import date

from babel.dates import format_date

from scorekeeper.web.locale import page_language


def day_text(day: date) -> str:
    """Return "September 1, 2026", in the reader's language."""
    return format_date(day, "long", locale=page_language())
