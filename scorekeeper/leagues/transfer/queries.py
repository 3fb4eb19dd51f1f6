"""View models for the import pages, which preview each line before anything is saved.

Make the page to import players. Some of its parts are also used to import results.
"""

from collections.abc import Sequence

from msgspec import Struct, structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.leagues.core.access import LeagueHead, league_at, owned
from scorekeeper.leagues.core.models import LeagueRow, SeasonRow
from scorekeeper.leagues.transfer.names import IS, NEW, NOBODY, NameChoice, NewcomerLine
from scorekeeper.leagues.transfer.undo import Imported, imports_of, obstacle_of
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text


class BroughtLine(Struct, frozen=True):
    """A line of an imported spreadsheet, with its cells and what happens to it in the import."""

    number: int
    cells: tuple[str, ...]
    state: str
    """State of the line: "new", "there", "problem", "left" (left out), or "asked" if a question must be answered."""
    says: str
    field: str = ""
    """Name of the form field for the answer."""
    answers: tuple[tuple[str, str], ...] = ()
    """Value and label of each answer."""
    answered: str = ""
    """The chosen answer, or empty."""


class ColumnChoice(Struct, frozen=True):
    """A column of the spreadsheet, with the choice of its meaning."""

    heading: str
    samples: str
    field: str
    meanings: tuple[tuple[str, str], ...]
    """Value and label of each meaning."""
    meaning: str


class DateChoice(Struct, frozen=True):
    """A date of the spreadsheet, as it is written there and as it was read: "2026-09-01", or "" if it can't be read.

    `wrong` says whether the user must correct it.
    """

    text: str
    field: str
    day: str
    wrong: bool


class SumLine(Struct, frozen=True):
    """What an import adds for one player, and the sum in the file, which is empty if there is none.

    `differs` says whether the two sums differ.
    """

    name: str
    played: int
    points: str
    told: str
    differs: bool


class NameQuestion(Struct, frozen=True):
    """The question of who is meant by a name that nobody in the league has."""

    name: str
    field: str
    answers: tuple[tuple[str, str], ...]
    """Value and label of each answer, the likely people first."""
    answer: str
    """The chosen answer, empty if one must be chosen."""
    others: tuple[str, ...]
    """Everyone else in the league."""


class TableAsked(Struct, frozen=True):
    """The questions about a spreadsheet: its columns, its names, and its dates."""

    mark: str
    """`columns.SheetRead.mark` of the spreadsheet."""
    columns: tuple[ColumnChoice, ...]
    likely: tuple[NameQuestion, ...]
    """Names that may mean a player of the league."""
    new: tuple[NameQuestion, ...]
    """Names that resemble no name in the league."""
    first: str | None
    """The date that the user entered for the first night, or an empty string if no date was entered yet.

    None if the page doesn't ask for this date.
    """
    games: int | None = None
    zeros: bool = False
    asks_games: bool = False
    asks_zeros: bool = False
    """True if the page asks whether zeros are missed nights, because the spreadsheet has some."""
    opened: bool = False
    """True if the user must check the columns; the page then shows their section expanded."""
    dates: tuple[DateChoice, ...] = ()
    words: tuple[tuple[str, str, bool], ...] = ()
    """Texts in the place of points, each with the name of its form field and whether it means a missed night."""
    fractions: tuple[str, ...] = ()
    """Some of the cells with fractions of points, such as "12,5", which can't be stored."""
    rounding: str = ""
    """What becomes of fractions of points, `columns.UP` or `columns.DOWN`; empty if the user hasn't said."""
    partners: str = ""
    """Where partners are, "beside" or "across"; empty if the page doesn't ask."""
    partners_field: str = ""


class ImportDone(Struct, frozen=True):
    """An earlier import, which the page offers to undo.

    `what` says how many nights and players would be removed. `obstacle` says why the import can't be undone, or is
    empty.
    """

    id: str
    when: str
    what: str
    obstacle: str


class BroughtPage(Struct, frozen=True):
    league: LeagueHead
    title: str
    hint: str
    columns: tuple[tuple[str, str], ...]
    """Names and meanings of the columns, from the left."""
    examples: tuple[tuple[str, str, str], ...]
    """Layouts that can be read: the key of a file to download or "", the label, and example lines."""
    action: PageLink
    """Target of the form."""
    back: PageLink
    head: tuple[str, ...]
    lines: tuple[BroughtLine, ...] = ()
    text: str = ""
    summary: str = ""
    button: str = ""
    """Label of the import button, empty if nothing can be imported."""
    without: int = 0
    """Number of wrong lines that will be skipped."""
    order: str | None = None
    """The answer to the question of what comes first in a date: "month", "day", or "" if the user must still choose.

    None if the page doesn't ask this question.
    """
    error: str = ""
    asked: TableAsked | None = None
    notes: tuple[str, ...] = ()
    """Sentences about how the spreadsheet was read, and how nights that have only points will count."""
    sums: tuple[SumLine, ...] = ()
    sum_heads: tuple[str, str] = ("", "")
    """Headings for what was played and for the sum in the file; the latter is empty if the file has no sums."""
    sheet: str = ""
    """Name of the sheet that was read; empty if the file has only one."""
    sheets: tuple[str, ...] = ()
    """Names of the sheets to choose from."""
    earlier: tuple[ImportDone, ...] = ()
    """Imports that can be undone, newest first."""
    names: tuple[NameQuestion, ...] = ()
    """For an import of players: names that may mean a player of the league."""
    added: int = 0
    """For an import of players: number of new players."""


class HomeSeasonLine(Struct, frozen=True):
    """A season of a league made from a home table, described in words."""

    name: str
    rules: str
    counts: str


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
    return structs.replace(
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
