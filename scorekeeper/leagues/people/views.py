"""Forms for the players of a league. The service checks the names.

Pages to add, change and merge the players of a league.
"""

from typing import Any

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import BooleanField, HiddenField, StringField, TextAreaField

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.forms.base import plain
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.leagues.core.blueprint import bp, digits
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.people import service
from scorekeeper.leagues.people.queries import details_page, merge_page, people_page
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.record import tidy_name
from scorekeeper.web.forms import AppForm, printable

TYPED = {"dir": "auto", "autocomplete": "off"}


def _lines(text: str | None) -> str:
    """Return the typed lines without control characters and without spaces around each line; "" for None."""
    return "\n".join(printable(line).strip() for line in (text or "").splitlines())


def _unix(text: str | None) -> str:
    return (text or "").replace("\r\n", "\n")


class AddPeopleForm(AppForm):
    """The form to add players, one name per line."""

    names = TextAreaField(
        N_("Names"),
        description=N_("one per line; duplicates are skipped"),
        filters=[_lines],
        render_kw={**TYPED, "rows": 8, "autocapitalize": "words", "spellcheck": "false"},
    )
    guest = BooleanField(N_("These are guests"))
    another = BooleanField(N_("Add them even if names look alike"))

    def named(self) -> dict[str, str]:
        """Return the typed names, by their case-folded form. If a name was typed twice, only the first one is kept."""
        named: dict[str, str] = {}
        for line in filter(None, (self.names.data or "").split("\n")):
            named.setdefault(tidy_name(line).casefold(), line)
        return named


def _short(label: str, help_text: str) -> Any:
    how = {**TYPED, "maxlength": 40, "autocapitalize": "words"}
    return StringField(label, description=help_text, filters=[printable], render_kw=how)


class PersonForm(AppForm):
    """The form to change the details of a player."""

    name = _short(N_("Name"), N_("A new name shows on every page. Score sheets of past games keep the old one."))
    nickname = _short(
        N_("Nickname"),
        N_(
            "Shown instead of the name on league nights: at tables, on the TV, and in the night's results. Leave blank "
            "if none."
        ),
    )
    guest = BooleanField(N_("Guest"))
    retired = BooleanField(N_("Retired"), description=N_("Hidden at check-in. Past results stay."))
    notes = TextAreaField(
        N_("Notes (only owners see them)"),
        filters=[_unix],
        render_kw={**TYPED, "rows": 3, "maxlength": 500},
    )


class MergeForm(AppForm):
    """The form to merge a player into another player. `into` is the public id of the other player."""

    into = HiddenField()


@bp.get("/leagues/<league_id>/people")
def people(league_id: str) -> str:
    find = plain(request.args).get("find", "")[:40]
    page = people_page(league_id, this_device(), find=find, notice=_notice())
    return render_template("leagues/people/people.html", page=page, form=AddPeopleForm())


@bp.post("/leagues/<league_id>/people")
def add_people(league_id: str) -> AnyResponse:
    """Add new players. Names that are already in the league are skipped, so posting the same list twice is harmless."""
    device, form = this_device(), AddPeopleForm()
    page = people_page(league_id, device)
    page.league.demand(Role.OWNER)  # before names are compared, which takes time
    told, names = form.named(), page.names
    known = {tidy_name(name).casefold() for name in names}
    new = [PersonData(name=name, guest=form.guest.data) for key, name in told.items() if key not in known]
    try:
        if not told:
            raise RuleViolation("name_missing", "Enter at least one name, one per line.", field="names")
        if not form.another.data:
            service.refuse_alike([person.name for person in new], names)
        service.add_people(league=league_id, people=new, device=device or "")
    except RuleViolation as violation:
        form.refuse("names", _wrong_name(violation, new))
        page = people_page(league_id, device)
        return make_response(render_template("leagues/people/people.html", page=page, form=form), 422)
    there = len(told) - len(new)
    return redirect(url_for("leagues.people", league_id=league_id, added=len(new), there=there), 303)


def _wrong_name(violation: RuleViolation, new: list[PersonData]) -> str:
    said = spoken(violation.message)
    if violation.hand is None:
        return said
    return _("“%(name)s”: %(wrong)s Nobody was added.", name=new[violation.hand].name[:60], wrong=said)


def _notice() -> str:
    added, there = (digits(request.args.get(key, ""), 4) for key in ("added", "there"))
    told = []
    if added:
        told.append(ngettext("%(num)s player added.", "%(num)s players added.", added))
    if there:
        told.append(ngettext("%(num)s was already in the league.", "%(num)s were already in the league.", there))
    return " ".join(told)


@bp.route("/people/<person_id>/details", methods=["GET", "POST"])
def change_person(person_id: str) -> AnyResponse:
    page = details_page(person_id, this_device())
    told = page.person
    form = PersonForm(
        name=told.name, nickname=told.nickname, guest=told.guest, retired=not told.active, notes=told.notes
    )
    if not form.is_submitted():
        return make_response(render_template("leagues/people/person_details.html", page=page, form=form, refused=""))
    try:
        service.change_person(person=person_id, told=_told(form), device=this_device() or "")
    except RuleViolation as violation:
        error = spoken(violation.message)
        if violation.field and violation.field in form:
            form.refuse(violation.field, error)
            error = ""
        return make_response(
            render_template("leagues/people/person_details.html", page=page, form=form, refused=error), 422
        )
    return redirect(url_for("leagues.person", person_id=person_id), 303)


def _told(form: PersonForm) -> PersonData:
    name, nickname, notes = (field.data or "" for field in (form.name, form.nickname, form.notes))
    return PersonData(name=name, nickname=nickname, guest=form.guest.data, active=not form.retired.data, notes=notes)


@bp.route("/people/<person_id>/merge", methods=["GET", "POST"])
def merge_person(person_id: str) -> AnyResponse:
    """On GET, ask for the other player and show the effects of the merge. On POST, merge the players."""
    device = this_device()
    if request.method == "GET":
        page = merge_page(person_id, device, plain(request.args).get("into", "")[:40])
        return make_response(render_template("leagues/people/merge.html", page=page), 422 if page.error else 200)
    into = MergeForm().into.data or ""
    try:
        service.merge_people(person=person_id, into=into, device=device or "")
    except RuleViolation as violation:
        page = merge_page(person_id, device, error=spoken(violation.message))
        return make_response(render_template("leagues/people/merge.html", page=page), 422)
    return redirect(url_for("leagues.person", person_id=into), 303)
