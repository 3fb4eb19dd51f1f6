"""The lines of a league's log in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorekeeper.games.presenters.agreements import cents_text
from scorekeeper.games.presenters.vocabulary import LETTERS
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated, join_names, score_text
from scorekeeper.leagues.core.roles import LABELS, role_named
from scorekeeper.leagues.schedule.formats import FORMATS

Names = Callable[[str], str]
"""Gives the present name of the person, the season or the league at an address, fit to stand in a sentence."""
Words = Callable[[Mapping[str, Any], Names], str]

UNREADABLE = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What a line may raise that came with a file somebody wrote by hand: the log of a league is shown all the same."""

FIELDS = {
    "name": N_("name"),
    "nickname": N_("nickname"),
    "guest": N_("guest"),
    "active": N_("plays"),
}


def line_change(kind: str, data: Mapping[str, Any], names: Names) -> tuple[str, str]:
    """Return what it was before and is after, as far as the sentence of `line_words` does not say so; else empty.

    `data` is that of the line, with its texts by their keys.
    """
    change = CHANGES.get(kind)
    try:
        return ("", "") if change is None or "before" not in data else change(data, names)
    except UNREADABLE:
        return "", ""


def line_words(kind: str, data: Mapping[str, Any], names: Names) -> str:
    """Return what a line of the log says; one that nobody put into words, or that was made up, shows what it holds."""
    words = WORDS.get(kind)
    try:
        if words is not None:
            return words(data, names)
    except UNREADABLE:
        pass
    return " ".join((kind.replace("_", " "), *(f"{key}={value}" for key, value in data.items())))


def _people(names: Names, people: list[str]) -> str:
    return join_names([names(person) for person in people]) if people else "–"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return f"“{value}”" if value else "–"


def _changed(data: Mapping[str, Any], names: Names) -> str:
    told = []
    for key, pair in data["changed"].items():
        old, new = pair or (data.get(f"{key}.before"), data.get(f"{key}.after"))
        field, before, after = _(FIELDS.get(key, key)), _value(old), _value(new)
        told.append(_("%(field)s from %(before)s to %(after)s", field=field, before=before, after=after))
    # The name it was done to, which may be one of the things that changed.
    name = isolated(data["name.before"]) if "name" in data["changed"] else names(data["person"])
    return (
        _("%(name)s changed: %(what)s.", name=name, what=", ".join(told))
        if told
        else _("Notes on %(name)s.", name=name)
    )


def _result(data: Mapping[str, Any], _names: Names) -> str:
    where = {"round": data["round"], "table": data["table"]}
    after = score_text(data["after"])
    if data.get("before") is None:
        told = _("Round %(round)s, table %(table)s: final score %(after)s.", after=after, **where)
    else:
        told = _("Round %(round)s, table %(table)s: the final score was corrected.", **where)
    return told + _ending(data)


def _ending(data: Mapping[str, Any]) -> str:
    """Who won and how, where that was asked for."""
    if data.get("ended_by") is None:
        return ""
    won = _("nobody won") if data["winner"] is None else _("side %(side)s won", side=LETTERS[data["winner"]])
    ways = {"time": _("Time ran out: %(won)s.", won=won), "conceded": _("Conceded: %(won)s.", won=won)}
    return " " + ways.get(data["ended_by"], _("Asked who won: %(won)s.", won=won))


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


def _plan(plan: Mapping[str, Any]) -> str:
    form = spoken(FORMATS[plan["format"]].name)
    return ngettext("%(format)s, %(num)s round", "%(format)s, %(num)s rounds", plan["rounds"], format=form)


def _confirmed(data: Mapping[str, Any], names: Names) -> str:
    where = {"round": data["round"], "table": data["table"], "score": score_text(data["after"])}
    if data.get("person"):
        who = names(data["person"])
        return _(
            "Round %(round)s, table %(table)s: %(name)s said on another phone that %(score)s is right.",
            name=who,
            **where,
        )
    side = LETTERS[data["side"]]
    return _("Round %(round)s, table %(table)s: side %(side)s said that %(score)s is right.", side=side, **where)


def _disputed(data: Mapping[str, Any], _names: Names) -> str:
    where = {"round": data["round"], "table": data["table"], "score": score_text(data["before"])}
    if data.get("after") is None:
        return _("Round %(round)s, table %(table)s: a phone said that %(score)s is wrong.", **where)
    other = score_text(data["after"])
    told = _("Round %(round)s, table %(table)s: a phone said %(other)s, not %(score)s.", other=other, **where)
    return told + _ending(data)


def _settled(data: Mapping[str, Any], _names: Names) -> str:
    where = {"round": data["round"], "table": data["table"], "score": score_text(data["after"])}
    return _("Round %(round)s, table %(table)s: settled, %(score)s counts.", **where)


def _at_table(data: Mapping[str, Any], _names: Names) -> str:
    return _("Round %(round)s, table %(table)s: the score was changed.", round=data["round"], table=data["table"])


def _reopened(data: Mapping[str, Any], _names: Names) -> str:
    return _(
        "Round %(round)s, table %(table)s: the desk opened the result to correct it.",
        round=data["round"],
        table=data["table"],
    )


def _past(data: Mapping[str, Any], names: Names) -> str:
    told = ngettext(
        "Past results brought in: %(games)s games of %(num)s night.",
        "Past results brought in: %(games)s games of %(num)s nights.",
        data["nights"],
        games=data["games"],
    )
    return told + (" " + _("Added: %(names)s.", names=_people(names, data["people"])) if data["people"] else "")


def _pot(names: Names, entrants: list[str], winners: list[str]) -> str:
    return _("%(names)s; won by %(winners)s", names=_people(names, entrants), winners=_people(names, winners))


def _jar(data: Mapping[str, Any]) -> str:
    told = _("The jar is opened for the prizes.") if data["opened"] else _("The jar stays closed.")
    return told + (" " + _("Last night of the pots.") if data["last"] else "")


def _teams(teams: list[list[str]], names: Names) -> str:
    return "; ".join(_people(names, team) for team in teams) or "–"


def _places(data: Mapping[str, Any], names: Names, places: list[int]) -> str:
    return ", ".join(
        _("%(name)s at table %(table)s", name=names(person), table=table)
        if table
        else _("%(name)s sits out", name=names(person))
        for person, table in zip(data["people"], places, strict=True)
    )


def _plays_for(names: Names, regular: str | None) -> str:
    return _("for themselves") if regular is None else _("for %(regular)s", regular=names(regular))


def _sub(data: Mapping[str, Any], names: Names) -> str:
    name = names(data["person"])
    if data.get("regular") is None:
        return _("%(name)s plays for themselves.", name=name)
    return _("%(name)s plays for %(regular)s.", name=name, regular=names(data["regular"]))


def _member(data: Mapping[str, Any]) -> str:
    return isolated(data["called"]) if data.get("called") else _("The director who keeps it in an account")


def _role(word: str) -> str:
    return _(LABELS[role_named(word)])


def _role_changed(data: Mapping[str, Any], _names: Names) -> str:
    if data["after"] == "nobody":
        return _("%(name)s works for the league no more.", name=_member(data))
    return _(
        "%(name)s: %(after)s from now on, before %(before)s.",
        name=_member(data),
        before=_role(data["before"]),
        after=_role(data["after"]),
    )


WORDS: Mapping[str, Words] = {
    "league_made": lambda data, names: _("The league “%(name)s” was made.", name=names(data["made"])),
    "people_added": lambda data, names: _("Added: %(names)s.", names=_people(names, data["people"])),
    "person_changed": _changed,
    "people_merged": lambda data, names: _(
        "%(gone)s turned out to be %(kept)s: what both played counts for %(kept)s.",
        gone=names(data["gone"]),
        kept=names(data["kept"]),
    ),
    "made_anonymous": lambda data, names: _(
        "Somebody was made anonymous, and is called %(name)s from now on.", name=names(data["person"])
    ),
    "device_released": lambda _data, _names: _("No device directs the league without an account from now on."),
    "handed_over": lambda _data, _names: _("Another device directs the league from now on."),
    "kept_in_account": lambda _data, _names: _("Its director keeps the league in an account from now on."),
    "invited": lambda data, _names: _("%(name)s was invited: %(role)s.", name=_member(data), role=_role(data["role"])),
    "invitation_void": lambda data, _names: _("The invitation of %(name)s was taken back.", name=_member(data)),
    "joined": lambda data, _names: _(
        "%(name)s works for the league now: %(role)s.", name=_member(data), role=_role(data["role"])
    ),
    "role_changed": _role_changed,
    "season_opened": lambda data, names: _("The season %(name)s began.", name=names(data["season"])),
    "season_closed": lambda data, names: _("The season %(name)s was closed.", name=names(data["season"])),
    "season_reopened": lambda data, names: _("The season %(name)s was opened again.", name=names(data["season"])),
    "night_opened": lambda _data, _names: _("The night was opened."),
    "night_planned": _planned,
    "night_closed": _closed,
    "night_removed": lambda data, _names: _("Night %(number)s was removed: it had no results.", number=data["number"]),
    "night_reopened": lambda _data, _names: _("The night was opened again."),
    "checked_in": lambda data, names: _(
        "There from round %(round)s on: %(names)s.", round=data["from_round"], names=_people(names, data["people"])
    ),
    "checked_out": lambda data, names: _("%(name)s plays no more.", name=names(data["person"])),
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
    "confirmed": _confirmed,
    "tie_settled": lambda data, _names: _(
        "Round %(round)s, table %(table)s, tied at %(score)s: side %(side)s goes on.",
        round=data["round"],
        table=data["table"],
        side=LETTERS[data["side"]],
        score=score_text(data["after"]),
    ),
    "disputed": _disputed,
    "dispute_settled": _settled,
    "result_changed": _at_table,
    "result_reopened": _reopened,
    "past_brought_in": _past,
    "pot_told": lambda data, names: _(
        "Pot “%(pot)s”: %(names)s; won by %(winners)s.",
        pot=data["pot"],
        names=_people(names, data["people"]),
        winners=_people(names, data["winners"]),
    ),
    "jar_told": lambda data, _names: _jar(data),
    "amount_noted": lambda data, _names: _("Into the jar: %(amount)s.", amount=cents_text(data["cents"])),
}


def _scores(data: Mapping[str, Any]) -> tuple[str, str]:
    return (score_text(data["before"]), score_text(data["after"])) if data["before"] else ("", "")


Change = Callable[[Mapping[str, Any], Names], tuple[str, str]]

CHANGES: Mapping[str, Change] = {
    "night_planned": lambda data, _names: (_plan(data["before"]), _plan(data)),
    "sub_set": lambda data, names: (
        _plays_for(names, data["before"]),
        _plays_for(names, data["regular"]),
    ),
    "team_set": lambda data, names: (_teams(data["before"], names), _teams([data["people"]], names)),
    "drawn": lambda data, _names: (str(data["before"]), str(data["rounds"])) if data["before"] else ("", ""),
    "swapped": lambda data, names: (
        _places(data, names, data["before"]),
        _places(data, names, data["after"]),
    ),
    "pot_told": lambda data, names: (
        _pot(names, *data["before"]),
        _pot(names, data["people"], data["winners"]),
    ),
    "jar_told": lambda data, _names: (_jar(data["before"]), _jar(data)),
    "result_told": lambda data, _names: _scores(data),
    "confirmed": lambda data, _names: _scores(data),
    "result_changed": lambda data, _names: _scores(data),
    "dispute_settled": lambda data, _names: _scores(data) if data["before"] != data["after"] else ("", ""),
}
"""What is compared beside the sentence, for lines that hold what was before."""
