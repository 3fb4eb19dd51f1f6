"""Read past results from a spreadsheet, one game per line, for a preview before they are imported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import NightRow, SeasonRow
from scorekeeper.leagues.nights.final_scores import AnswerNeeded, judged
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, NightPlan
from scorekeeper.leagues.transfer.columns import DAY, NAME, POINTS, ROUND, SIDE, SUB, TABLE, TOTALS, SheetRead
from scorekeeper.leagues.transfer.spreadsheet_dates import is_unclear
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import check_final, check_name
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import Table, seatings_for, sides_of, table_at
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import unaccented, whole_number

MOST_TABLES = 100
DECIMALS = re.compile(r"[.,]0+$")
"""Decimals that a spreadsheet may add to a whole number, like 21,0."""
PARTNERS = re.compile(r"\s*(?:[/&+]|\b(?:and|y|et|und)\b)\s*", re.IGNORECASE)
"""Separator between partners in one cell, such as "/" or "and"."""
ANSWER = "ending-"
"""Prefix of the names of form fields with answers about how a game ended."""
NO_NAMES: Mapping[str, str | None] = {}
NO_ANSWERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class PastLine:
    """A line of the imported results, which is one game.

    `problem` is the error in the line, or empty. `asked` is a question to answer before the import, or None. `said` is
    the result of the game, or None while there is a problem or a question.
    """

    number: int
    day: date | None
    round: int
    table: int
    people: tuple[str, ...]
    points: tuple[int, ...]
    problem: str = ""
    subs: tuple[str, ...] = ()
    """For each of `people`, the regular player for whom they substitute, or an empty string."""
    unclear: bool = False
    """True if the date can be read two ways."""
    asked: AnswerNeeded | None = None
    said: EnterResult | None = None
    left_out: str = ""
    """Why the line isn't imported although it has no error, or an empty string.

    For example, a line of totals isn't imported.
    """


def past_results(
    sheet: SheetRead,
    rules: Ruleset,
    after: date | None,
    *,
    names: Mapping[str, str | None] = NO_NAMES,
    answers: Mapping[str, str] = NO_ANSWERS,
    stops: bool = False,
) -> tuple[PastLine, ...]:
    """Return the games of a spreadsheet. Each line has its problem, its question or its result.

    `after` is the day of the season's last night. `names` has the person that each name means (`names.resolved`).
    `answers` maps the `answer_key` of a line to the user's answer. `stops` says whether games may end before the target
    is reached.
    """
    return _judged([_as_people(line, names) for line in game_lines(sheet)], rules, after, answers, stops=stops)


def game_lines(sheet: SheetRead) -> tuple[PastLine, ...]:
    """Return the games of a spreadsheet as read, without checking them.

    If there are no columns for rounds or tables, rounds and tables are numbered here.
    """
    told = [_read(number, cells, sheet) for number, cells in sheet.lines]
    if not sheet.places(ROUND):
        told = _in_rounds(told)
    if not sheet.places(TABLE):
        told = _at_tables(told)
    return tuple(told)


def names_in_games(lines: Iterable[PastLine]) -> Iterator[tuple[str, object]]:
    """Yield the pair (name, (day, round)) for each name in each game, as `names.name_choices` needs it.

    Lines that are left out are skipped.
    """
    for line in lines:
        if not line.left_out:
            for name in (*line.people, *filter(None, line.subs)):
                yield name, (line.day, line.round)


def _as_people(line: PastLine, names: Mapping[str, str | None]) -> PastLine:
    """Replace the names in a line with the names of the league that they mean, and return the line.

    The line is left out if one of its names is mapped to None.
    """
    people = [names.get(name.casefold(), name) for name in line.people]
    subs = [names.get(name.casefold(), name) for name in line.subs]
    if None in people or None in subs:
        return replace(line, left_out=Phrase("left out: you left out one of its names"))
    return replace(line, people=tuple(filter(None, people)), subs=tuple(name or "" for name in subs))


def _in_rounds(lines: Iterable[PastLine]) -> list[PastLine]:
    """Number the rounds of the games of each day.

    The number of a game is one more than the last round in which any of its players already played on that day.
    """
    played: dict[tuple[date | None, str], int] = {}
    told = []
    for line in lines:
        keys = [(line.day, name.casefold()) for name in line.people]
        number = 1 + max((played.get(key, 0) for key in keys), default=0)
        played |= dict.fromkeys(keys, number)
        told.append(replace(line, round=number))
    return told


def _at_tables(lines: Iterable[PastLine]) -> list[PastLine]:
    """Number the tables of each round, from 1."""
    tables: Counter[tuple[date | None, int]] = Counter()
    told = []
    for line in lines:
        if not line.left_out:
            tables[line.day, line.round] += 1
        told.append(replace(line, table=tables[line.day, line.round]))
    return told


def _judged(
    told: Sequence[PastLine], rules: Ruleset, after: date | None, answers: Mapping[str, str], *, stops: bool
) -> tuple[PastLine, ...]:
    """Check the lines in `told`, and return each line with its problem, its question or its result filled in.

    The parameters are as in `past_results`. Lines that are left out aren't checked.
    """
    seats: set[tuple[date | None, int, str]] = set()
    tables: set[tuple[date | None, int, int]] = set()
    lines_judged = []
    for line in told:
        problem, asked, said = "", None, None
        if line.left_out:
            lines_judged.append(replace(line, problem=""))
            continue
        try:
            table = _check(line, rules, after, seats, tables)
            said = judged(table, stops, line.points, answers.get(answer_key(line), ""))
        except AnswerNeeded as needed:
            asked = needed
        except RuleViolation as violation:
            problem = violation.message
        seats |= {(line.day, line.round, name.casefold()) for name in line.people}
        tables.add((line.day, line.round, line.table))
        lines_judged.append(replace(line, problem=problem, asked=asked, said=said))
    return tuple(lines_judged)


def answer_key(line: PastLine) -> str:
    """Return the name of the form field for the answer to a line's question.

    The name changes if the points of the line change.
    """
    return f"{ANSWER}{line.number}-{'_'.join(map(str, line.points))}"


def stops_early(season: SeasonRow) -> bool:
    """Return whether games of the season may end before the target is reached, by a bell or after a number of hands."""
    plan = NightPlan.from_json(season.plan)
    return FORMATS[plan.format].bell != "none" or bool(plan.options.get("hands"))


def rules_of_season(season: SeasonRow) -> Ruleset:
    """Return the rules of a season's game, including its house rules."""
    return with_options(PRESETS[season.preset], season.options)


def last_day(session: Session, season: SeasonRow) -> date | None:
    """Return the day of the season's last night, or None if it has no nights."""
    return session.scalar(select(func.max(NightRow.day)).where(NightRow.season_id == season.id, NightRow.number > 0))


def _read(number: int, cells: Sequence[str], sheet: SheetRead) -> PastLine:
    def told(meaning: str) -> list[str]:
        return [cells[at] if at < len(cells) else "" for at in sheet.places(meaning)]

    day, names = (told(DAY) or [""])[0], told(NAME)
    sides = [PARTNERS.split(cell) for cell in told(SIDE) if cell]
    seats = [name for seat in zip_longest(*sides, fillvalue="") for name in seat] if sides else names
    subs = [] if sides else told(SUB)
    taken = [(seat, sub) for seat, sub in zip_longest(seats, subs[: len(seats)], fillvalue="") if seat]
    totals = tuple(whole(text) for text in told(POINTS) if text)
    return PastLine(
        number,
        sheet.day(day),
        whole((told(ROUND) or [""])[0]) or 0,
        whole((told(TABLE) or [""])[0]) or 0,
        tuple(seat for seat, _sub in taken),
        tuple(total for total in totals if total is not None),
        "" if None not in totals else Phrase("Points must be whole numbers."),
        tuple(sub for _seat, sub in taken),
        sheet.day(day) is None and is_unclear(day, sheet.order),
        left_out=left_out(cells),
    )


def left_out(cells: Sequence[str]) -> str:
    """Return why a line has no result to import, or an empty string if it may have one."""
    filled = [cell for cell in cells if cell]
    if TOTALS.fullmatch(unaccented(filled[0])):
        return Phrase("left out: a line of totals")
    if len(filled) == 1:
        return Phrase("left out: no points")
    return ""


def _check(
    line: PastLine,
    rules: Ruleset,
    after: date | None,
    seats: set[tuple[date | None, int, str]],
    tables: set[tuple[date | None, int, int]],
) -> Table:
    if line.problem:
        raise RuleViolation("points", line.problem)
    check_day(line.day, after, unclear=line.unclear)
    if not 1 <= line.round <= MOST_ROUNDS or not 1 <= line.table <= MOST_TABLES:
        raise RuleViolation("round", "Round and table must be numbers from 1 up.")
    if (line.day, line.round, line.table) in tables:
        raise RuleViolation("table", "This table is listed twice in this round.")
    names = [check_name(name) for name in line.people]
    for index, name in enumerate(names):
        if (line.day, line.round, name.casefold()) in seats or name.casefold() in map(str.casefold, names[:index]):
            raise RuleViolation("seat", Phrase("%(name)s has two seats in this round.", name=name))
    for name, regular in zip(names, line.subs, strict=False):
        if regular and check_name(regular).casefold() == name.casefold():
            raise RuleViolation("sub", Phrase("%(name)s can't substitute for themselves.", name=name))
    table = table_of(rules, len(names), len(line.points))
    check_final(table, list(line.points))
    return table


def check_day(day: date | None, after: date | None, *, unclear: bool) -> None:
    """Raise `RuleViolation` unless a night on `day` can be imported.

    `after` is the day of the season's last night. `unclear` says whether the date can be read two ways.
    """
    if unclear:
        raise RuleViolation("day", "This date can be read two ways. Choose below which number is the month.")
    if day is None:
        raise RuleViolation("day", "Write the date as 2026-09-01, 9/1/2026 or Sep 1, 2026.")
    if after is not None and day <= after:
        message = Phrase(
            "The season already has a night on %(day)s or later. You can only import nights that are later than all "
            "nights already in the season.",
            day=day.isoformat(),
        )
        raise RuleViolation("day", message)


def table_of(rules: Ruleset, players: int, sides: int) -> Table:
    """Return a card table for this number of players and sides.

    Raises `RuleViolation` if the game can't be played with these numbers.
    """
    for seating in seatings_for(rules, players):
        if len(sides_of(seating)) == sides:
            return table_at(rules, seating)
    message = Phrase(
        "This line has %(players)s players and %(points)s scores, which doesn't fit this game.",
        players=players,
        points=sides,
    )
    raise RuleViolation("seats", message)


def whole(text: str) -> int | None:
    """Return the whole number in a cell, such as "21", "21,0" or "21*" with a footnote, or None for any other text."""
    return whole_number(DECIMALS.sub("", text.removesuffix("*").strip()), 4, signed=True)
