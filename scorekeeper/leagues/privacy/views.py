"""The form to make a player anonymous.

Pack the data about a person as a ZIP file: JSON, and CSV files for spreadsheets.

Pages to download the data about a player and to make them anonymous.
"""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import BooleanField, HiddenField, StringField

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import N_, spoken
from scorekeeper.leagues.core.blueprint import KeyedForm, bp
from scorekeeper.leagues.privacy import service
from scorekeeper.leagues.privacy.queries import anonymous_page, person_data
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.csv_cells import Cell, csv_file
from scorekeeper.web.extensions import db
from scorekeeper.web.forms import printable
from scorekeeper.web.rate_limit import costly


class AnonymousForm(KeyedForm):
    """The form to make a player anonymous. With `titles`, the player's name is also removed from titles.

    Titles are, for example, the names of seasons and teams.
    """

    titles = BooleanField(N_("Remove it from these too"), default=True)
    no_titles = HiddenField(name="no-titles")
    """The page has this field in place of the checkbox `titles` if no title contains the name. Its value is ignored."""
    reason = StringField(
        N_("Reason"),
        description=N_("for the league history; don't include the name"),
        default="",
        filters=[printable],
        render_kw={"maxlength": 200, "dir": "auto", "autocomplete": "off"},
    )

    @property
    def with_titles(self) -> bool:
        """Return True if the name must be removed from titles too."""
        return bool(self.titles.data or self.no_titles.raw_data)


FILE = "person.json"
TABLES = ("nights", "byes", "money", "payments", "answers", "games", "log")
DEEP = ("record", "hands_played", "phones")
"""Fields that are left out of the CSV files, because they contain objects or lists. (`hands.csv` has the hands.)"""


def pack(data: Mapping[str, Any]) -> bytes:
    """Return the result of `data_export.own_data` as a ZIP file with one JSON file and several CSV files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        # A fixed date, so that the same data gives the same bytes.
        told = json.dumps(data, ensure_ascii=False, indent=1, default=_plain)
        packed.writestr(zipfile.ZipInfo(FILE), told, zipfile.ZIP_DEFLATED)
        for name in TABLES:
            packed.writestr(zipfile.ZipInfo(f"{name}.csv"), _csv(data[name]), zipfile.ZIP_DEFLATED)
        hands = [
            {key: game[key] for key in ("season", "night", "day", "round", "table", "seat")} | hand
            for game in data["games"]
            for hand in game["hands_played"]
        ]
        packed.writestr(zipfile.ZipInfo("hands.csv"), _csv(hands), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as a CSV file, without the nested fields `DEEP`."""
    heads = [key for key in (rows[0] if rows else {}) if key not in DEEP]
    return csv_file(heads, ([_cell(row[key]) for key in heads] for row in rows))


def _cell(value: Any) -> Cell:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | tuple) else value


def _plain(value: object) -> object:
    if isinstance(value, date | datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


@bp.get("/people/<person_id>/data.zip")
@costly
def person_file(person_id: str) -> AnyResponse:
    data = person_data(person_id, this_device())
    # Packing may take longer than the idle limit of a PostgreSQL transaction.
    db.session.rollback()
    response = make_response(pack(data))
    response.headers["Content-Type"] = "application/zip"
    response.headers["Content-Disposition"] = f'attachment; filename="person-{data["person"][0]["address"]}.zip"'
    return response


@bp.route("/people/<person_id>/anonymous", methods=["GET", "POST"])
def make_anonymous(person_id: str) -> AnyResponse:
    """On GET, show a review. On POST, make the player anonymous."""
    device, form = this_device(), AnonymousForm()
    if not form.is_submitted():
        page = anonymous_page(person_id, device)
        return make_response(render_template("leagues/privacy/anonymize.html", page=page, form=form))
    tap, reason = form.request_key, form.reason.data or ""
    try:
        service.make_anonymous(person=person_id, reason=reason, device=device or "", tap=tap, titles=form.with_titles)
    except RuleViolation as violation:
        form.refuse("reason", spoken(violation.message))
        page = anonymous_page(person_id, device, client_id=tap)
        return make_response(render_template("leagues/privacy/anonymize.html", page=page, form=form), 422)
    return redirect(url_for("leagues.person", person_id=person_id), 303)
