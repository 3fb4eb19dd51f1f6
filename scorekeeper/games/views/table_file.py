"""Export a home table (a group that plays at home) as one file, and import such a file after a preview."""

from __future__ import annotations

import base64
import binascii

from flask import abort, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games.forms.our_table import TableFileForm
from scorekeeper.games.pages.our_table import ImportTablePage
from scorekeeper.games.services.table_export import table_lines
from scorekeeper.games.services.table_file import pack, read_table
from scorekeeper.games.services.table_import import import_table, plan_import
from scorekeeper.games.views.blueprint import bp
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.rate_limit import LEAGUE_FILES, TABLE_FILES, asker, limited, one_at_a_time, spend


@bp.get("/table/export")
def export_table() -> AnyResponse:
    spend(TABLE_FILES, asker())
    lines = list(table_lines(this_device()))
    if not lines:
        abort(404, description=_("This phone has no table yet. Start a game first."))
    response = make_response(pack(lines))
    response.headers["Content-Type"] = "application/gzip"
    response.headers["Content-Disposition"] = 'attachment; filename="our-table.jsonl.gz"'
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.get("/table/import")
def ask_for_table() -> str:
    return render_template("games/our_table/import.html", page=ImportTablePage())


@bp.post("/table/import")
@limited(LEAGUE_FILES)
@one_at_a_time
def take_table() -> AnyResponse:
    """Show what importing a home table from a file would add. Import the file if the player has confirmed this."""
    form = TableFileForm()
    try:
        data = form.read()
        file = read_table(data)
        if form.sure.data:
            import_table(file=file, device=known_device())
            return redirect(url_for("games.our_table"), 303)
        plan = plan_import(file, this_device())
    except (RuleViolation, binascii.Error) as error:
        says = (
            spoken(error.message)
            if isinstance(error, RuleViolation)
            else _("That isn't a saved table. Choose a file made with Export table.")
        )
        page = ImportTablePage(error=f"{says} {_('Nothing was imported.')}")
        return make_response(render_template("games/our_table/import.html", page=page), 422)
    page = ImportTablePage(
        file=base64.b64encode(data).decode(),
        name=plan.name or ", ".join(person.name for person in file.people[:4]),
        games=plan.games,
        people=plan.people,
        known=plan.known,
        new_table=plan.new_table,
    )
    return make_response(render_template("games/our_table/import.html", page=page))
