"""Show "Our table", the pages of a home table (a group that plays at home): results, people, and all games.

Show and change the people of this phone's home table: add, rename, merge, color, emoji, photo, hide, delete.

Export a home table (a group that plays at home) as one file, and import such a file after a preview.
"""

import base64
import binascii

from flask import Response, abort, make_response, redirect, render_template, url_for
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games import table_queries
from scorekeeper.games.forms.our_table import (
    AddPersonForm,
    Asked,
    HideForm,
    HomePersonForm,
    PhotoForm,
    PickedGamesForm,
    SamePersonForm,
    TableFileForm,
    asked_games,
)
from scorekeeper.games.list_queries import people_at, person_at, photo_for
from scorekeeper.games.pages.our_table import ImportTablePage
from scorekeeper.games.services import home_people
from scorekeeper.games.services.deletion import CHANGES, NotYourTableError, change_games
from scorekeeper.games.services.table_file import pack, read_table
from scorekeeper.games.services.table_transfer import import_table, plan_import, table_lines
from scorekeeper.games.table_queries import NoSuchPlayerError
from scorekeeper.games.views.blueprint import bp
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.people.tables import COLORS
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.errors import expected
from scorekeeper.web.rate_limit import (
    COSTLY,
    HANDS,
    LEAGUE_FILES,
    PEOPLE,
    TABLE_FILES,
    asker,
    limited,
    one_at_a_time,
    spend,
)
from scorekeeper.web.uploads import PhotoRefusedError

ONLY_LOOKS = N_(
    "This phone can see the table but not change it. "
    "To keep score, get a link from the table's main phone: Our table, then Share the table."
)


@bp.errorhandler(NotYourTableError)
def not_your_table(error: NotYourTableError) -> Response:
    return expected(Forbidden(description=_(ONLY_LOOKS)))


def _asked() -> Asked:
    """Return the filter in the query string of the current request.

    If the statistics aren't in the cache, the request counts toward the limit of costly requests.
    """
    asked = asked_games()
    if asked.recounts:
        spend(COSTLY, asker())
    return asked


@bp.get("/table")
def our_table() -> str:
    return render_template("games/our_table/table.html", page=table_queries.our_table_page(this_device(), _asked()))


@bp.get("/table/players/<player_id>")
def table_player(player_id: str) -> AnyResponse:
    try:
        page = table_queries.player_page(this_device(), player_id, _asked())
    except NoSuchPlayerError:
        abort(404, description=_("That player isn't at this phone's table."))
    return make_response(render_template("games/our_table/player.html", page=page))


@bp.get("/table/games")
def table_history() -> str:
    return render_template("games/our_table/history.html", page=table_queries.history_page(this_device(), _asked()))


@bp.post("/table/games")
@limited(HANDS)
def change_table_games() -> AnyResponse:
    form = PickedGamesForm()
    do = form.do.data or ""
    if do not in CHANGES:
        abort(422, description=_("Choose what to do with the games. Nothing was changed."))
    change_games(do=do, public_ids=form.chosen, device=this_device() or "")
    # Restored and shown games are in the list of all games.
    return redirect(url_for("games.table_history"), 303)


PHOTO_LASTS = "private, max-age=31536000, immutable"
"""Value of the Cache-Control header for a person's photo. A changed photo gets a new address."""


@bp.get("/table/people")
def people() -> str:
    return _list_text()


@bp.post("/table/people")
@limited(PEOPLE)
def add_person() -> AnyResponse:
    form = AddPersonForm()
    name = form.name.data or ""
    try:
        home_people.add_person(device=known_device(), name=name, sure=[form.sure.data or ""])
    except RuleViolation as violation:
        asks = violation.code == "name_alike"
        return make_response(_list_text(name[:200], spoken(violation.message), asks=asks), 422)
    return redirect(url_for("games.people"), 303)


@bp.get("/table/people/<player_id>")
def person(player_id: str) -> str:
    return _person_text(player_id)


@bp.post("/table/people/<player_id>")
@limited(PEOPLE)
def change_person(player_id: str) -> AnyResponse:
    form = HomePersonForm()
    try:
        home_people.change_person(
            device=this_device() or "",
            person=player_id,
            name=form.name.data or "",
            color=form.color.data or "",
            emoji=form.emoji.data or "",
        )
    except RuleViolation as violation:
        return _refused(player_id, violation, form)
    return redirect(url_for("games.people"), 303)


@bp.post("/table/people/<player_id>/merge")
@limited(PEOPLE)
def merge_people(player_id: str) -> AnyResponse:
    form = SamePersonForm()
    try:
        if not form.sure.data:
            raise RuleViolation("merge_sure", "Check the box to confirm. Nothing was changed.", field="into")
        home_people.merge_person(device=this_device() or "", person=player_id, into=form.into.data or "")
    except RuleViolation as violation:
        return _refused(player_id, violation)
    return redirect(url_for("games.people"), 303)


@bp.post("/table/people/<player_id>/hide")
@limited(PEOPLE)
def hide_person(player_id: str) -> AnyResponse:
    home_people.hide_person(device=this_device() or "", person=player_id, hidden=bool(HideForm().hidden.data))
    return redirect(url_for("games.people"), 303)


@bp.post("/table/people/<player_id>/deletion")
@limited(PEOPLE)
def delete_person(player_id: str) -> AnyResponse:
    try:
        home_people.delete_person(device=this_device() or "", person=player_id)
    except RuleViolation as violation:
        return _refused(player_id, violation)
    return redirect(url_for("games.people"), 303)


@bp.post("/table/people/<player_id>/photo")
@limited(PEOPLE)
def save_photo(player_id: str) -> AnyResponse:
    person_at(this_device(), player_id)
    form = PhotoForm()
    try:
        data = None if form.remove.data else form.data_sent
        if data == b"":
            raise RuleViolation("photo_missing", "Choose a photo first.", field="photo")
        home_people.set_photo(device=this_device() or "", person=player_id, data=data)
    except PhotoRefusedError as refusal:
        return _refused(player_id, RuleViolation("photo", str(refusal), field="photo"))
    except RuleViolation as violation:
        return _refused(player_id, violation)
    return redirect(url_for("games.person", player_id=player_id), 303)


@bp.get("/table/photos/<photo_id>")
def photo(photo_id: str) -> AnyResponse:
    content_type, data = photo_for(this_device(), photo_id)
    response = make_response(data)
    response.headers["Content-Type"] = content_type
    response.headers["Cache-Control"] = PHOTO_LASTS
    return response


def _list_text(typed: str = "", error: str = "", *, asks: bool = False) -> str:
    people = people_at(this_device())
    return render_template("games/people/people.html", people=people, typed=typed, error=error, asks=asks)


def _person_text(player_id: str, form: HomePersonForm | None = None, violation: RuleViolation | None = None) -> str:
    found = person_at(this_device(), player_id)
    return render_template(
        "games/people/person.html",
        person=found,
        others=[each for each in people_at(this_device()) if each.id != player_id],
        typed=form,
        colors={key: spoken(label) for key, label in COLORS.items()},
        wrong=violation.field or "" if violation else "",
        error=spoken(violation.message) if violation else "",
    )


def _refused(player_id: str, violation: RuleViolation, form: HomePersonForm | None = None) -> AnyResponse:
    return make_response(_person_text(player_id, form, violation), 422)


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
