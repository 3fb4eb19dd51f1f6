"""Choose the language of a page: the phone's setting, or the first of the browser's languages that we have.

Format dates and times in that language.
"""

import zoneinfo
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import tzdata
from babel.core import Locale, UnknownLocaleError, get_global
from babel.dates import format_date, format_time
from babel.numbers import get_territory_currencies
from babel.support import NullTranslations, Translations
from babel.units import format_unit
from flask import Flask, Response, g, has_request_context, request
from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup

from scorekeeper.config import PACKAGE, asset_folder
from scorekeeper.i18n.catalog import _, speak
from scorekeeper.i18n.day_only import DAY_ONLY
from scorekeeper.web.compiled import KeptTemplates, compiled
from scorekeeper.web.settings import chosen_language, current_settings

LANGUAGES = {"en": "English", "es": "Español", "fr": "Français"}
"""Maps each language code to the name of the language in that language. English, the source language, is first."""

WEEKDAYS = {"en": "EEEE, MMMM d", "es": "EEEE, d 'de' MMMM", "fr": "EEEE d MMMM"}
"""Maps language codes to patterns of a weekday with a date. In a language that isn't listed, the year is shown, too."""
CLOCKS = {"fr": "H 'h' mm"}
"""Maps language codes to patterns of a time of day, for languages in which we don't use Babel's pattern."""

MOST_TAGS = 5
"""How many of a browser's languages are searched for a country, which decides the currency."""


def connect(app: Flask) -> None:
    """Set up translations for `app`. Templates get `_("…")`, `page_language()` and filters for times."""
    use_newest_time_zones()
    app.jinja_env.bytecode_cache = KeptTemplates(asset_folder("templates"))
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda one: words().gettext(one), lambda one, many, num: words().ngettext(one, many, num), newstyle=True
    )
    app.add_template_global(_in_template, "_")
    speak(words)
    app.add_template_global(page_language)
    app.add_template_filter(localtime)
    app.add_template_filter(evening)
    app.add_template_filter(rfc3339)
    app.add_template_filter(megabytes)
    app.after_request(vary)


def use_newest_time_zones() -> None:
    """Let `zoneinfo` read the time zones of the package tzdata, if those of the computer are older.

    A hall's computer may have missed that Vancouver and Winnipeg stopped changing their clocks in 2026 (tzdata 2026f).
    """
    for folder in map(Path, zoneinfo.TZPATH):
        with suppress(OSError, IndexError), (folder / "tzdata.zi").open(encoding="utf-8") as lines:
            if lines.readline().split()[-1] < tzdata.IANA_VERSION:  # such as "# version 2025b"
                zoneinfo.reset_tzpath(())
                zoneinfo.ZoneInfo.clear_cache()
            return


def choose_language() -> str:
    """Return the language of this request, a key of `LANGUAGES`. Outside of a request, it is "en"."""
    if not has_request_context():
        return "en"
    asked = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return chosen_language() or next((language for language in asked if language in LANGUAGES), "en")


def words() -> NullTranslations:
    """Return the message catalog of the current page's language.

    The catalog is chosen once per request, because a page for scoring a game looks up about 300 messages.
    """
    try:
        chosen: NullTranslations = g.words
    except (AttributeError, RuntimeError):
        if not has_request_context():
            return catalog("en")
        chosen = g.words = catalog(page_language())
    return chosen


@pass_eval_context
def _in_template(settings: EvalContext, message: str, /, **values: Any) -> str:
    """Return `message` in the reader's language, as Jinja's own `_` does: a percent sign is written twice.

    Jinja's own function makes a new context for each call in a block with variables.
    """
    translated = words().gettext(message)
    return (Markup(translated) if settings.autoescape else translated) % values  # noqa: S704


def page_language() -> str:
    """Return the language code of the current page, a key of `LANGUAGES`. It is chosen once per request."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        g.language = choose_language()
    return str(g.language)


def day_text(day: date) -> str:
    """Return `day` in the reader's language, like "September 1, 2026"."""
    return format_date(day, "long", locale=page_language())


def weekday_text(day: date) -> str:
    """Return the day of the week and the date in the reader's language, like "Thursday, December 3"."""
    language = page_language()
    return format_date(day, WEEKDAYS.get(language, "full"), locale=language)


def clock_text(minutes: int) -> str:
    """Return a time of day in the reader's language, like "7:00 PM". `minutes` is counted from midnight."""
    language = page_language()
    return format_time(time(*divmod(minutes, 60)), CLOCKS.get(language, "short"), locale=language)


GIGABYTE, MEGABYTE = 1024**3, 1024**2


def megabytes(size: int) -> str:
    """Return a number of bytes in the reader's language, in megabytes or from one gigabyte on in gigabytes."""
    big = size >= GIGABYTE
    unit = "digital-gigabyte" if big else "digital-megabyte"
    number = round(size / (GIGABYTE if big else MEGABYTE), 1)
    return format_unit(number, unit, length="short", locale=page_language())


def localtime(moment: datetime) -> Markup:
    """Return `moment` as a `<time>` element with the time in UTC. A script on the page changes it to local time.

    If only the day is known (`on_that_day`), the element shows no time of day. Raises `ValueError` if `moment` has no
    time zone.
    """
    machine = rfc3339(moment)
    if moment.microsecond == DAY_ONLY:
        return Markup('<time datetime="{}" data-day>{}</time>').format(
            machine, day_text((moment.astimezone(UTC) - EVENING).date())
        )
    utc = moment.astimezone(UTC)
    day = day_text(utc)
    return Markup('<time datetime="{}">{}, {} UTC</time>').format(machine, day, utc.strftime("%H:%M"))


EVENING = timedelta(hours=8)
"""Subtracted from a time in UTC to get the date on which an evening began, both in America and in Europe."""
WEEK = 7
"""An evening at least this many days ago is named by its date. A later evening is named without a date."""


def evening(moment: datetime, now: datetime | None = None) -> Markup:
    """Return a `<time>` element that names the evening of `moment`.

    The text is like "Today", "Last Thursday" or "Thursday, November 12". A script on the page adjusts the text to the
    phone's clock. `now` is the current time by default. Raises `ValueError` if `moment` has no time zone.
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
    """Return `moment` in UTC in the format that feeds use: "2026-09-01T19:30:00Z".

    Raises `ValueError` if `moment` has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def vary(response: Response) -> Response:
    """Return `response`. An HTML page gets a `Vary` header, because it depends on the browser's languages."""
    if response.mimetype == "text/html":
        response.vary.add("Accept-Language")
    return response


@cache
def catalog(language: str) -> NullTranslations:
    """Return the translations for `language`. The translations of each language are read once per process.

    Translations are in the file `translations/<language>/LC_MESSAGES/messages.po`. There is no such file for English.
    """
    if language == "en":
        return NullTranslations()
    source = PACKAGE / "translations" / language / "LC_MESSAGES" / "messages.po"
    return Translations(BytesIO(compiled(source, ".mo", _mo_of)))


def _mo_of(text: bytes) -> bytes:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made = BytesIO()
    write_mo(made, read_po(BytesIO(text)))
    return made.getvalue()


def currency_here() -> str:
    """Return the currency code that is set on this phone.

    If no currency is set, return the code for the browser's country. If that country or its currency is unknown, return
    "USD".

    The result is "" if the phone is set to show no currency.
    """
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
