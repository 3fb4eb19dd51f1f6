"""The pages on which tables are brought in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from flask import url_for

from scorekeeper.extensions import db
from scorekeeper.language import _, ngettext, spoken
from scorekeeper.leagues.access import league_at, season_at
from scorekeeper.leagues.final import Answer
from scorekeeper.leagues.newcomers import NewcomerLine
from scorekeeper.leagues.pages.brought import BroughtLine, BroughtPage
from scorekeeper.leagues.past import PastLine, answer_key, last_day, rules_of_season, stops_early
from scorekeeper.leagues.queries.league import owned
from scorekeeper.leagues.queries.night import answer_labels
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.wording import join_names, number

PEOPLE_EXAMPLE = """\
name,nickname,guest,notes
Josephine Tremblay,Jo,,pays by the season
Walt Sims,,yes,
"""
RESULTS_EXAMPLE = """\
date,round,table,player 1,player 2,player 3,player 4,points 1,points 2
2026-09-01,1,1,Ann,Bob,Cid,Dee,21,13
2026-09-01,1,2,Eve,Fay,Gus,Hal,8,22
"""


def people_import_page(league_id: str, device: str | None) -> BroughtPage:
    """Return the empty page for players; raises as `queries.league.owned` does."""
    session = db.session()
    return BroughtPage(
        league=owned(session, league_at(session, league_id).id, device),
        title=_("Bring in players"),
        hint=_(
            "A line for each player, the columns in this order. Only the name is needed. With a first line that names "
            "the columns they can stand in any order."
        ),
        columns=(
            (_("name"), _("first and last, as the standings show it")),
            (_("nickname"), _("what the tables call them")),
            (_("guest"), _("“yes” for who plays now and then")),
            (_("notes"), _("for the director only")),
        ),
        example=PEOPLE_EXAMPLE,
        action=url_for("leagues.import_people", league_id=league_id),
        back=url_for("leagues.people", league_id=league_id),
        head=(_("Name"), _("Nickname"), _("Guest"), _("Notes")),
    )


def with_people(page: BroughtPage, lines: Sequence[NewcomerLine]) -> BroughtPage:
    """Return the page with what each line says."""
    says = {"new": _("new"), "there": _("is there already")}
    new = sum(line.state == "new" for line in lines)
    return replace(
        page,
        lines=tuple(
            BroughtLine(
                line.number,
                (
                    line.told.name[:60],
                    line.told.nickname[:60],
                    _("yes") if line.told.guest else "",
                    line.told.notes[:60],
                ),
                line.state,
                spoken(line.problem) if line.problem else says[line.state],
            )
            for line in lines
        ),
        summary=_summary(sum(line.state == "problem" for line in lines)),
        button=ngettext("Bring in %(num)s player", "Bring in %(num)s players", new) if new else "",
    )


def results_import_page(season_id: str, device: str | None) -> tuple[BroughtPage, Ruleset, date | None, bool]:
    """Return the empty page for past results, the rules of the season, the day of its last night, and `stops_early`."""
    session = db.session()
    season = season_at(session, season_id)
    page = BroughtPage(
        league=owned(session, season.league_id, device),
        title=_("Bring in past results"),
        hint=_("A first line that names the columns, then a line for each game. The order of the columns is yours."),
        columns=(
            (_("date"), _("of the night: 2026-09-01")),
            (_("round"), _("of that night, from 1")),
            (_("table"), _("its number in that round")),
            (_("player 1, player 2 …"), _("in seat order, so that partners sit opposite")),
            (_("points 1, points 2 …"), _("of each side; side 1 is that of player 1")),
        ),
        example=RESULTS_EXAMPLE,
        action=url_for("leagues.import_results", season_id=season_id),
        back=url_for("leagues.season", season_id=season_id),
        head=(_("Date"), _("Round"), _("Table"), _("Players"), _("Points")),
    )
    return page, rules_of_season(season), last_day(session, season), stops_early(season)


def with_results(page: BroughtPage, lines: Sequence[PastLine]) -> BroughtPage:
    """Return the page with what each line says; nothing can be brought in while any line is wrong."""
    wrong = sum(bool(line.problem) for line in lines)
    nights = len({line.day for line in lines})
    button = ngettext("Bring in %(num)s night", "Bring in %(num)s nights", nights) if lines and not wrong else ""
    return replace(
        page,
        lines=tuple(
            BroughtLine(
                line.number,
                (
                    "" if line.day is None else line.day.isoformat(),
                    str(line.round),
                    str(line.table),
                    ", ".join(line.people)[:200],
                    ", ".join(map(number, line.points)),
                ),
                "problem" if line.problem else "asked" if line.asked else "new",
                _line_says(line),
                answer_key(line),
                answer_labels(line.asked, _side_names(line)) if line.asked else (),
                _answered(line),
            )
            for line in lines
        ),
        summary=_summary(wrong) + (" " + _("Answer what is asked first.") if any(line.asked for line in lines) else ""),
        button=button,
    )


def _line_says(line: PastLine) -> str:
    if line.problem:
        return spoken(line.problem)
    return spoken(line.asked.message) if line.asked else _("new")


def _answered(line: PastLine) -> str:
    """The answer that a line has, as a form sends it; empty where none was asked for."""
    said = line.said
    return "" if said is None or said.ended_by is None else Answer(said.ended_by, said.winner).value


def _side_names(line: PastLine) -> list[str]:
    """What each side of a line is called: its players, who sit in turn."""
    sides = len(line.points)
    return [join_names(line.people[side::sides]) for side in range(sides)]


def _summary(wrong: int) -> str:
    if not wrong:
        return _("Nothing is stored yet.")
    return ngettext("%(num)s line cannot be.", "%(num)s lines cannot be.", wrong) + " " + _("Nothing is stored yet.")
