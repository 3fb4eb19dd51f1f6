"""Read a spreadsheet that has only points by person and night, for a preview before they are imported.

Most clubs keep one line for each person and one column for each night. Such a spreadsheet doesn't say who sat at which
table, who were partners, or who won.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from scorekeeper.leagues.transfer.columns import (
    DAY,
    FIRST,
    GAMES,
    LAST,
    LOSSES,
    NAME,
    NIGHT,
    POINTS,
    SUB,
    TOTALS,
    WINS,
    SheetRead,
)
from scorekeeper.leagues.transfer.import_results import NO_NAMES, check_day, left_out, whole
from scorekeeper.leagues.transfer.spreadsheet_dates import is_unclear
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import check_name
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import unaccented

MISSED = frozenset(("", "-", "–", "—", "x", "abs", "abs.", "absent", "dnp", "n/a", "na", "off", "out", "ausente", "."))
"""Cell texts, in lower case, of people who missed the night."""
MARK = re.compile(
    r"\s*[([]\s*(?:sub|substitute|guest|suplente|remplacant|invitado|invite)\.?(?: for (.*?))?\s*[)\]]$|\*+$"
)
"""Pattern of the mark of a substitute after a name, such as "(sub)", "(sub for Ann)" or "*".

The group of the pattern matches the name of the regular player, such as "Ann".
"""
MOST_GAMES = 99


@dataclass(frozen=True, slots=True)
class NightTotal:
    """The points of a person on one night. `games`, `wins` and `losses` are None if unknown."""

    day: date | None
    points: int
    games: int | None = None
    wins: int | None = None
    losses: int | None = None
    unclear: bool = False


@dataclass(frozen=True, slots=True)
class TotalLine:
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


def past_totals(
    sheet: SheetRead, after: date | None, names: Mapping[str, str | None] = NO_NAMES
) -> tuple[TotalLine, ...]:
    """Return the lines of people and their nights. A line that can't be imported has a problem.

    `after` is the day of the season's last night. `names` has the person that each name means (`names.resolved`).
    """
    told, seen = [], set[tuple[str, date | None]]()
    for line in total_lines(sheet):
        checked = _as_person(line, names)
        problem = checked.problem
        if not (checked.left_out or problem):
            try:
                _check(checked, after, seen)
            except RuleViolation as violation:
                problem = violation.message
            else:
                seen |= {(checked.name.casefold(), night.day) for night in checked.nights}
        told.append(replace(checked, problem=problem))
    return tuple(told)


def total_lines(sheet: SheetRead) -> tuple[TotalLine, ...]:
    """Return the lines of a spreadsheet as read, before they are compared with the season."""
    return tuple(_read(number, cells, sheet) for number, cells in sheet.lines)


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
        return replace(line, left_out=line.left_out or Phrase("left out: you left out one of its names"))
    return replace(line, name=name, sub=sub)


def _read(number: int, cells: Sequence[str], sheet: SheetRead) -> TotalLine:
    def told(meaning: str) -> str:
        at = next(iter(sheet.places(meaning)), len(cells))
        return cells[at] if at < len(cells) else ""

    name = " ".join(filter(None, (told(FIRST), told(NAME), told(LAST))))
    mark = MARK.search(unaccented(name))
    regular = (name[mark.start(1) : mark.end(1)] if mark and mark[1] else "") or told(SUB)
    line = TotalLine(number, name[: mark.start()].strip() if mark else name, regular, (), left_out=left_out(cells))
    if line.left_out:
        return line
    if TOTALS.fullmatch(unaccented(line.name)):
        return replace(line, left_out=Phrase("left out: a line of totals"))
    try:
        nights = _nights(cells, sheet) if sheet.places(NIGHT) else _one_night(told, sheet)
    except RuleViolation as violation:
        return replace(line, problem=violation.message)
    return replace(line, nights=tuple(nights), left_out="" if nights else Phrase("left out: no points"))


def _nights(cells: Sequence[str], sheet: SheetRead) -> list[NightTotal]:
    """Return a person's nights from a spreadsheet that has one column for each night."""
    nights = []
    for column in sheet.columns:
        cell = cells[column.place] if column.meaning == NIGHT and column.place < len(cells) else ""
        points = _number(cell)
        if points is not None and not (sheet.settings.zeros and points == 0):
            nights.append(NightTotal(column.day, points, sheet.settings.games, unclear=column.unclear))
    return nights


def _one_night(told: Callable[[str], str], sheet: SheetRead) -> list[NightTotal]:
    """Return a person's night as a list, from a spreadsheet that has one line for each person and night.

    `told` returns the text of the line in the column with a given meaning. Return [] if the person missed the night.
    """
    points, day = _number(told(POINTS)), sheet.day(told(DAY)) if sheet.places(DAY) else sheet.settings.first
    if points is None:
        return []
    wins, losses = _number(told(WINS)), _number(told(LOSSES))
    games = _number(told(GAMES)) or sheet.settings.games
    if games is None and wins is not None and losses is not None:
        games = wins + losses or None
    return [NightTotal(day, points, games, wins, losses, unclear=day is None and is_unclear(told(DAY), sheet.order))]


def _number(cell: str) -> int | None:
    """Return the number in a cell, or None if the cell says that the player missed the night.

    Raises `RuleViolation` for any other text.
    """
    if cell.casefold() in MISSED:
        return None
    number = whole(cell)
    if number is None:
        raise RuleViolation("points", Phrase("“%(cell)s” isn't a whole number.", cell=cell[:20]))
    return number


def _check(line: TotalLine, after: date | None, seen: Collection[tuple[str, date | None]]) -> None:
    name = check_name(line.name)
    if line.sub and check_name(line.sub).casefold() == name.casefold():
        raise RuleViolation("sub", Phrase("%(name)s can't substitute for themselves.", name=name))
    days = [night.day for night in line.nights]
    for night in line.nights:
        if night.day is None and not night.unclear:
            raise RuleViolation("day", "This line has points for a night without a date.")
        check_day(night.day, after, unclear=night.unclear)
        if (name.casefold(), night.day) in seen or days.count(night.day) > 1:
            assert night.day is not None
            message = Phrase("%(name)s is listed twice on %(day)s.", name=name, day=night.day.isoformat())
            raise RuleViolation("twice", message)
        known = (night.wins or 0, night.losses or 0, 0 if night.games is None else night.games)
        if min(known) < 0 or max(known) > MOST_GAMES or (night.games is not None and sum(known[:2]) > night.games):
            raise RuleViolation("games", "Wins and losses add up to more than the games.")
