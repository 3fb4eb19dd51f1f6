"""Make the sentences for the lines of a league's history."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from scorekeeper.games.presenters.agreements import amount_text
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated, join_names, score_text
from scorekeeper.leagues.audit.table_messages import TABLE_SENTENCES, Data, Names, Sentence
from scorekeeper.leagues.core.roles import LABELS, role_named
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.web.locale import clock_text, day_text

UNREADABLE = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""Exceptions that malformed data of a log line may raise.

An imported league can contain such data, and its history must still open.
"""

CLUB_NAMES = {"full": N_("full"), "short": N_("first name and initial"), "initials": N_("initials")}

FIELDS = {
    "name": N_("name"),
    "nickname": N_("nickname"),
    "guest": N_("guest"),
    "active": N_("active"),
}


def line_change(kind: str, data: Data, names: Names) -> tuple[str, str]:
    """Return (value before, value after) for a change in the history, in words.

    The result is ("", "") if the log line has no such values, or if the sentence from `line_words` already says them.
    `kind` and `data` are from the log line. `names` takes a public id and returns the name.
    """
    change = CHANGES.get(kind)
    try:
        return ("", "") if change is None or "before" not in data else change(data, names)
    except UNREADABLE:
        return "", ""


def line_words(kind: str, data: Data, names: Names, who: str) -> str:
    """Return the sentence for a line of the history. `who` is the name of the person or device that made the change.

    `kind` and `data` are from the log line. `names` takes a public id and returns the name. If the kind is unknown or
    the data is malformed, the result is the kind followed by the data.
    """
    sentence = SENTENCES.get(kind)
    try:
        if sentence is not None:
            return sentence(data, names, who)
    except UNREADABLE:
        pass
    return " ".join((kind.replace("_", " "), *(f"{key}={value}" for key, value in data.items())))


def _people(names: Names, people: list[str]) -> str:
    return join_names([names(person) for person in people]) if people else "–"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return f"“{value}”" if value else "–"


def _person_changed(data: Data, names: Names, who: str) -> str:
    changes = []
    for key, pair in data["changed"].items():
        old, new = pair or (data.get(f"{key}.before"), data.get(f"{key}.after"))
        field, before, after = _(FIELDS.get(key, key)), _value(old), _value(new)
        changes.append(_("%(field)s from %(before)s to %(after)s", field=field, before=before, after=after))
    # A renamed person is named as they were called before.
    name = isolated(data["name.before"]) if "name" in data["changed"] else names(data["person"])
    return (
        _("%(who)s changed %(name)s: %(what)s.", who=who, name=name, what=", ".join(changes))
        if changes
        else _("%(who)s changed the notes on %(name)s.", who=who, name=name)
    )


def _closed(data: Data, _names: Names, who: str) -> str:
    missing, outdated = data.get("missing") or [], data.get("outdated")
    sentence = _("%(who)s closed the night.", who=who)
    if missing:
        sentence = ngettext(
            "%(who)s closed the night. %(num)s table doesn't count.",
            "%(who)s closed the night. %(num)s tables don't count.",
            len(missing),
            who=who,
        )
    if outdated:
        sentence += " " + _("Round %(round)s no longer fit the results before it.", round=outdated)
    return sentence


def _lots(data: Data, names: Names, _who: str) -> str:
    return _(
        "Ties were broken by random draw: %(orders)s (draw %(seed)s).",
        orders="; ".join(", ".join(_people(names, unit) for unit in lot) for lot in data["lots"]),
        seed=data["season"],
    )


def _planned(data: Data, _names: Names, who: str) -> str:
    return _("%(who)s set the format: %(format)s.", who=who, format=_plan(data))


def _plan(plan: Data) -> str:
    form = spoken(FORMATS[plan["format"]].name)
    return ngettext("%(format)s, %(num)s round", "%(format)s, %(num)s rounds", plan["rounds"], format=form)


def _past(data: Data, names: Names, who: str) -> str:
    sentences = [
        ngettext(
            "%(who)s imported past results of %(num)s night.",
            "%(who)s imported past results of %(num)s nights.",
            data["nights"],
            who=who,
        ),
    ]
    if data["games"]:
        sentences.append(ngettext("%(num)s game in all.", "%(num)s games in all.", data["games"]))
    if data["people"]:
        sentences.append(_("New players: %(names)s.", names=_people(names, data["people"])))
    return " ".join(sentences)


def _undone(data: Data, _names: Names, who: str) -> str:
    sentences = [_("%(who)s undid an import.", who=who)]
    if data["nights"]:
        sentences.append(ngettext("%(num)s night was removed.", "%(num)s nights were removed.", data["nights"]))
    if data["players"]:
        sentences.append(ngettext("%(num)s player was removed.", "%(num)s players were removed.", data["players"]))
    return " ".join(sentences)


def _pot(names: Names, entrants: list[str], winners: list[str]) -> str:
    return _("In it: %(names)s. Won by: %(winners)s.", names=_people(names, entrants), winners=_people(names, winners))


def _pot_told(data: Data, names: Names, who: str) -> str:
    saved = _("%(who)s saved the side pot “%(pot)s”.", who=who, pot=data["pot"])
    return f"{saved} {_pot(names, data['people'], data['winners'])}"


def _kitty(data: Data) -> str:
    state = _("The kitty is paid out as prizes.") if data["opened"] else _("The kitty is not paid out.")
    return state + (" " + _("It is the last night of the side pots.") if data["last"] else "")


def _kitty_told(data: Data, _names: Names, who: str) -> str:
    return _("%(who)s saved the kitty and the side pots.", who=who) + " " + _kitty(data)


def _amount(data: Data, _names: Names, who: str) -> str:
    amount = amount_text(data["cents"])
    if data["cents"] < 0:
        return _("%(who)s took %(amount)s out of the kitty.", who=who, amount=amount)
    return _("%(who)s put %(amount)s into the kitty.", who=who, amount=amount)


def _fees_paid(data: Data, names: Names, who: str) -> str:
    amount, people = amount_text(data["cents"]), _people(names, data["people"])
    return _("%(who)s recorded the entry fee of %(amount)s from %(names)s.", who=who, amount=amount, names=people)


def _payment(data: Data, names: Names, who: str) -> str:
    amount, people = amount_text(data["cents"]), _people(names, data["people"])
    several = len(data["people"]) > 1
    if data["cents"] < 0 and several:
        return _("%(who)s recorded refunds of %(amount)s each to %(names)s.", who=who, amount=amount, names=people)
    if data["cents"] < 0:
        return _("%(who)s recorded a refund of %(amount)s to %(names)s.", who=who, amount=amount, names=people)
    if several:
        return _("%(who)s recorded payments of %(amount)s each from %(names)s.", who=who, amount=amount, names=people)
    return _("%(who)s recorded a payment of %(amount)s from %(names)s.", who=who, amount=amount, names=people)


def _charge(data: Data, names: Names, who: str) -> str:
    amount, people = amount_text(data["cents"]), _people(names, data["people"])
    return _("%(who)s charged %(amount)s to each of: %(names)s.", who=who, amount=amount, names=people)


def _corrected(data: Data, names: Names, who: str) -> str:
    amount, name = amount_text(data["cents"]), names(data["person"])
    if data["charge"]:
        return _("%(who)s voided a charge of %(amount)s to %(name)s.", who=who, amount=amount, name=name)
    return _("%(who)s voided a payment of %(amount)s from %(name)s.", who=who, amount=amount, name=name)


def _teams(teams: list[list[str]], names: Names) -> str:
    return "; ".join(_people(names, team) for team in teams) or "–"


def _team(data: Data, names: Names, who: str) -> str:
    people = _people(names, data["people"])
    if len(data["people"]) < 2:
        return _("%(who)s split up the team of %(names)s.", who=who, names=people)
    return _("%(who)s set partners for the night: %(names)s.", who=who, names=people)


def _places(data: Data, names: Names, places: list[int]) -> str:
    return ", ".join(
        _("%(name)s at table %(table)s", name=names(person), table=table)
        if table
        else _("%(name)s sitting out", name=names(person))
        for person, table in zip(data["people"], places, strict=True)
    )


def _plays_for(names: Names, regular: str | None) -> str:
    return _("no longer a substitute") if regular is None else _("plays for %(regular)s", regular=names(regular))


def _sub(data: Data, names: Names, who: str) -> str:
    name = names(data["person"])
    if data.get("regular") is None:
        return _("%(who)s ended the substitution by %(name)s.", who=who, name=name)
    regular = names(data["regular"])
    return _("%(who)s entered %(name)s as the substitute for %(regular)s.", who=who, name=name, regular=regular)


def _rounds_undone(data: Data, _names: Names, who: str) -> str:
    sentence = _(
        "%(who)s removed round %(round)s and all later ones, because the results before them had changed.",
        who=who,
        round=data["first"],
    )
    return sentence + _removed(data)


def _removed(data: Data) -> str:
    """Return a sentence with the scores of the removed games, with a space before it, or "" if there were none."""
    scores = [
        _("Round %(round)s, table %(table)s: %(score)s", round=number, table=table, score=score_text(points))
        for number, table, points in data["results"]
    ]
    return " " + _("Removed: %(scores)s.", scores="; ".join(scores)) if scores else ""


def _table_kept(data: Data, names: Names, who: str) -> str:
    name = names(data["person"])
    if data["table"] is None:
        return _("%(who)s let %(name)s change tables again.", who=who, name=name)
    return _("%(who)s let %(name)s stay at table %(table)s.", who=who, name=name, table=data["table"])


def _club(data: Data, _names: Names, who: str) -> str:
    was_open = bool((data["before"] or {}).get("open"))
    if not data["open"]:
        return _("%(who)s closed the club to the public.", who=who)
    if was_open:
        return _("%(who)s changed the public pages of the club.", who=who) + " " + _club_page(data)
    return _("%(who)s opened the club to the public.", who=who) + " " + _club_page(data)


def _club_page(club: Data) -> str:
    style = CLUB_NAMES[club["names"]]
    return _("Address: %(slug)s. Names: %(names)s.", slug=club["slug"], names=_(style))


def _member(data: Data) -> str:
    return isolated(data["called"]) if data.get("called") else _("the signed-in owner")


def _role(stored: str) -> str:
    return _(LABELS[role_named(stored)])


def _joined(data: Data, _names: Names, who: str) -> str:
    name = isolated(data["called"]) if data.get("called") else who
    return _("%(name)s joined as %(role)s.", name=name, role=_role(data["role"]))


def _role_changed(data: Data, _names: Names, who: str) -> str:
    if data["after"] == "nobody":
        return _("%(who)s removed the role of %(name)s.", who=who, name=_member(data))
    return _(
        "%(who)s changed the role of %(name)s from %(before)s to %(after)s.",
        who=who,
        name=_member(data),
        before=_role(data["before"]),
        after=_role(data["after"]),
    )


def _replaced(data: Data, names: Names, who: str) -> str:
    gone = _people(names, data["people"])
    if not data["came"]:
        return _("%(who)s took %(names)s out of the playoffs.", who=who, names=gone)
    came = _people(names, data["came"])
    return _("%(who)s replaced %(names)s in the playoffs with %(others)s.", who=who, names=gone, others=came)


def _day(isoday: str) -> str:
    return day_text(date.fromisoformat(isoday))


def _nights_planned(data: Data, names: Names, who: str) -> str:
    return ngettext(
        "%(who)s planned a night in %(season)s: %(days)s.",
        "%(who)s planned %(num)s nights in %(season)s: %(days)s.",
        len(data["days"]),
        who=who,
        season=names(data["season"]),
        days="; ".join(map(_day, data["days"])),
    )


def _planned_changed(data: Data, _names: Names, who: str) -> str:
    if data["before"] == data["after"]:
        return _("%(who)s changed the place or note of the night of %(day)s.", who=who, day=_day(data["before"][0]))
    return _("%(who)s moved the night of %(day)s.", who=who, day=_day(data["before"][0]))


def _date_and_time(told: list[Any]) -> str:
    day, starts = told
    return _day(day) if starts is None else f"{_day(day)}, {clock_text(starts)}"


PLANNED_STATES: Mapping[str, str] = {
    "planned": N_("%(who)s restored the night of %(day)s."),
    "canceled": N_("%(who)s canceled the night of %(day)s."),
    "deleted": N_("%(who)s deleted the planned night of %(day)s."),
}


def _planned_state(data: Data, _names: Names, who: str) -> str:
    sentence = PLANNED_STATES[data["state"]]
    return _(sentence, who=who, day=_day(data["day"]))


def _expected(data: Data, names: Names, who: str) -> str:
    return _("%(who)s checked in everyone who said yes: %(names)s.", who=who, names=_people(names, data["people"]))


SENTENCES: Mapping[str, Sentence] = {
    "league_made": lambda data, names, who: _(
        "%(who)s created the league “%(name)s”.", who=who, name=names(data["made"])
    ),
    "people_added": lambda data, names, who: _(
        "%(who)s added %(names)s.", who=who, names=_people(names, data["people"])
    ),
    "person_changed": _person_changed,
    "people_merged": lambda data, names, who: _(
        "%(who)s merged %(gone)s into %(kept)s.", who=who, gone=names(data["gone"]), kept=names(data["kept"])
    ),
    "made_anonymous": lambda data, names, who: _(
        "%(who)s made a player anonymous, now called %(name)s.", who=who, name=names(data["person"])
    ),
    "device_released": lambda _data, _names, who: _(
        "%(who)s removed the league's device. Only accounts run the league now.", who=who
    ),
    "handed_over": lambda _data, _names, _who: _(
        "The league was moved to a new device, with a link made on the server."
    ),
    "turned_off": lambda _data, _names, _who: _("The person who runs the server turned the league off."),
    "turned_on": lambda _data, _names, _who: _("The person who runs the server turned the league on again."),
    "kept_in_account": lambda _data, _names, who: _("%(who)s saved the league to an account.", who=who),
    "invited": lambda data, _names, who: _(
        "%(who)s invited %(name)s as %(role)s.", who=who, name=_member(data), role=_role(data["role"])
    ),
    "invitation_void": lambda data, _names, who: _(
        "%(who)s canceled the invitation for %(name)s.", who=who, name=_member(data)
    ),
    "joined": _joined,
    "role_changed": _role_changed,
    "season_opened": lambda data, names, who: _(
        "%(who)s started the season “%(name)s”.", who=who, name=names(data["season"])
    ),
    "season_closed": lambda data, names, who: _(
        "%(who)s closed the season “%(name)s”.", who=who, name=names(data["season"])
    ),
    "season_reopened": lambda data, names, who: _(
        "%(who)s reopened the season “%(name)s”.", who=who, name=names(data["season"])
    ),
    "nights_planned": _nights_planned,
    "planned_changed": _planned_changed,
    "planned_state": _planned_state,
    "zone_set": lambda _data, _names, who: _("%(who)s changed the time zone of the schedule.", who=who),
    "answer_set": lambda data, names, who: _(
        "%(who)s entered an answer for %(name)s for the night of %(day)s.",
        who=who,
        name=names(data["person"]),
        day=_day(data["day"]),
    ),
    "links_made": lambda data, names, who: _(
        "%(who)s made attendance links for %(names)s.", who=who, names=_people(names, data["people"])
    ),
    "links_revoked": lambda data, names, who: _(
        "%(who)s revoked the attendance links of %(names)s.", who=who, names=_people(names, data["people"])
    ),
    "night_opened": lambda _data, _names, who: _("%(who)s opened the night.", who=who),
    "night_planned": _planned,
    "night_closed": _closed,
    "lots_drawn": _lots,
    "night_removed": lambda data, _names, who: _(
        "%(who)s removed night %(number)s. It had no results.", who=who, number=data["number"]
    ),
    "night_moved": lambda _data, _names, who: _("%(who)s corrected the date of the night.", who=who),
    "night_reopened": lambda _data, _names, who: _("%(who)s reopened the night.", who=who),
    "checked_in": lambda data, names, who: _(
        "%(who)s checked in %(names)s from round %(round)s on.",
        who=who,
        round=data["from_round"],
        names=_people(names, data["people"]),
    ),
    "checked_out": lambda data, names, who: _("%(who)s checked out %(name)s.", who=who, name=names(data["person"])),
    "expected_in": _expected,
    "expected_out": lambda data, names, who: _(
        "%(who)s undid the check-in of %(names)s.", who=who, names=_people(names, data["people"])
    ),
    "sub_set": _sub,
    "team_set": _team,
    "partners_drawn": lambda data, names, who: _(
        "%(who)s drew partners by lot: %(names)s.", who=who, names=_teams(data["teams"], names)
    ),
    "places_taken": lambda data, names, who: _(
        "%(who)s gave %(name)s the seats of %(gone)s from round %(round)s on.",
        who=who,
        name=names(data["people"][1]),
        gone=names(data["people"][0]),
        round=data["first"],
    ),
    "seating_restored": lambda data, _names, who: _(
        "%(who)s undid the new seating from round %(round)s on.", who=who, round=data["first"]
    ),
    "table_kept": _table_kept,
    "drawn": lambda data, _names, who: ngettext(
        "%(who)s made the seating from round %(first)s on: %(num)s round, drawn with random number %(seed)s.",
        "%(who)s made the seating from round %(first)s on: %(num)s rounds, drawn with random number %(seed)s.",
        data["rounds"],
        who=who,
        first=data["first"],
        seed=data["seed"],
    ),
    "seating_kept": lambda data, _names, who: _(
        "%(who)s kept the seating of round %(round)s, although the results before it had changed.",
        who=who,
        round=data["first"],
    ),
    "rounds_undone": _rounds_undone,
    "seeds_kept": lambda _data, _names, who: _(
        "%(who)s kept the seeds of the playoffs, although the standings had changed.", who=who
    ),
    "seeds_redone": lambda data, _names, who: (
        _("%(who)s seeded the playoffs again, because the standings had changed.", who=who) + _removed(data)
    ),
    "playoff_round_kept": lambda data, _names, who: _(
        "%(who)s kept round %(round)s of the playoffs, although the results before it had changed.",
        who=who,
        round=data["first"],
    ),
    "playoff_round_redone": lambda data, _names, who: (
        _(
            "%(who)s made the matches of round %(round)s of the playoffs again, because the results before it had "
            "changed.",
            who=who,
            round=data["first"],
        )
        + _removed(data)
    ),
    "swapped": lambda data, names, who: _(
        "%(who)s swapped %(names)s in round %(round)s.",
        who=who,
        round=data["round"],
        names=_people(names, data["people"]),
    ),
    "cards_made": lambda _data, _names, who: _("%(who)s made new table cards. The old ones no longer work.", who=who),
    "bell": lambda data, _names, who: (
        _("%(who)s rang the bell.", who=who) if data["rung"] else _("%(who)s undid the bell.", who=who)
    ),
    "clock": lambda data, _names, who: {
        "start": _("%(who)s started the clock of round %(round)s.", who=who, round=data["round"]),
        "more": _("%(who)s gave round %(round)s five more minutes.", who=who, round=data["round"]),
        "stop": _("%(who)s stopped the clock of round %(round)s.", who=who, round=data["round"]),
    }[data["what"]],
    "round_started": lambda data, _names, who: (
        _("%(who)s started round %(round)s, played on paper.", who=who, round=data["round"])
        if data["started"]
        else _("%(who)s took back the start of round %(round)s.", who=who, round=data["round"])
    ),
    "squad_saved": lambda data, names, who: _(
        "%(who)s saved the team %(team)s: %(names)s.", who=who, team=data["team"], names=_people(names, data["people"])
    ),
    "squad_removed": lambda data, _names, who: _("%(who)s removed the team %(team)s.", who=who, team=data["team"]),
    "matches_made": lambda data, _names, who: ngettext(
        "%(who)s made the schedule: %(num)s match.",
        "%(who)s made the schedule: %(num)s matches.",
        data["matches"],
        who=who,
    ),
    "matches_chosen": lambda data, _names, who: ngettext(
        "%(who)s set %(num)s match for the night.",
        "%(who)s set %(num)s matches for the night.",
        data["matches"],
        who=who,
    ),
    "forfeit_set": lambda data, _names, who: _(
        "%(who)s recorded that %(team)s forfeited the match.", who=who, team=data["team"]
    ),
    "forfeit_both": lambda data, _names, who: _(
        "%(who)s recorded that both teams forfeited the match %(team)s.", who=who, team=data["team"]
    ),
    "forfeit_undone": lambda data, _names, who: _("%(who)s undid the forfeit by %(team)s.", who=who, team=data["team"]),
    "lineup_set": lambda data, names, who: _(
        "%(who)s set the lineup of %(team)s: %(names)s.",
        who=who,
        team=data["team"],
        names=_people(names, data["people"]),
    ),
    "playoffs_started": lambda data, _names, who: (
        _(
            "%(who)s started the playoffs before the end of the season: night %(number)s.",
            who=who,
            number=data["number"],
        )
        if data["early"]
        else _("%(who)s opened night %(number)s for the playoffs.", who=who, number=data["number"])
    ),
    "qualifier_replaced": _replaced,
    "team_replaced": lambda data, _names, who: _(
        "%(who)s replaced %(names)s in the playoffs with %(others)s.",
        who=who,
        names=data["team"],
        others=data["other_team"],
    ),
    **TABLE_SENTENCES,
    "past_brought_in": _past,
    "import_undone": _undone,
    "pot_told": _pot_told,
    "jar_told": _kitty_told,
    "amount_noted": _amount,
    "fees_paid": _fees_paid,
    "fees_undone": lambda data, names, who: _(
        "%(who)s undid the entry fees of %(names)s.", who=who, names=_people(names, data["people"])
    ),
    "payment_saved": _payment,
    "charge_saved": _charge,
    "payment_corrected": _corrected,
    "club_changed": _club,
}


def _scores(data: Data) -> tuple[str, str]:
    return (score_text(data["before"]), score_text(data["after"])) if data["before"] and data["after"] else ("", "")


Change = Callable[[Data, Names], tuple[str, str]]

CHANGES: Mapping[str, Change] = {
    "club_changed": lambda data, _names: (_club_page(data["before"]), _club_page(data)) if data["before"] else ("", ""),
    "planned_changed": lambda data, _names: (
        ("", "") if data["before"] == data["after"] else (_date_and_time(data["before"]), _date_and_time(data["after"]))
    ),
    "planned_state": lambda _data, _names: ("", ""),
    "night_moved": lambda data, _names: (_day(data["before"]), _day(data["after"])),
    "zone_set": lambda data, _names: (data["before"], data["zone"]),
    "night_planned": lambda data, _names: (_plan(data["before"]), _plan(data)),
    "sub_set": lambda data, names: (
        _plays_for(names, data["before"]),
        _plays_for(names, data["regular"]),
    ),
    "table_kept": lambda data, _names: (str(data["before"] or "–"), str(data["table"] or "–")),
    "team_set": lambda data, names: (_teams(data["before"], names), _teams([data["people"]], names)),
    "partners_drawn": lambda data, names: (_teams(data["before"], names), "") if data["before"] else ("", ""),
    "drawn": lambda data, _names: (str(data["before"]), str(data["rounds"])) if data["before"] else ("", ""),
    "swapped": lambda data, names: (
        _places(data, names, data["before"]),
        _places(data, names, data["after"]),
    ),
    "pot_told": lambda data, names: (
        _pot(names, *data["before"]),
        _pot(names, data["people"], data["winners"]),
    ),
    "jar_told": lambda data, _names: (_kitty(data["before"]), _kitty(data)),
    "result_told": lambda data, _names: _scores(data),
    "sets_told": lambda data, _names: _scores(data),
    "confirmed": lambda data, _names: _scores(data),
    "result_changed": lambda data, _names: _scores(data),
    "dispute_settled": lambda data, _names: _scores(data) if data["before"] != data["after"] else ("", ""),
}
"""For each kind of log line: the function that returns the value before and the value after the change, as texts."""
