"""Make the page to import players. Some of its parts are also used to import results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.header import owned
from scorekeeper.leagues.core.models import LeagueRow, SeasonRow
from scorekeeper.leagues.transfer.import_players import NewcomerLine
from scorekeeper.leagues.transfer.names import IS, NEW, NOBODY, NameChoice
from scorekeeper.leagues.transfer.pages import BroughtLine, BroughtPage, ImportDone, NameQuestion
from scorekeeper.leagues.transfer.undo import Imported, imports_of, obstacle_of
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text

MOST_EARLIER = 5
"""Maximum number of earlier imports that a page lists. Each import takes a few database queries."""
PEOPLE_EXAMPLE = """\
name,nickname,guest,notes
Josephine Tremblay,Jo,,pays by the season
Walt Sims,,yes,
"""


def people_import_page(league_id: str, device: str | None) -> BroughtPage:
    """Return the page to import players before anything is uploaded. Raises the errors of `owned`."""
    session = db.session()
    row = league_at(session, league_id)
    return BroughtPage(
        league=owned(session, row.id, device),
        title=_("Import players"),
        hint=_(
            "One line per player, with the columns in this order. Only the name is required. If the first line names "
            "the columns, any order works."
        ),
        columns=(
            (_("name"), _("first and last, as shown in the standings")),
            (_("nickname"), _("shown instead of the name on league nights")),
            (_("guest"), _("“yes” for occasional players")),
            (_("notes"), _("only owners see them")),
        ),
        examples=(("", _("Example"), PEOPLE_EXAMPLE),),
        action=PageLink("leagues.import_people", {"league_id": league_id}),
        back=PageLink("leagues.people", {"league_id": league_id}),
        head=(_("Name"), _("Nickname"), _("Guest"), _("Notes")),
        earlier=earlier_imports(session, row, with_nights=False),
    )


def earlier_imports(session: Session, league: LeagueRow, *, with_nights: bool) -> tuple[ImportDone, ...]:
    """Return the last few imports of a league. If an import can't be undone, its `obstacle` says why.

    With `with_nights`, these are imports of results. Otherwise, they are imports of players.
    """
    done = [each for each in imports_of(session, league) if bool(each.nights) is with_nights][:MOST_EARLIER]
    query = select(SeasonRow.public_id, SeasonRow.name).where(SeasonRow.league_id == league.id)
    seasons = {row.public_id: row.name for row in session.execute(query)}
    return tuple(
        ImportDone(
            each.id,
            day_text(each.at.astimezone().date()),
            _added(each, seasons.get(each.season, "")),
            spoken(obstacle_of(session, league, each)),
        )
        for each in done
    )


def _added(done: Imported, season: str) -> str:
    told = [season] if season else []
    if done.nights:
        told.append(ngettext("%(num)s night", "%(num)s nights", len(done.nights)))
    if done.people:
        told.append(ngettext("%(num)s new player", "%(num)s new players", len(done.people)))
    return ", ".join(told)


def with_people(page: BroughtPage, lines: Sequence[NewcomerLine], choices: Sequence[NameChoice] = ()) -> BroughtPage:
    """Return the page with a preview of each line, and with the questions about names in `choices`."""
    says = {
        "new": _("new"),
        "there": _("already in the league"),
        "left": _("left out"),
        "asked": _("Who is this?"),
    }
    new = sum(line.state == "new" for line in lines)
    asks = any(line.state == "asked" for line in lines)
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
        summary=summary_of(sum(line.state == "problem" for line in lines)),
        button=ngettext("Import %(num)s player", "Import %(num)s players", new) if new and not asks else "",
        names=tuple(map(question_of, choices)),
        added=new,
    )


def question_of(choice: NameChoice, others: Sequence[str] = ()) -> NameQuestion:
    """Return the question of who is meant by a name. `others` are offered in addition to the likely people."""
    shown = choice.likely
    if choice.answer.startswith(IS) and choice.answer.removeprefix(IS) not in shown:
        shown = (choice.answer.removeprefix(IS), *shown)
    answers = [(IS + name, name) for name in shown]
    answers += [(NEW, _("New player")), (NOBODY, _("Leave out"))]
    rest = tuple(name for name in others if name not in shown)
    return NameQuestion(choice.name, choice.field, tuple(answers), choice.answer, rest)


def summary_of(wrong: int) -> str:
    """Return a message that says how many lines have a problem, if any, and that nothing is saved yet."""
    if not wrong:
        return _("Nothing is saved yet.")
    problems = ngettext("%(num)s line has a problem.", "%(num)s lines have problems.", wrong)
    return f"{problems} {_('Nothing is saved yet.')}"
