"""Show and change the people of this phone's home table: add, rename, merge, color, emoji, photo, hide, delete."""

from __future__ import annotations

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games.forms.people import AddPersonForm, HideForm, HomePersonForm, PhotoForm, SamePersonForm
from scorekeeper.games.people_queries import people_at, person_at, photo_for
from scorekeeper.games.services import home_people
from scorekeeper.games.views.blueprint import bp
from scorekeeper.i18n.catalog import spoken
from scorekeeper.people.looks import COLORS
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.images import PhotoRefusedError
from scorekeeper.web.rate_limit import PEOPLE, limited

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
