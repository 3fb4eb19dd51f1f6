"""Who is there: people come, go, play for others and with others. Each tap leads back to the desk."""

from __future__ import annotations

from flask import request
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import chosen
from scorekeeper.leagues.nights import service, substitutions
from scorekeeper.leagues.nights.queries.desk import person_named
from scorekeeper.leagues.nights.views.desk import at_desk, device
from scorekeeper.leagues.people.service import PersonData


@bp.post("/nights/<night_id>/people")
def check_in(night_id: str) -> AnyResponse:
    came = request.form.getlist("person")
    return at_desk(night_id, "door", lambda: service.check_in(night=night_id, people=came, device=device()))


@bp.post("/nights/<night_id>/people/new")
def newcomer(night_id: str) -> AnyResponse:
    """Add a name that is new to the league, and check it in; one that is in the book is only checked in."""
    name = request.form.get("name", "")

    def add() -> None:
        known = person_named(night_id, name)
        if known:
            service.let_in_named(night=night_id, person=known, device=device())
            return
        told = PersonData(name=name, guest=request.form.get("guest") == "1")
        service.let_in_new(night=night_id, told=told, device=device())

    return at_desk(night_id, "door", add)


@bp.post("/nights/<night_id>/people/leaving")
def check_out(night_id: str) -> AnyResponse:
    return at_desk(
        night_id, "here", lambda: service.check_out(night=night_id, person=chosen("person"), device=device())
    )


@bp.post("/nights/<night_id>/substitutes")
def set_sub(night_id: str) -> AnyResponse:
    """Say for whom somebody plays; without a second name, for themselves."""
    regular = request.form.get("regular") or None
    return at_desk(
        night_id,
        "subs",
        lambda: substitutions.set_sub(night=night_id, person=chosen("person"), regular=regular, device=device()),
    )


@bp.post("/nights/<night_id>/partners")
def set_team(night_id: str) -> AnyResponse:
    """Let people be partners for the night; one alone is parted from theirs."""

    def together() -> None:
        chosen("person")
        service.set_team(night=night_id, people=request.form.getlist("person"), device=device())

    return at_desk(night_id, "teams", together)
