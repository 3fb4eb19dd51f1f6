"""Who is there: people come, go, play for others and with others. Each tap leads back to the desk."""

from __future__ import annotations

from flask import request
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.leagues import chairs, nights
from scorekeeper.leagues.people import PersonData
from scorekeeper.leagues.queries.desk import person_named
from scorekeeper.leagues.views.asked import chosen
from scorekeeper.leagues.views.blueprint import bp
from scorekeeper.leagues.views.desk import at_desk, device


@bp.post("/nights/<night_id>/people")
def check_in(night_id: str) -> AnyResponse:
    came = request.form.getlist("person")
    return at_desk(night_id, "door", lambda: nights.check_in(night=night_id, people=came, device=device()))


@bp.post("/nights/<night_id>/people/new")
def newcomer(night_id: str) -> AnyResponse:
    """Add a name that is new to the league, and check it in; one that is in the book is only checked in."""
    name = request.form.get("name", "")

    def add() -> None:
        known = person_named(night_id, name)
        if known:
            nights.let_in_named(night=night_id, person=known, device=device())
            return
        told = PersonData(name=name, guest=request.form.get("guest") == "1")
        nights.let_in_new(night=night_id, told=told, device=device())

    return at_desk(night_id, "door", add)


@bp.post("/nights/<night_id>/people/leaving")
def check_out(night_id: str) -> AnyResponse:
    return at_desk(night_id, "here", lambda: nights.check_out(night=night_id, person=chosen("person"), device=device()))


@bp.post("/nights/<night_id>/substitutes")
def set_sub(night_id: str) -> AnyResponse:
    """Say for whom somebody plays; without a second name, for themselves."""
    regular = request.form.get("regular") or None
    return at_desk(
        night_id,
        "subs",
        lambda: chairs.set_sub(night=night_id, person=chosen("person"), regular=regular, device=device()),
    )


@bp.post("/nights/<night_id>/partners")
def set_team(night_id: str) -> AnyResponse:
    """Let people be partners for the night; one alone is parted from theirs."""

    def together() -> None:
        chosen("person")
        nights.set_team(night=night_id, people=request.form.getlist("person"), device=device())

    return at_desk(night_id, "teams", together)
