"""Make the page to import past results, with its questions and the preview of the lines."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from msgspec import structs

from scorekeeper.games.logic.final_scores import Answer, answer_labels
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import join_names, number
from scorekeeper.leagues.core.access import owned, season_at
from scorekeeper.leagues.core.models import LeagueRow, SeasonRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.transfer.columns import COLUMN, MISSED, PARTNERS, ColumnRead, SheetRead
from scorekeeper.leagues.transfer.import_results import EARLIEST, PastLine, answer_key
from scorekeeper.leagues.transfer.layouts import EXAMPLES
from scorekeeper.leagues.transfer.meanings import MEANINGS, NAME, NIGHT, SIDE, SKIP, THOUSANDS, amount
from scorekeeper.leagues.transfer.past_nights import season_of
from scorekeeper.leagues.transfer.past_reading import Past, PastSeason, Said, TotalLine
from scorekeeper.leagues.transfer.queries import (
    BroughtLine,
    BroughtPage,
    ColumnChoice,
    DateChoice,
    SumLine,
    TableAsked,
    earlier_imports,
    question_of,
    summary_of,
)
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text

MOST_FRACTIONS = 5
"""Most numbers that the question about fractions of points names."""
MOST_OPTIONS = 6_000
"""Maximum number of names to choose from on one page, added up over all lists of names on the page."""


def results_import_page(season_id: str, device: str | None) -> tuple[BroughtPage, PastSeason]:
    """Return the page to import results before anything is uploaded, and the season. Raises the errors of `owned`."""
    session = db.session()
    season = season_at(session, season_id)
    page = BroughtPage(
        league=owned(session, season.league_id, device),
        title=_("Import past results"),
        hint=_(
            "The first line names the columns, in any order. The layouts below can be read. In the preview, you can "
            "say what each column means."
        ),
        columns=(
            (_("date"), _("of the night, like 2026-09-01, 9/1/2026 or Sep 1, 2026")),
            (_("round"), _("number of the round that night, starting with 1")),
            (_("table"), _("number of the table in that round")),
            (
                _("player 1, player 2 …"),
                _("in seat order around the table; with four players, 1 and 3 are partners, and so are 2 and 4"),
            ),
            (_("points 1, points 2 …"), _("each side's points; side 1 is player 1's side")),
            (_("plays for 1, plays for 2 …"), _("optional: the regular that player 1, player 2 … substituted for")),
        ),
        examples=tuple((key, spoken(label), text) for key, (label, text) in EXAMPLES.items()),
        action=PageLink("leagues.import_results", {"season_id": season_id}),
        back=PageLink("leagues.season", {"season_id": season_id}),
        head=(_("Date"), _("Round"), _("Table"), _("Sides")),
        notes=_warnings(season),
        earlier=earlier_imports(session, session.get_one(LeagueRow, season.league_id), with_nights=True),
    )
    return page, season_of(session, season)


def _warnings(season: SeasonRow) -> tuple[str, ...]:
    """Return sentences about how nights that have only points will count in this season's standings."""
    counting = StandingSettings.from_json(season.counting)
    told = [_("The points of each night count. A table like this doesn't show who won or who played whom.")]
    if counting.order == "wins":
        told.append(_("This season ranks by wins, so these nights add nothing unless the table has a column of wins."))
    elif counting.order == "per_game" or counting.min_games:
        told.append(_("Without a number of games, a night counts as one game."))
    return tuple(told)


def with_results(page: BroughtPage, past: Past, said: Said, season: PastSeason) -> BroughtPage:
    """Return the page with a preview of each line, and with all questions about the spreadsheet.

    `said` has the user's answers so far. Wrong lines can be skipped. The page has an import button once the columns and
    dates are clear.
    """
    nights, added = len(past.days), len(past.new)
    order, sheet = said.settings.order, past.sheet
    sums = _sums(past)
    return structs.replace(
        page,
        head=page.head if past.games else _totals_head(past),
        lines=tuple(map(_game_line, past.games)) + tuple(_total_line(line, past) for line in past.totals),
        summary=_summary(past),
        button=_button(nights, added) if nights and not past.unreadable else "",
        without=past.wrong,
        order=order if past.unclear or order else None,
        error=spoken(past.sheet.lacks) if past.sheet.lacks else page.error,
        asked=_asked(past, said, season),
        notes=(*_how_read(past, season), *(page.notes if past.totals else ())),
        sums=sums,
        sum_heads=(
            _("Games") if past.games else _("Nights"),
            _("In the file") if any(line.told for line in sums) else "",
        ),
        sheet=sheet.name,
        sheets=(sheet.name, *sheet.others) if sheet.others else (),
    )


def _how_read(past: Past, season: PastSeason) -> tuple[str, ...]:
    """Return sentences about everything in the spreadsheet that was read in a certain way, or that isn't read."""
    sheet, told = past.sheet, list[str]()
    if sheet.hidden:
        told.append(_("Hidden sheets aren't read: %(names)s.", names=", ".join(sheet.hidden)))
    if sheet.turned:
        told.append(_("This file has a column for each player. “Line” below is the number of the column."))
    left = [column.heading for column in sheet.columns if column.meaning == SKIP and column.heading and column.samples]
    if names := [each for each in (*left, *sheet.beside) if each not in sheet.copies]:
        told.append(_("Columns left out: %(names)s.", names=", ".join(names)))
    if sheet.copies:
        told.append(_("Left out, because another column has that date: %(names)s.", names=", ".join(sheet.copies)))
    if past.totals and not sheet.named:
        told.append(_("Both partners get the points of their line."))
    if sheet.late:
        told.append(_("Games after midnight count for the evening before."))
    if past.missed:
        told.append(_("Read as “wasn't there”: %(words)s.", words=", ".join(past.missed)))
    large = [cell for cell in past.told if THOUSANDS.fullmatch(cell)]
    if large:
        told.append(_("Read as thousands: %(numbers)s.", numbers="; ".join(large)))
    if rounded := [cell for cell in past.told if cell not in large]:
        told.append(_("Rounded: %(numbers)s.", numbers="; ".join(rounded)))
    if past.days and season.days and min(past.days) < max(season.days):
        told.append(_("Earlier nights get the next numbers of the season."))
    return tuple(told)


def _sums(past: Past) -> tuple[SumLine, ...]:
    """Return what the import adds for each player, beside the sum in the file."""
    points, played, told = Counter[str](), Counter[str](), defaultdict[str, list[str]](list)
    for game in past.good_games:
        sides = len(game.points)
        for seat, name in enumerate(game.people):
            points[name] += game.points[seat % sides]
            played[name] += 1
    for line in past.good_totals:
        points[line.name] += line.points
        played[line.name] += len(line.nights)
        told[line.name].append(line.total)
    cells = {name: found[0] if len(found) == 1 else "" for name, found in told.items()}
    sums = {name: amount(cell) for name, cell in cells.items()}
    return tuple(
        SumLine(name[:60], played[name], number(sum_), cells.get(name, ""), differs=sums.get(name) not in (None, sum_))
        for name, sum_ in points.items()
    )


def _button(nights: int, added: int) -> str:
    told = ngettext("Import %(num)s night", "Import %(num)s nights", nights)
    if not added:
        return told
    return ngettext("%(nights)s, add %(num)s new player", "%(nights)s, add %(num)s new players", added, nights=told)


def _summary(past: Past) -> str:
    told = [summary_of(past.wrong)]
    lacking = sorted({line.day for line in past.games if line.problem and line.day} & past.days)
    if lacking:
        days = ", ".join(day_text(day) for day in lacking[:5])
        told.append(_("Without those lines, these nights are missing a table: %(days)s.", days=days))
    left = sum(bool(line.left_out) for line in past.lines)
    if left:
        told.append(ngettext("%(num)s line is left out.", "%(num)s lines are left out.", left))
    if any(line.differs for line in _sums(past)):
        told.append(_("Some sums differ from those in the file. See “Sums.”"))
    if past.asks:
        told.append(_("Answer the questions below first."))
    return " ".join(told)


def _asked(past: Past, said: Said, season: PastSeason) -> TableAsked:
    few = len(past.choices) * len(season.known) <= MOST_OPTIONS
    questions = [question_of(choice, tuple(season.known) if few else ()) for choice in past.choices]
    zeros = any(night.points == 0 for line in past.totals for night in line.nights)
    settings, sheet = said.settings, past.sheet
    bare = sum(not (each.guessed or each.unclear) for each in sheet.dates) > 1
    asks_partners = sheet.has_games and not sheet.places(SIDE) and len(sheet.places(NAME)) > 3
    return TableAsked(
        mark=sheet.mark,
        columns=tuple(map(_column, sheet.columns)),
        likely=tuple(each for each, choice in zip(questions, past.choices, strict=True) if choice.doubtful),
        new=tuple(each for each, choice in zip(questions, past.choices, strict=True) if not choice.doubtful),
        first=None if not (bare or settings.first) else settings.first.isoformat() if settings.first else "",
        games=settings.games,
        zeros=settings.zeros,
        asks_games=bool(past.totals),
        asks_zeros=zeros or settings.zeros,
        opened=bool(sheet.lacks),
        dates=() if sheet.lacks else _dates(sheet, past.today),
        words=tuple(
            (word, MISSED + word.casefold(), word.casefold() in settings.missed)
            for word in dict.fromkeys((*past.words, *settings.missed))
        ),
        fractions=tuple(past.fractions[:MOST_FRACTIONS]),
        rounding=settings.rounding,
        partners=sheet.partners if asks_partners else "",
        partners_field=f"{PARTNERS}~{sheet.guessed_partners}",
    )


def _dates(sheet: SheetRead, today: date) -> tuple[DateChoice, ...]:
    return tuple(
        DateChoice(
            each.text[:40] or _("All lines"),
            each.field,
            each.day.isoformat() if each.day else "",
            wrong=each.used and (each.day is None or not EARLIEST <= each.day <= today),
        )
        for each in sheet.dates
        if not each.unclear
    )


def _column(column: ColumnRead) -> ColumnChoice:
    return ColumnChoice(
        column.heading[:40],
        ", ".join(column.samples),
        f"{COLUMN}{column.place}",
        tuple((key, spoken(meaning.label)) for key, meaning in MEANINGS.items()),
        column.meaning,
    )


def _game_line(line: PastLine) -> BroughtLine:
    day = "" if line.day is None else line.day.isoformat()
    return BroughtLine(
        line.number,
        (day, str(line.round), str(line.table), _sides(line)[:300]),
        "left" if line.left_out else "problem" if line.problem else "asked" if line.asked else "new",
        _line_says(line),
        answer_key(line),
        answer_labels(line.asked, _side_names(line)) if line.asked else (),
        _answered(line),
    )


def _sides(line: PastLine) -> str:
    """Return the sides of a game with their points, such as "Ann and Cid 21 – Bob and Dee 13"."""
    people = [
        _("%(name)s for %(regular)s", name=name, regular=regular) if regular else name
        for name, regular in zip(line.people, line.subs, strict=True)
    ]
    sides = len(line.points)
    if not sides or not people or len(people) % sides:
        return ", ".join((*people, *map(number, line.points)))
    return " – ".join(f"{join_names(people[side::sides])} {number(points)}" for side, points in enumerate(line.points))


def _totals_head(past: Past) -> tuple[str, ...]:
    return (_("Player"), *map(day_text, sorted(past.days)), *((_("Games"),) if _has_games(past) else ()))


def _has_games(past: Past) -> bool:
    return not past.sheet.places(NIGHT) and any(night.games for line in past.totals for night in line.nights)


def _total_line(line: TotalLine, past: Past) -> BroughtLine:
    points = {night.day: number(night.points) for night in line.nights}
    who = _("%(name)s for %(regular)s", name=line.name[:60], regular=line.sub[:60]) if line.sub else line.name[:60]
    games = [number(night.games) if night.games else "" for night in line.nights[:1]] if _has_games(past) else []
    cells = (who, *(points.get(day, "") for day in sorted(past.days)), *games)
    state = "left" if line.left_out else "problem" if line.problem else "new"
    return BroughtLine(line.number, cells, state, _line_says(line))


def _line_says(line: PastLine | TotalLine) -> str:
    """Return the text to show beside a line in the preview.

    The text is the problem, the question, the reason why the line is left out, or "new".
    """
    if line.left_out or line.problem:
        return spoken(line.left_out or line.problem)
    asked = line.asked if isinstance(line, PastLine) else None
    return spoken(asked.message) if asked else _("new")


def _answered(line: PastLine) -> str:
    """Return the chosen answer of a line as a form sends it, or an empty string if nothing was chosen."""
    said = line.said
    return "" if said is None or said.ended_by is None else Answer(said.ended_by, said.winner).value


def _side_names(line: PastLine) -> list[str]:
    """Return the name of each side of a line, such as "Ann and Cid".

    With two sides, for example, every other player around the table belongs to the same side.
    """
    sides = len(line.points)
    return [join_names(line.people[side::sides]) for side in range(sides)]


def left_behind(past: Past) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Return a table of the lines that aren't imported, as its headings and its rows.

    Each row begins with the number of the line and the reason.
    """
    says: Mapping[int, str] = {
        line.number: spoken(line.problem or line.left_out) for line in past.lines if line.problem or line.left_out
    }
    head = [_("Line"), _("Result"), *(column.heading for column in past.sheet.columns)]
    lines = [[str(number), says[number], *cells] for number, cells in past.sheet.lines if number in says]
    return head, lines
