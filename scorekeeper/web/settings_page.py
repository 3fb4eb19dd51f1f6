"""Show the settings page, and save the settings on the phone."""

import re
from urllib.parse import urlsplit

from flask import Flask, current_app, make_response, redirect, render_template, request, url_for
from msgspec import structs
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response
from wtforms import HiddenField, RadioField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than its stubs

from scorekeeper.i18n.catalog import N_
from scorekeeper.web.errors import way_back
from scorekeeper.web.forms import AppForm
from scorekeeper.web.locale import LANGUAGES
from scorekeeper.web.settings import SIGNS, current_settings, keep_settings, settings_from

OWN_PATH = re.compile(r"/(?!/)[!-\[\]-~]*")
"""Pattern of a path on this server: printable, and without characters that browsers turn into a second slash."""


def _choices(*choices: tuple[str, str]) -> list[SelectChoice]:
    return [SelectChoice(value, label) for value, label in choices]


ON_OFF = _choices(("on", N_("On")), ("off", N_("Off")))


class SettingsForm(AppForm):
    """The settings form, with a field for each setting in `settings.ALLOWED`.

    The field `back` is the address of the page to return to.
    """

    back = HiddenField()
    look = RadioField(
        N_("Theme"), choices=_choices(("", N_("Match phone")), ("light", N_("Light")), ("dark", N_("Dark")))
    )
    language = RadioField(N_("Language"), choices=_choices(("", N_("Match browser")), *LANGUAGES.items()))
    awake = RadioField(N_("Keep the screen on"), description=N_("while this phone keeps score"), choices=ON_OFF)
    currency = RadioField(
        N_("Currency"),
        description=N_("for settling up"),
        choices=_choices(("", N_("Match browser")), *SIGNS.items(), ("none", N_("No symbol"))),
    )
    sound = RadioField(N_("Sound"), description=N_("when a side is set or wins"), choices=ON_OFF)
    buzz = RadioField(
        N_("Vibrate"), description=N_("when a hand is saved and when a side is set or wins"), choices=ON_OFF
    )
    quiet = RadioField(N_("Quiet mode"), description=N_("no animation, sound or vibration"), choices=ON_OFF)
    keys = RadioField(
        N_("Keyboard shortcuts"), description=N_("type numbers and letters to enter a hand"), choices=ON_OFF
    )


def connect(app: Flask) -> None:
    """Add the page `/settings` to `app`."""
    app.add_url_rule("/settings", view_func=settings, methods=["GET", "POST"])


def settings() -> Response:
    """Show the settings, or save them and return to the page from which the person opened the settings."""
    form = SettingsForm(back=nearest_page(way_back()), **structs.asdict(current_settings()))
    if not form.is_submitted():
        return make_response(render_template("web/settings.html", form=form))
    response = redirect(nearest_page(form.back.data or ""), 303)
    keep_settings(response, settings_from(form.data.items()))
    return response


def nearest_page(address: str) -> str:
    """Return `address` if GET can open it as one of our pages. Otherwise return the nearest parent path that is a page.

    For example, a person may open the settings from the error page for a refused hand. GET can't open that address, so
    the person should return to a page above it. If no parent is a page, the result is the home page.
    """
    if not OWN_PATH.fullmatch(address):
        return url_for("games.home")
    path = urlsplit(address).path
    own = current_app.url_map.bind(request.host)
    while path.strip("/"):
        try:
            own.match(path, "GET")
        except HTTPException:
            path = path.rpartition("/")[0]
            continue
        return address if path == urlsplit(address).path else path
    return url_for("games.home")
