"""Read a spreadsheet that has only points by person and night, for a preview before they are imported.

Most clubs keep one line for each person and one column for each night. Such a spreadsheet doesn't say who sat at which
table, who were partners, or who won.

Read a spreadsheet of past results for a season, using the user's answers about it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from math import floor

from msgspec import Struct, field, structs

from scorekeeper.leagues.transfer.columns import (
    NO_DATE,
    NOTHING_SAID,
    UP,
    DateRead,
    SheetRead,
    TableSettings,
    read_sheet,
)
from scorekeeper.leagues.transfer.import_results import (
    FORMULA,
    MOST_WHOLE,
    NO_NAMES,
    NO_RESULT,
    PastDays,
    PastLine,
    cell_of,
    filled,
    game_lines,
    left_out,
    names_in_games,
    partners_in,
    past_results,
)
from scorekeeper.leagues.transfer.meanings import (
    BLANK,
    DAY,
    FIRST,
    GAMES,
    LAST,
    LOSSES,
    MISSED,
    NAME,
    NIGHT,
    POINTS,
    SIDE,
    SUB,
    THOUSANDS,
    TIES,
    TOTAL,
    WINS,
    amount,
    meaning_of,
)
from scorekeeper.leagues.transfer.names import NEW, NameChoice, name_choices, new_names, resolved
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import check_name
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.web.text import first_name_first, unaccented

MARK = re.compile(
    r"\s*[([]\s*(?:sub|substitute|guest|suplente|remplacant|invitado|invite)\.?(?: for (.*?))?\s*[)\]]$|\*+$"
)
"""Pattern of the mark of a substitute after a name, such as "(sub)", "(sub for Ann)" or "*".

The group of the pattern matches the name of the regular player, such as "Ann".
"""
MOST_GAMES = 99


class NightTotal(Struct, frozen=True):
    """The points of a person on one night. `games`, `wins` and `losses` are None if unknown."""

    day: date | None
    points: int
    games: int | None = None
    wins: int | None = None
    losses: int | None = None
    unclear: bool = False


class TotalLine(Struct, frozen=True):
    """A line of the imported totals: a person and their nights.

    `sub` is the name of the regular for whom the person played, or empty. `problem` is the error in the line, or empty.
    `left_out` says why a line without an error isn't imported, or is empty.
    """

    number: int
    name: str
    sub: str
    nights: tuple[NightTotal, ...]
    problem: str = ""
    left_out: str = ""
    total: str = ""
    """The cell with the sum of the points, to compare; empty if there is none."""
    missed: frozenset[str] = frozenset()
    """Words that say that the player missed a night."""
    word: str = ""
    """The text that should be a number, if the problem is that it isn't one."""
    told: frozenset[str] = frozenset()
    """Cells that were rounded, and those with thousands."""

    @property
    def points(self) -> int:
        """Return the points of all nights of the line."""
        return sum(night.points for night in self.nights)


def past_totals(
    lines: Iterable[TotalLine], can_be: PastDays, names: Mapping[str, str | None] = NO_NAMES
) -> tuple[TotalLine, ...]:
    """Return the lines of people and their nights. A line that can't be imported has a problem.

    `can_be` checks the days. `names` has the person that each name means (`names.resolved`).
    """
    told, seen = [], set[tuple[str, date | None]]()
    for line in lines:
        checked = _as_person(line, names)
        problem = checked.problem
        if not (checked.left_out or problem):
            try:
                _check(checked, can_be, seen)
            except RuleViolation as violation:
                problem = violation.message
            else:
                seen |= {(checked.name.casefold(), night.day) for night in checked.nights}
        told.append(structs.replace(checked, problem=problem))
    return tuple(told)


def total_lines(sheet: SheetRead, known: Collection[str] = ()) -> tuple[TotalLine, ...]:
    """Return the lines of a spreadsheet as read, before they are compared with the season.

    `known` has the names in the league. A line without a date has that of the line above. The line of two partners
    becomes a line for each of them, with all of its points.
    """
    there = {name.casefold() for name in known}
    told, day = list[TotalLine](), ""
    for number, cells in sheet.lines:
        line = _read(number, filled(sheet, cells, {DAY: day}), sheet, there)
        if not line.left_out:
            day = cell_of(sheet, cells, DAY) or day
        names = [line.name] if sheet.named or line.left_out else partners_in(line.name)
        told += [structs.replace(line, name=name) for name in names]
    return tuple(told)


def names_in_totals(lines: Iterable[TotalLine]) -> Iterator[tuple[str, object]]:
    """Yield the pair (name, day) for each name on each night, as `names.name_choices` needs it.

    A regular player who had a substitute is yielded with None instead of a day. Lines that are left out are skipped.
    """
    for line in lines:
        if not line.left_out and line.name:
            for night in line.nights:
                yield line.name, night.day
            if line.sub:
                yield line.sub, None


def _as_person(line: TotalLine, names: Mapping[str, str | None]) -> TotalLine:
    name, sub = names.get(line.name.casefold(), line.name), names.get(line.sub.casefold(), line.sub)
    if name is None or sub is None:
        return structs.replace(line, left_out=line.left_out or Phrase("left out: you left out one of its names"))
    return structs.replace(line, name=name, sub=sub)


def _read(number: int, cells: Sequence[str], sheet: SheetRead, known: Collection[str]) -> TotalLine:
    def told(meaning: str) -> str:
        return cell_of(sheet, cells, meaning)

    name = " ".join(filter(None, (told(FIRST), told(NAME), told(LAST)))) if sheet.named else told(SIDE)
    mark = MARK.search(unaccented(name))
    regular = (name[mark.start(1) : mark.end(1)] if mark and mark[1] else "") or told(SUB)
    name = name[: mark.start()].strip() if mark else name
    name, regular = (first_name_first(name), first_name_first(regular)) if sheet.named else (name, regular)
    total = "" if FORMULA.match(told(TOTAL)) else told(TOTAL)
    line = TotalLine(number, name, regular, (), left_out=left_out(cells, (name,), known), total=total)
    if not line.left_out and sheet.turned and meaning_of(name, stems=False) and name.casefold() not in known:
        line = structs.replace(line, left_out=Phrase("left out: not a player"))
    if line.left_out:
        return line
    counted = _Cells(sheet.settings)
    try:
        nights = _nights(cells, sheet, counted) if sheet.places(NIGHT) else _one_night(told, sheet, counted)
    except RuleViolation as violation:
        word = violation.field or ""
        return structs.replace(line, problem=violation.message, word=word)
    left = "" if nights else Phrase("left out: no points")
    return structs.replace(
        line, nights=tuple(nights), left_out=left, missed=frozenset(counted.found), told=frozenset(counted.told)
    )


class _Cells:
    """Reads the numbers of a line. `found` collects texts that mean a missed night, `told` the other unusual cells."""

    def __init__(self, settings: TableSettings) -> None:
        self.settings, self.found, self.told = settings, set[str](), set[str]()

    def number(self, cell: str) -> int | None:
        """Return the number in a cell, or None if the cell says that the player missed the night.

        Raises `RuleViolation` for any other text.
        """
        if cell.casefold() in MISSED or cell.casefold() in self.settings.missed:
            self.found |= {cell} if cell not in BLANK else set()
            return None
        if FORMULA.match(cell):
            raise RuleViolation("points", NO_RESULT)
        number = amount(cell)
        if number is not None and number.denominator > 1 and self.settings.rounding:
            self.told.add(cell)
            number = Fraction(floor(number + Fraction(1, 2)) if self.settings.rounding == UP else int(number))
        if number is None or number.denominator > 1 or abs(number) >= MOST_WHOLE:
            raise RuleViolation("points", Phrase("“%(cell)s” isn't a whole number.", cell=cell[:20]), field=cell)
        if THOUSANDS.fullmatch(cell):
            self.told.add(cell)
        return int(number)


def _nights(cells: Sequence[str], sheet: SheetRead, counted: _Cells) -> list[NightTotal]:
    """Return a person's nights from a spreadsheet that has one column for each night."""
    nights = []
    for column in sheet.columns:
        cell = cells[column.place] if column.meaning == NIGHT and column.place < len(cells) else ""
        points, day = counted.number(cell), column.night or NO_DATE
        if points is not None and not (sheet.settings.zeros and points == 0):
            nights.append(NightTotal(day.day, points, sheet.settings.games, unclear=day.unclear))
    return nights


def _one_night(told: Callable[[str], str], sheet: SheetRead, counted: _Cells) -> list[NightTotal]:
    """Return a person's night as a list, from a spreadsheet that has one line for each person and night.

    `told` returns the text of the line in the column with a given meaning. Return [] if the person missed the night.
    """
    points = counted.number(told(POINTS))
    day: DateRead = sheet.date_of(told(DAY)) if sheet.places(DAY) else next(iter(sheet.dates), NO_DATE)
    if points is None:
        return []
    wins, losses, ties = (counted.number(told(meaning)) for meaning in (WINS, LOSSES, TIES))
    games = counted.number(told(GAMES)) or sheet.settings.games
    if games is None and wins is not None and losses is not None:
        games = wins + losses + (ties or 0) or None
    if games is not None and ties is not None and (wins or 0) + (losses or 0) + ties > games:
        raise RuleViolation("games", "Wins, losses and ties add up to more than the games.")
    return [NightTotal(day.day, points, games, wins, losses, unclear=day.unclear)]


def _check(line: TotalLine, can_be: PastDays, seen: Collection[tuple[str, date | None]]) -> None:
    name = check_name(line.name)
    if line.sub and check_name(line.sub).casefold() == name.casefold():
        raise RuleViolation("sub", Phrase("%(name)s can't substitute for themselves.", name=name))
    days = [night.day for night in line.nights]
    for night in line.nights:
        can_be.check(night.day, unclear=night.unclear)
        if (name.casefold(), night.day) in seen or days.count(night.day) > 1:
            assert night.day is not None
            message = Phrase("%(name)s is listed twice on %(day)s.", name=name, day=night.day.isoformat())
            raise RuleViolation("twice", message)
        known = (night.wins or 0, night.losses or 0, 0 if night.games is None else night.games)
        if min(known) < 0 or max(known) > MOST_GAMES or (night.games is not None and sum(known[:2]) > night.games):
            raise RuleViolation("games", "Wins and losses add up to more than the games.")


NUMBER_LIKE = re.compile(r"[(+−-]?[\d.,/½ ]+\)?|#.*")
"""Pattern of a cell that is no whole number but no word either, such as "40,5", "(2)" and "#DIV/0!"."""
MOST_UNKNOWN = 300
"""Maximum number of unknown names that one page asks about."""


class PastSeason(Struct, frozen=True):
    """The data of a season that past results are checked against.

    `days` are the days of its nights. `stops` says whether games may end before the target is reached. `known` has the
    names of the people in the league.
    """

    rules: Ruleset
    days: Collection[date]
    stops: bool
    known: Collection[str]


class Said(Struct, frozen=True):
    """The user's answers about a spreadsheet.

    `settings` has the answers about columns and dates. `names` says which people are meant, and `endings` says how
    doubtful games ended. The keys of `names` and `endings` are the names of form fields.
    """

    settings: TableSettings = NOTHING_SAID
    names: Mapping[str, str] = field(default_factory=dict)
    endings: Mapping[str, str] = field(default_factory=dict)
    without: int = 0
    """Number of wrong lines that the preview showed, which may be skipped."""


class Past(Struct, frozen=True):
    """A spreadsheet as read.

    `choices` are the unknown names, with the user's decisions. If each line of the spreadsheet is a game, `games` has
    the lines. If each line is a person with points, `totals` has the lines.
    """

    sheet: SheetRead
    choices: tuple[NameChoice, ...]
    games: tuple[PastLine, ...]
    totals: tuple[TotalLine, ...]
    today: date

    @property
    def lines(self) -> tuple[PastLine | TotalLine, ...]:
        """Return all lines, whether they are games or totals."""
        return (*self.games, *self.totals)

    @property
    def wrong(self) -> int:
        """Return the number of lines with a problem."""
        return sum(bool(line.problem) for line in self.lines)

    @property
    def good_games(self) -> list[PastLine]:
        """Return the games that can be imported."""
        return [line for line in self.games if not (line.problem or line.left_out)]

    @property
    def good_totals(self) -> list[TotalLine]:
        """Return the lines of people whose points can be imported."""
        return [line for line in self.totals if not (line.problem or line.left_out)]

    @property
    def days(self) -> set[date]:
        """Return the days of the nights that can be imported."""
        days = {line.day for line in self.good_games} | {each.day for line in self.good_totals for each in line.nights}
        return {day for day in days if day}

    @property
    def words(self) -> list[str]:
        """Return the texts in the place of points that may mean that the player missed the night."""
        return list(
            dict.fromkeys(line.word for line in self.totals if line.word and not NUMBER_LIKE.fullmatch(line.word))
        )

    @property
    def fractions(self) -> list[str]:
        """Return the cells with fractions of points that the user must say what to do with."""
        words = dict.fromkeys(line.word for line in self.totals)
        return [word for word in words if (number := amount(word)) is not None and number.denominator > 1]

    @property
    def told(self) -> list[str]:
        """Return the cells that were rounded, and those with thousands."""
        return sorted({cell for line in self.totals for cell in line.told})

    @property
    def missed(self) -> list[str]:
        """Return the words that were read as a missed night."""
        return sorted(sorted({word for line in self.totals for word in line.missed}), key=str.casefold)

    @property
    def people(self) -> list[str]:
        """Return the names in the lines that can be imported, also of regulars who had a substitute."""
        games = (name for line in self.good_games for name in (*line.people, *line.subs))
        return [*filter(None, (*games, *(name for line in self.good_totals for name in (line.name, line.sub))))]

    @property
    def new(self) -> list[str]:
        """Return the names for which new players will be added."""
        there = {name.casefold() for name in self.people}
        return [name for name in new_names(self.choices) if name.casefold() in there]

    @property
    def unclear(self) -> bool:
        """Return whether any date can be read two ways."""
        lines = any(line.unclear for line in self.games)
        return lines or self.sheet.unclear or any(night.unclear for line in self.totals for night in line.nights)

    @property
    def unreadable(self) -> bool:
        """Return whether the user must explain the columns or dates before the lines can be checked."""
        return bool(self.unclear or self.sheet.asks_first or self.sheet.lacks)

    @property
    def asks(self) -> bool:
        """Return whether the user must answer anything before the import."""
        choose = any(not choice.answer for choice in self.choices) or any(line.asked for line in self.games)
        return self.unreadable or choose

    def is_agreed(self, said: Said) -> bool:
        """Return whether the import may go ahead.

        An import needs at least one night, and no open questions. The preview must have shown all wrong lines and all
        new players. `said` has the user's answers.
        """
        shown = all(choice.told for choice in self.choices if choice.answer == NEW)
        return bool(self.days) and not self.asks and self.wrong <= said.without and shown


def read_past(text: str, season: PastSeason, said: Said, today: date) -> Past:
    """Read the spreadsheet in `text`, and return it with its problems and questions.

    `said` has the user's answers so far. Raises `RuleViolation` if the text isn't a spreadsheet, or if it has more than
    `MOST_UNKNOWN` unknown names.
    """
    sheet = read_sheet(text, said.settings, today)
    if sheet.lacks:
        return Past(sheet, (), (), (), today)
    games = game_lines(sheet, season.known) if sheet.has_games else ()
    totals = () if sheet.has_games else total_lines(sheet, season.known)
    told = [*names_in_games(games), *names_in_totals(totals)]
    unknown = {name.casefold() for name, _where in told} - {name.casefold() for name in season.known}
    if len(unknown) > MOST_UNKNOWN:  # each is compared with all others
        message = Phrase(
            "This table has %(names)s names that aren't in the league. Import the players first.", names=len(unknown)
        )
        raise RuleViolation("sheet_names", message)
    choices = name_choices(told, season.known, said.names)
    names, can_be = resolved(choices, season.known), PastDays(season.days, today)
    games = past_results(games, season.rules, can_be, names=names, answers=said.endings, stops=season.stops)
    return Past(sheet, choices, games, past_totals(totals, can_be, names), today)
