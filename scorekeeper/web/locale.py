"""Choose the language of a page: the phone's setting, else the browser's first language that we have."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from babel.core import Locale, UnknownLocaleError, get_global
from babel.dates import format_date, format_time
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import get_territory_currencies
from babel.support import NullTranslations, Translations
from flask import g, has_request_context, request
from flask_babel import Babel, get_locale
from markupsafe import Markup

from scorekeeper.config import PACKAGE
from scorekeeper.i18n.catalog import _, speak
from scorekeeper.web.settings import chosen_language, current_settings

if TYPE_CHECKING:
    from flask import Flask, Response

LANGUAGES = {"en": "English", "es": "Español", "fr": "Français"}
"""Language code, to the language's own name; the first is the source's."""

WEEKDAYS = {"en": "EEEE, MMMM d", "es": "EEEE, d 'de' MMMM", "fr": "EEEE d MMMM"}
"""Patterns of a weekday and a date without the year; a language without one also shows the year."""
CLOCKS = {"fr": "H 'h' mm"}
"""Patterns of a time of day, where ours differs from the usual one."""

MOST_TAGS = 5
"""How many of a browser's languages are checked for a currency."""


def connect(app: Flask) -> None:
    """Connect translations to `app`; templates use `_("…")` and `page_language()`."""
    Babel().init_app(app, locale_selector=choose_language)
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda one: words().gettext(one), lambda one, many, num: words().ngettext(one, many, num), newstyle=True
    )
    speak(words)
    app.add_template_global(page_language)
    app.add_template_filter(localtime)
    app.add_template_filter(evening)
    app.add_template_filter(rfc3339)
    app.after_request(vary)


def choose_language() -> str:
    """Return the language of this request, one of `LANGUAGES`; English outside of a request."""
    if not has_request_context():
        return "en"
    asked = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return chosen_language() or next((language for language in asked if language in LANGUAGES), "en")


def words() -> NullTranslations:
    """Return the catalog of the request's language; chosen once per request, since a board needs it 300 times."""
    try:
        chosen: NullTranslations = g.words
    except (AttributeError, RuntimeError):
        if not has_request_context():
            return catalog("en")
        chosen = g.words = catalog(page_language())
    return chosen


def page_language() -> str:
    """Return the language of the current page: "en", "es" …"""
    return str(get_locale() or "en")


def day_text(day: date) -> str:
    """Return the date in the reader's language, like "September 1, 2026"."""
    return format_date(day, "long", locale=page_language())


def weekday_text(day: date) -> str:
    """Return the weekday and the date in the reader's language, without the year, like "Thursday, December 3"."""
    language = page_language()
    return format_date(day, WEEKDAYS.get(language, "full"), locale=language)


def clock_text(minutes: int) -> str:
    """Return a time of day, given in minutes after midnight, in the reader's language, like "7:00 PM"."""
    language = page_language()
    return format_time(time(*divmod(minutes, 60)), CLOCKS.get(language, "short"), locale=language)


def localtime(moment: datetime) -> Markup:
    """Return `moment` as a `<time>` element in UTC, which a script changes to local time.

    Raises `ValueError` if `moment` has no time zone.
    """
    machine = rfc3339(moment)
    utc = moment.astimezone(UTC)
    day = day_text(utc)
    return Markup('<time datetime="{}">{}, {} UTC</time>').format(machine, day, utc.strftime("%H:%M"))


EVENING = timedelta(hours=8)
"""Subtracted from a time in UTC to get the date of an evening: right for evenings in America and in Europe."""
WEEK = 7
"""Days in a week: an evening older than that is named by its date."""


def evening(moment: datetime, now: datetime | None = None) -> Markup:
    """Return the evening of `moment` as a `<time>` element: "Today", "Last Thursday", "Thursday, November 12".

    A script says it by the clock of the phone. Raises `ValueError` if `moment` has no time zone.
    """
    machine = rfc3339(moment)
    day = (moment.astimezone(UTC) - EVENING).date()
    ago = ((now or datetime.now(UTC)) - EVENING).date() - day
    last = _("Last %(day)s", day="{day}")
    if ago < timedelta(days=2):
        text = _("Today") if ago < timedelta(days=1) else _("Yesterday")
    elif ago < timedelta(days=WEEK):
        text = last.replace("{day}", format_date(day, "EEEE", locale=page_language()))
    else:
        text = weekday_text(day)
    return Markup('<time datetime="{}" data-today="{}" data-yesterday="{}" data-last="{}">{}</time>').format(
        machine, _("Today"), _("Yesterday"), last, text[:1].upper() + text[1:]
    )


def rfc3339(moment: datetime) -> str:
    """Return `moment` in UTC as feeds have it: "2026-09-01T19:30:00Z". Raises `ValueError` without a time zone."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def vary(response: Response) -> Response:
    """Return `response`; if it is a page, add the header that it varies by language."""
    if response.mimetype == "text/html":
        response.vary.add("Accept-Language")
    return response


@cache
def catalog(language: str) -> NullTranslations:
    """Return the catalog of `language`, read once: `translations/<language>/LC_MESSAGES/messages.po`."""
    if language == "en":
        return NullTranslations()
    compiled = BytesIO()
    with (PACKAGE / "translations" / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return Translations(compiled)


def currency_here() -> str:
    """Return the currency chosen for this phone, else that of the browser's country; "" for none."""
    chosen = current_settings().currency
    if chosen:
        return "" if chosen == "none" else chosen
    for tag, _quality in list(request.accept_languages)[:MOST_TAGS]:
        with suppress(UnknownLocaleError, ValueError):
            locale = Locale.parse(tag, sep="-")
            likely = Locale.parse(get_global("likely_subtags").get(locale.language, locale.language))
            found = get_territory_currencies(locale.territory or likely.territory or "")
            if found:
                return str(found[-1])
    return "USD"
