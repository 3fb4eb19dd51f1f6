"""A day as people say it."""

from __future__ import annotations

from datetime import date

from babel.dates import format_date

from scorekeeper.web.filters import DAY_FIRST
from scorekeeper.web.locale import page_language


def day_text(day: date) -> str:
    """Return "1 September 2026", in the reader's language."""
    language = page_language()
    return format_date(day, "long", locale=DAY_FIRST.get(language, language))
