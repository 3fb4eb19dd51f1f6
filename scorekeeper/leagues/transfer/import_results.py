"""Read a spreadsheet of past results line by line, for a preview. `past_nights` imports them."""

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
from scorekeeper.rules.table import Table, set_table, sides_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import unaccented, whole_number

MOST_TABLES = 100
DECIMALS = re.compile(r"[.,]0+$")
"""Decimals that a spreadsheet may add to a whole number, like 21,0."""
PARTNERS = re.compile(r"\s*(?:[/&+]|\b(?:and|y|et|und)\b)\s*", re.IGNORECASE)
"""What stands between the partners in one cell."""
ANSWER = "ending-"
"""Prefix of the form fields with answers."""
NO_NAMES: Mapping[str, str | None] = {}
NO_ANSWERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class PastLine:
    """A line of the imported results: one game.

    `problem` is the error in it, or empty. `asked` is the question to answer before the import, None if there is none.
    `said` is the result to enter, None until nothing is left to ask.
    """

    number: int
    day: date | None
    round: int
    table: int
    people: tuple[str, ...]
    points: tuple[int, ...]
    problem: str = ""
    subs: tuple[str, ...] = ()
    """The regular that each of `people` plays for, empty if none."""
    unclear: bool = False
    """True if the date can be read two ways."""
    asked: AnswerNeeded | None = None
    said: EnterResult | None = None
    left_out: str = ""
    """Why the line is no result, empty if it is one."""


def past_results(
    sheet: SheetRead,
    rules: Ruleset,
    after: date | None,
    *,
    names: Mapping[str, str | None] = NO_NAMES,
    answers: Mapping[str, str] = NO_ANSWERS,
    stops: bool = False,
) -> tuple[PastLine, ...]:
    """Return the games of a spreadsheet, each line with its problem or question.

    `after` is the day of the season's last night. `names` has the person that each name means (`names.resolved`).
    `answers` are by `answer_key`. `stops` is True if games may end before the target.
    """
    return _judged([_as_people(line, names) for line in game_lines(sheet)], rules, after, answers, stops=stops)


def game_lines(sheet: SheetRead) -> tuple[PastLine, ...]:
    """Return the games of a spreadsheet as read. Rounds and card tables are counted if it has no columns for them."""
    told = [_read(number, cells, sheet) for number, cells in sheet.lines]
    if not sheet.places(ROUND):
        told = _in_rounds(told)
    if not sheet.places(TABLE):
        told = _at_tables(told)
    return tuple(told)


def names_in_games(lines: Iterable[PastLine]) -> Iterator[tuple[str, object]]:
    """Yield each name with the day and round of its game, as `names.name_choices` wants them."""
    for line in lines:
        if not line.left_out:
            for name in (*line.people, *filter(None, line.subs)):
                yield name, (line.day, line.round)


def _as_people(line: PastLine, names: Mapping[str, str | None]) -> PastLine:
    """Return the line with the people whom its names mean; left out if one of them is to be left out."""
    people = [names.get(name.casefold(), name) for name in line.people]
    subs = [names.get(name.casefold(), name) for name in line.subs]
    if None in people or None in subs:
        return replace(line, left_out=Phrase("left out: you left out one of its names"))
    return replace(line, people=tuple(filter(None, people)), subs=tuple(name or "" for name in subs))


def _in_rounds(lines: Iterable[PastLine]) -> list[PastLine]:
    """Return the lines with rounds: a game belongs to the first round in which all its players are free."""
    played: dict[tuple[date | None, str], int] = {}
    told = []
    for line in lines:
        keys = [(line.day, name.casefold()) for name in line.people]
        number = 1 + max((played.get(key, 0) for key in keys), default=0)
        played |= dict.fromkeys(keys, number)
        told.append(replace(line, round=number))
    return told


def _at_tables(lines: Iterable[PastLine]) -> list[PastLine]:
    """Return the lines with tables, counted in each round."""
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
    """Return the lines, each with its problem, question or result."""
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
    """Return the form field for the answer to a line's question. It changes with the points of the line."""
    return f"{ANSWER}{line.number}-{'_'.join(map(str, line.points))}"


def stops_early(season: SeasonRow) -> bool:
    """Return True if games of the season may end before the target, by a bell or after a number of hands."""
    plan = NightPlan.from_json(season.plan)
    return FORMATS[plan.format].bell != "none" or bool(plan.options.get("hands"))


def rules_of_season(season: SeasonRow) -> Ruleset:
    """Return the house rules of a season."""
    return with_options(PRESETS[season.preset], season.options)


def last_day(session: Session, season: SeasonRow) -> date | None:
    """Return the day of the season's last night, None if it has none."""
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
    """Return why a line holds no result, empty if it may hold one."""
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
    """Raise `RuleViolation` unless this is the day of a night that can be imported."""
    if unclear:
        raise RuleViolation("day", "This date can be read two ways. Choose below which number is the month.")
    if day is None:
        raise RuleViolation("day", "Write the date as 2026-09-01, 9/1/2026 or Sep 1, 2026.")
    if after is not None and day <= after:
        message = Phrase(
            "The season already has a night on or after %(day)s. Past results must come after it.", day=day.isoformat()
        )
        raise RuleViolation("day", message)


def table_of(rules: Ruleset, players: int, sides: int) -> Table:
    """Return a card table with this number of players and sides. Raises `RuleViolation` if the game has none."""
    for seating in rules.seatings:
        if seating.players == players and len(sides_of(seating)) == sides:
            return set_table(rules, players, sides_of(seating))
    message = Phrase(
        "This line has %(players)s players and %(points)s scores, which doesn't fit this game.",
        players=players,
        points=sides,
    )
    raise RuleViolation("seats", message)


def whole(text: str) -> int | None:
    """Return the whole number in a cell, also as 21,0 or with an asterisk for a footnote; None if it is none."""
    return whole_number(DECIMALS.sub("", text.removesuffix("*").strip()), 4, signed=True)
