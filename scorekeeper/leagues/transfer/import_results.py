"""Read a table of past results line by line, for a preview. `past_nights` imports them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import NightRow, SeasonRow
from scorekeeper.leagues.nights.final_scores import AnswerNeeded, judged
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, NightPlan
from scorekeeper.leagues.transfer.spreadsheet import columns_of, lines_of
from scorekeeper.leagues.transfer.spreadsheet_dates import Order, day_of, is_unclear, order_of
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import check_final, check_name
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import Table, set_table, sides_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import whole_number

DAY, TABLE = ("date", "night date", "day", "fecha", "día"), ("table", "mesa")
ROUND = ("round", "ronda", "ronde", "tour")
SUBS = ("plays for", "substitute for", "sub for")
SEATS, POINTS = ("player", "seat", "name", "jugador", "joueur"), ("points", "score", "puntos")
MOST_TABLES = 100
DECIMALS = re.compile(r"[.,]0+$")
"""Decimals that a spreadsheet may add to a whole number, like 21,0."""
ANSWER = "ending-"
"""Prefix of the form fields with answers."""
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


def past_results(
    text: str,
    rules: Ruleset,
    after: date | None,
    *,
    order: Order = "",
    answers: Mapping[str, str] = NO_ANSWERS,
    stops: bool = False,
) -> tuple[PastLine, ...]:
    """Return the games of a table, each line with its problem or question.

    The columns are date, round, table, a player for each seat, points for each side, and optionally the regular that
    each player plays for. `after` is the day of the season's last night. `order` decides dates that can be read two
    ways. `answers` are by `answer_key`. `stops` is True if games may end before the target. Raises `RuleViolation` if
    the text is not a table of results.
    """
    lines = lines_of(text)
    head = lines[0][1] if lines else []
    places = [columns_of(head, words) for words in (DAY, ROUND, TABLE, SEATS, POINTS)]
    if not all(places):
        message = Phrase(
            "The first line must name the columns: date, round, table, player 1, player 2 …, points 1, points 2 …"
        )
        raise RuleViolation("sheet_head", message)
    days = [cells[places[0][0]] for _number, cells in lines[1:] if places[0][0] < len(cells)]
    order = order_of(days) or order
    places.append(columns_of(head, SUBS))
    told = [_read(number, cells, places, order) for number, cells in lines[1:]]
    return _judged(told, rules, after, answers, stops=stops)


def _judged(
    told: Sequence[PastLine], rules: Ruleset, after: date | None, answers: Mapping[str, str], *, stops: bool
) -> tuple[PastLine, ...]:
    """Return the lines, each with its problem, question or result."""
    seats: set[tuple[date | None, int, str]] = set()
    tables: set[tuple[date | None, int, int]] = set()
    lines_judged = []
    for line in told:
        problem, asked, said = "", None, None
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


def _read(number: int, cells: Sequence[str], places: Sequence[Sequence[int]], order: Order) -> PastLine:
    days, rounds, tables, seats, points, subs = (
        [cells[i] if i < len(cells) else "" for i in columns] for columns in places
    )
    taken = [(seat, sub) for seat, sub in zip_longest(seats, subs[: len(seats)], fillvalue="") if seat]
    totals = tuple(_number(text) for text in points if text)
    return PastLine(
        number, day_of(days[0], order), _number(rounds[0]) or 0, _number(tables[0]) or 0,
        tuple(seat for seat, _sub in taken),
        tuple(total for total in totals if total is not None),
        "" if None not in totals else Phrase("Points must be whole numbers."),
        tuple(sub for _seat, sub in taken), is_unclear(days[0], order),
    )  # fmt: skip


def _check(
    line: PastLine,
    rules: Ruleset,
    after: date | None,
    seats: set[tuple[date | None, int, str]],
    tables: set[tuple[date | None, int, int]],
) -> Table:
    if line.problem:
        raise RuleViolation("points", line.problem)
    if line.unclear:
        raise RuleViolation("day", "This date can be read two ways. Choose below which number is the month.")
    if line.day is None:
        raise RuleViolation("day", "Write the date as 2026-09-01, 9/1/2026 or Sep 1, 2026.")
    if after is not None and line.day <= after:
        raise RuleViolation(
            "day",
            Phrase(
                "The season already has a night on or after %(day)s. Past results must come after it.",
                day=line.day.isoformat(),
            ),
        )
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


def table_of(rules: Ruleset, players: int, sides: int) -> Table:
    """Return a table with this number of players and sides. Raises `RuleViolation` if the game has none."""
    for seating in rules.seatings:
        if seating.players == players and len(sides_of(seating)) == sides:
            return set_table(rules, players, sides_of(seating))
    message = Phrase(
        "This line has %(players)s players and %(points)s scores, which doesn't fit this game.",
        players=players,
        points=sides,
    )
    raise RuleViolation("seats", message)


def _number(text: str) -> int | None:
    return whole_number(DECIMALS.sub("", text), 4, signed=True)
