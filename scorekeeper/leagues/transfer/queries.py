"""Make the pages to import players and past results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date

from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import join_names, number
from scorekeeper.leagues.core.access import league_at, season_at
from scorekeeper.leagues.core.header import owned
from scorekeeper.leagues.nights.final_scores import Answer, answer_labels
from scorekeeper.leagues.transfer.import_players import NewcomerLine, likely_names
from scorekeeper.leagues.transfer.import_results import PastLine, answer_key, last_day, rules_of_season, stops_early
from scorekeeper.leagues.transfer.pages import BroughtLine, BroughtPage
from scorekeeper.leagues.transfer.spreadsheet_dates import Order
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text

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
    """Return the page to import players, still empty. Raises what `owned` raises."""
    session = db.session()
    return BroughtPage(
        league=owned(session, league_at(session, league_id).id, device),
        title=_("Import players"),
        hint=_(
            "One line per player, with the columns in this order. Only the name is required. If the first line names "
            "the columns, any order works."
        ),
        columns=(
            (_("name"), _("first and last, as shown in the standings")),
            (_("nickname"), _("used at the table")),
            (_("guest"), _("“yes” for occasional players")),
            (_("notes"), _("only owners see them")),
        ),
        example=PEOPLE_EXAMPLE,
        action=PageLink("leagues.import_people", {"league_id": league_id}),
        back=PageLink("leagues.people", {"league_id": league_id}),
        head=(_("Name"), _("Nickname"), _("Guest"), _("Notes")),
    )


def with_people(page: BroughtPage, lines: Sequence[NewcomerLine]) -> BroughtPage:
    """Return the page with a preview of each line."""
    says = {"new": _("new"), "there": _("already in the league")}
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
        button=ngettext("Import %(num)s player", "Import %(num)s players", new) if new else "",
    )


def results_import_page(season_id: str, device: str | None) -> tuple[BroughtPage, Ruleset, date | None, bool]:
    """Return the empty page to import results, the season's rules, its last night's day, and `stops_early`."""
    session = db.session()
    season = season_at(session, season_id)
    page = BroughtPage(
        league=owned(session, season.league_id, device),
        title=_("Import past results"),
        hint=_("The first line names the columns. Then one line per game. The columns can be in any order."),
        columns=(
            (_("date"), _("of the night, like 2026-09-01, 9/1/2026 or Sep 1, 2026")),
            (_("round"), _("number of the round that night, from 1")),
            (_("table"), _("number of the table in that round")),
            (_("player 1, player 2 …"), _("in seat order around the table; of four, players 1 and 3 are partners")),
            (_("points 1, points 2 …"), _("of each side; player 1 is on side 1")),
            (_("plays for 1, plays for 2 …"), _("if a substitute played: the regular they played for. Optional")),
        ),
        example=RESULTS_EXAMPLE,
        action=PageLink("leagues.import_results", {"season_id": season_id}),
        back=PageLink("leagues.season", {"season_id": season_id}),
        head=(_("Date"), _("Round"), _("Table"), _("Players"), _("Points")),
    )
    return page, rules_of_season(season), last_day(session, season), stops_early(season)


def with_results(page: BroughtPage, lines: Sequence[PastLine], known: Collection[str], order: Order) -> BroughtPage:
    """Return the page with a preview of each line, and similar `known` names for unknown ones.

    Wrong lines can be skipped. If dates can be read two ways, the page asks for their order first.
    """
    wrong = sum(bool(line.problem) for line in lines)
    good = [line for line in lines if not line.problem]
    asks = any(line.unclear for line in lines)
    nights = len({line.day for line in good})
    button = ngettext("Import %(num)s night", "Import %(num)s nights", nights) if good and not asks else ""
    likely = likely_names((name for line in good for name in (*line.people, *filter(None, line.subs))), known)
    lacking = sorted({line.day for line in good if line.day} & {line.day for line in lines if line.problem})
    summary = _summary(wrong)
    if lacking:
        days = ", ".join(day_text(day) for day in lacking[:5])
        summary += " " + _("Without those lines, these nights are missing a table: %(days)s.", days=days)
    return replace(
        page,
        lines=tuple(_result_line(line, likely) for line in lines),
        summary=summary + (" " + _("Answer the questions below first.") if any(line.asked for line in lines) else ""),
        button=button,
        without=wrong,
        order=order if asks or order else None,
    )


def _result_line(line: PastLine, likely: Mapping[str, str]) -> BroughtLine:
    people = (
        _("%(name)s for %(regular)s", name=name, regular=regular) if regular else name
        for name, regular in zip(line.people, line.subs, strict=True)
    )
    return BroughtLine(
        line.number,
        (
            "" if line.day is None else line.day.isoformat(),
            str(line.round),
            str(line.table),
            ", ".join(people)[:200],
            ", ".join(map(number, line.points)),
        ),
        "problem" if line.problem else "asked" if line.asked else "new",
        _line_says(line, likely),
        answer_key(line),
        answer_labels(line.asked, _side_names(line)) if line.asked else (),
        _answered(line),
    )


def _line_says(line: PastLine, likely: Mapping[str, str]) -> str:
    """Return the problem or question of a line; otherwise its result and the unknown names."""
    if line.problem:
        return spoken(line.problem)
    if line.asked:
        return spoken(line.asked.message)
    told = [_("new")]
    for name in (*line.people, *filter(None, line.subs)):
        if other := likely.get(name):
            told.append(_("%(name)s: new player, or did you mean %(other)s?", name=name[:60], other=other))
        elif name in likely:
            told.append(_("%(name)s: new player.", name=name[:60]))
    return told[0] if len(told) == 1 else f"{told[0]}. {' '.join(told[1:])}"


def _answered(line: PastLine) -> str:
    """Return the chosen answer of a line as a form sends it, empty without a question."""
    said = line.said
    return "" if said is None or said.ended_by is None else Answer(said.ended_by, said.winner).value


def _side_names(line: PastLine) -> list[str]:
    """Return the names of each side of a line. Sides alternate around the table."""
    sides = len(line.points)
    return [join_names(line.people[side::sides]) for side in range(sides)]


def _summary(wrong: int) -> str:
    if not wrong:
        return _("Nothing is saved yet.")
    problems = ngettext("%(num)s line has a problem.", "%(num)s lines have problems.", wrong)
    return f"{problems} {_('Nothing is saved yet.')}"
