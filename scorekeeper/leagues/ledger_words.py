"""The lines of a league's log in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorekeeper.games.agreeing import cents_text
from scorekeeper.language import N_, _, ngettext, spoken
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.wording import isolated, join_names, score_text

Names = Callable[[str], str]
"""Gives the name of the person at an address."""
Words = Callable[[Mapping[str, Any], Names], str]

FIELDS = {
    "name": N_("name"),
    "nickname": N_("nickname"),
    "guest": N_("guest"),
    "active": N_("plays"),
}


def line_words(kind: str, data: Mapping[str, Any], names: Names) -> str:
    """Return what a line of the log says; one of a kind that nobody put into words shows what it holds."""
    words = WORDS.get(kind)
    if words is None:
        return " ".join((kind.replace("_", " "), *(f"{key}={value}" for key, value in data.items())))
    return words(data, names)


def _listed(names: list[str]) -> str:
    return join_names([isolated(name) for name in names]) if names else "–"


def _people(names: Names, people: list[str]) -> str:
    return join_names([names(person) for person in people])


def _value(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return f"“{value}”" if value else "–"


def _changed(data: Mapping[str, Any], _names: Names) -> str:
    told = [
        _(
            "%(field)s from %(before)s to %(after)s",
            field=_(FIELDS.get(key, key)),
            before=_value(old),
            after=_value(new),
        )
        for key, (old, new) in data["changed"].items()
    ]
    # The name it was done to, which may be one of the things that changed.
    name = isolated(data["changed"].get("name", [data["name"]])[0])
    return (
        _("%(name)s changed: %(what)s.", name=name, what=", ".join(told))
        if told
        else _("Notes on %(name)s.", name=name)
    )


def _result(data: Mapping[str, Any], _names: Names) -> str:
    where = {"round": data["round"], "table": data["table"], "after": score_text(data["after"])}
    if data.get("before") is None:
        return _("Round %(round)s, table %(table)s: final score %(after)s.", **where)
    before = score_text(data["before"])
    return _("Round %(round)s, table %(table)s: corrected from %(before)s to %(after)s.", before=before, **where)


def _closed(data: Mapping[str, Any], _names: Names) -> str:
    missing = data.get("missing") or []
    if not missing:
        return _("The night was closed.")
    return ngettext(
        "The night was closed; %(num)s table counts for nothing.",
        "The night was closed; %(num)s tables count for nothing.",
        len(missing),
    )


def _planned(data: Mapping[str, Any], _names: Names) -> str:
    form = spoken(FORMATS[data["format"]].name)
    return _("Planned: %(format)s, %(rounds)s rounds.", format=form, rounds=data["rounds"])


def _sub(data: Mapping[str, Any], _names: Names) -> str:
    name = isolated(data["name"])
    if data.get("regular") is None:
        return _("%(name)s plays for themselves.", name=name)
    return _("%(name)s plays for %(regular)s.", name=name, regular=isolated(data["regular"]))


WORDS: Mapping[str, Words] = {
    "league_made": lambda data, _names: _("The league “%(name)s” was made.", name=isolated(data["name"])),
    "people_added": lambda data, _names: _("Added: %(names)s.", names=_listed(data["names"])),
    "person_changed": _changed,
    "people_merged": lambda data, _names: _(
        "%(gone)s turned out to be %(kept)s: what both played counts for %(kept)s.",
        gone=isolated(data["gone"]),
        kept=isolated(data["kept"]),
    ),
    "handed_over": lambda _data, _names: _("Another device directs the league from now on."),
    "kept_in_account": lambda _data, _names: _("Its director keeps the league in an account from now on."),
    "season_opened": lambda data, _names: _("The season %(name)s began.", name=isolated(data["name"])),
    "season_closed": lambda data, _names: _("The season %(name)s was closed.", name=isolated(data["name"])),
    "season_reopened": lambda data, _names: _("The season %(name)s was opened again.", name=isolated(data["name"])),
    "night_opened": lambda _data, _names: _("The night was opened."),
    "night_planned": _planned,
    "night_closed": _closed,
    "night_reopened": lambda _data, _names: _("The night was opened again."),
    "checked_in": lambda data, _names: _(
        "There from round %(round)s on: %(names)s.", round=data["from_round"], names=_listed(data["names"])
    ),
    "checked_out": lambda data, _names: _("%(name)s plays no more.", name=isolated(data["name"])),
    "sub_set": _sub,
    "team_set": lambda data, names: _("Partners for the night: %(names)s.", names=_people(names, data["people"])),
    "drawn": lambda data, _names: ngettext(
        "Drawn from round %(first)s on, %(num)s round, seed %(seed)s.",
        "Drawn from round %(first)s on, %(num)s rounds, seed %(seed)s.",
        data["rounds"],
        first=data["first"],
        seed=data["seed"],
    ),
    "swapped": lambda data, names: _(
        "Round %(round)s: %(names)s changed places.", round=data["round"], names=_people(names, data["people"])
    ),
    "cards_made": lambda _data, _names: _("New table cards: the old ones open nothing any more."),
    "bell": lambda data, _names: _("The bell rang.") if data["rung"] else _("The bell was taken back."),
    "result_told": _result,
    "past_brought_in": lambda data, _names: ngettext(
        "Past results brought in: %(games)s games of %(num)s night.",
        "Past results brought in: %(games)s games of %(num)s nights.",
        data["nights"],
        games=data["games"],
    ),
    "pot_told": lambda data, _names: _(
        "Pot “%(pot)s”: %(names)s; won by %(winners)s.",
        pot=data["pot"],
        names=_listed(data["names"]),
        winners=_listed(data["winners"]),
    ),
    "jar_told": lambda data, _names: (
        (_("The jar is opened for the prizes.") if data["opened"] else _("The jar stays closed."))
        + (" " + _("Last night of the pots.") if data["last"] else "")
    ),
    "amount_noted": lambda data, _names: _("Into the jar: %(amount)s.", amount=cents_text(data["cents"])),
}
