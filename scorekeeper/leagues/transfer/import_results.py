"""Read past results from a spreadsheet, one game per line, for a preview before they are imported."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import zip_longest

from msgspec import Struct, structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.final_scores import AnswerNeeded, judged
from scorekeeper.leagues.core.models import NightRow, SeasonRow
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, NightPlan
from scorekeeper.leagues.transfer.columns import SheetRead
from scorekeeper.leagues.transfer.meanings import (
    BLANK,
    DAY,
    MISSED,
    NAME,
    PARTNERS,
    POINTS,
    ROUND,
    SCORE,
    SCORED,
    SIDE,
    SUB,
    TABLE,
    amount,
)
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import check_final, check_name
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import Table, seatings_for, sides_of, table_at
from scorekeeper.web.text import first_name_first, unaccented

MOST_TABLES = 100
MOST_WHOLE = 10_000
TOTALS = re.compile(
    r"(?:(?:grand|sub|team|weekly|night|nightly|season|overall)[ -]?)?"
    r"(?:totals?|totales|totaux|sums?|suma|somme|averages?|avg|moyenne|promedio|media|mean)"
    r"(?: (?:points|pts|score)| (?:of|per|by|for|de|des|du|del|par|por)\b.*)?[.:]?"
)
"""Pattern of the name of a line that has the sums or averages of other lines."""
FORMULA = re.compile(r"=.*[(!\d]")
"""Pattern of a formula without a stored result."""
EARLIEST = date(2000, 1, 1)
ANSWER = "ending-"
"""Prefix of the names of form fields with answers about how a game ended."""
NO_NAMES: Mapping[str, str | None] = {}
NO_ANSWERS: Mapping[str, str] = {}


class PastLine(Struct, frozen=True):
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


class PastDays(Struct, frozen=True):
    """The days for which results can be imported: those until `today` on which the season has no night yet."""

    taken: Collection[date]
    today: date

    def check(self, day: date | None, *, unclear: bool) -> None:
        """Raise `RuleViolation` unless a night on `day` can be imported.

        `unclear` says whether the date can be read two ways.
        """
        if unclear:
            raise RuleViolation("day", "This date can be read two ways. Choose below which number is the month.")
        if day is None:
            raise RuleViolation("day", "The date is missing or can't be read. Enter it under “Dates.”")
        if day > self.today:
            message = Phrase("%(day)s is after today. Correct the date under “Dates.”", day=day.isoformat())
            raise RuleViolation("day", message)
        if day < EARLIEST:
            message = Phrase("%(day)s is before 2000. Correct the date under “Dates.”", day=day.isoformat())
            raise RuleViolation("day", message)
        if day in self.taken:
            raise RuleViolation("day", Phrase("The season already has a night on %(day)s.", day=day.isoformat()))


def past_results(
    lines: Iterable[PastLine],
    rules: Ruleset,
    can_be: PastDays,
    *,
    names: Mapping[str, str | None] = NO_NAMES,
    answers: Mapping[str, str] = NO_ANSWERS,
    stops: bool = False,
) -> tuple[PastLine, ...]:
    """Return the games of a spreadsheet. Each line has its problem, its question or its result.

    `can_be` checks the days. `names` has the person that each name means (`names.resolved`). `answers` maps the
    `answer_key` of a line to the user's answer. `stops` says whether games may end before the target is reached.
    """
    return _judged([_as_people(line, names) for line in lines], rules, can_be, answers, stops=stops)


def game_lines(sheet: SheetRead, known: Collection[str] = ()) -> tuple[PastLine, ...]:
    """Return the games of a spreadsheet as read, without checking them. `known` has the names in the league.

    A line without a date or round has those of the line above. A line with several scores has as many games. If there
    are no columns for rounds or tables, or several scores, rounds and tables are numbered here.
    """
    there = {name.casefold() for name in known}
    told, above = list[PastLine](), dict[str, str]()
    several = sheet.places(SCORE)[1:]
    for number, cells in sheet.lines:
        whole_line = filled(sheet, cells, above)
        line = _read(number, whole_line, sheet, there, cell_of(sheet, cells, SCORE))
        if not line.left_out:
            above = {meaning: cell_of(sheet, cells, meaning) or above.get(meaning, "") for meaning in (DAY, ROUND)}
        told.append(line)
        scores = [cells[at] for at in several if at < len(cells) and cells[at] and not line.left_out]
        told += [_read(number, whole_line, sheet, there, score) for score in scores]
    if several or not sheet.places(ROUND):
        told = _in_rounds(told)
    if not sheet.places(TABLE):
        told = _at_tables(told)
    return tuple(told)


def cell_of(sheet: SheetRead, cells: Sequence[str], meaning: str) -> str:
    """Return the cell of a line in the first column with a meaning, or "" if there is none."""
    place = next(iter(sheet.places(meaning)), len(cells))
    return cells[place] if place < len(cells) else ""


def filled(sheet: SheetRead, cells: Sequence[str], above: Mapping[str, str]) -> Sequence[str]:
    """Return the cells of a line with the date and the round of the lines above, where these are written only once."""
    told = list(cells)
    day = cell_of(sheet, cells, DAY)
    for meaning, text in above.items():
        place = next(iter(sheet.places(meaning)), None)
        # A round is that of the line above only on the same night.
        if (
            place is None
            or not text
            or cell_of(sheet, cells, meaning)
            or (meaning != DAY and day not in ("", above[DAY]))
        ):
            continue
        told += [""] * (place + 1 - len(told))
        told[place] = text
    return told


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
        return structs.replace(line, left_out=Phrase("left out: you left out one of its names"))
    return structs.replace(line, people=tuple(filter(None, people)), subs=tuple(name or "" for name in subs))


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
        told.append(structs.replace(line, round=number))
    return told


def _at_tables(lines: Iterable[PastLine]) -> list[PastLine]:
    """Number the tables of each round, from 1."""
    tables: Counter[tuple[date | None, int]] = Counter()
    told = []
    for line in lines:
        if not line.left_out:
            tables[line.day, line.round] += 1
        told.append(structs.replace(line, table=tables[line.day, line.round]))
    return told


def _judged(
    told: Sequence[PastLine], rules: Ruleset, can_be: PastDays, answers: Mapping[str, str], *, stops: bool
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
            lines_judged.append(structs.replace(line, problem=""))
            continue
        try:
            table = _check(line, rules, can_be, seats, tables)
            said = judged(table, stops, line.points, answers.get(answer_key(line), ""))
        except AnswerNeeded as needed:
            asked = needed
        except RuleViolation as violation:
            problem = violation.message
        seats |= {(line.day, line.round, name.casefold()) for name in line.people}
        tables.add((line.day, line.round, line.table))
        lines_judged.append(structs.replace(line, problem=problem, asked=asked, said=said))
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


def days_of(session: Session, season: SeasonRow) -> frozenset[date]:
    """Return the days of the season's nights."""
    return frozenset(session.scalars(select(NightRow.day).where(NightRow.season_id == season.id, NightRow.number > 0)))


def partners_in(cell: str) -> list[str]:
    """Return the names of partners in one cell, such as "Ann / Bob", "Baker, Ann & Cole, Ben" or "Ann, Bob"."""
    names = PARTNERS.split(cell) if PARTNERS.search(cell) else cell.split(",")
    return [first_name_first(name.strip()) for name in names if name.strip()]


def _read(number: int, cells: Sequence[str], sheet: SheetRead, known: Collection[str], score: str) -> PastLine:
    def told(places: Iterable[int]) -> list[str]:
        return [cells[at] if at < len(cells) else "" for at in places]

    day = sheet.date_of(cell_of(sheet, cells, DAY))
    if sheet.places(SIDE):
        sides = [partners_in(cell) for cell in told(sheet.places(SIDE)) if cell]
        seats = [(name, "") for seat in zip_longest(*sides, fillvalue="") for name in seat]
    else:
        subs = dict(zip_longest(sheet.places(NAME), told(sheet.places(SUB))[: len(sheet.places(NAME))], fillvalue=""))
        names = zip(sheet.seats(), map(first_name_first, told(sheet.seats())), strict=True)
        seats = [(name, first_name_first(subs.get(place, ""))) for place, name in names]
    taken = [(seat, sub) for seat, sub in seats if seat]
    points, problem = _points(told(sheet.places(POINTS)), score)
    words = {name.casefold() for name, _sub in taken} - set(known)
    cells_of_points = {cell.casefold() for cell in (score, *told(sheet.places(POINTS)))}
    words |= cells_of_points if cells_of_points <= MISSED else set()
    unplayed = Phrase("left out: not played") if words & (MISSED - BLANK) else ""
    return PastLine(
        number,
        day.day,
        whole(cell_of(sheet, cells, ROUND)) or 0,
        whole(cell_of(sheet, cells, TABLE)) or 0,
        tuple(seat for seat, _sub in taken),
        points,
        problem,
        tuple(sub for _seat, sub in taken),
        day.unclear,
        left_out=unplayed if unplayed or len(taken) > 1 else left_out(cells, (name for name, _sub in taken), known),
    )


def _points(cells: Sequence[str], score: str) -> tuple[tuple[int, ...], str]:
    """Return the points of each side, and what is wrong with them or "". `score` is a cell like "21-13"."""
    told = [cell for cell in cells if cell]
    if both := SCORED.fullmatch(score):
        told = list(both.groups())
    elif score and not told:
        return (), Phrase("“%(cell)s” isn't a score like 21-13.", cell=score[:20])
    if any(map(FORMULA.match, told)):
        return (), NO_RESULT
    totals = [whole(cell) for cell in told]
    wrong = "" if None not in totals else Phrase("Points must be whole numbers.")
    return tuple(total for total in totals if total is not None), wrong


NO_RESULT = Phrase(
    "A cell has a formula without its result. Open the file in Excel, save it once, and upload it again."
)


def left_out(cells: Sequence[str], names: Iterable[str], known: Collection[str]) -> str:
    """Return why a line has no result to import, or an empty string if it may have one.

    `names` are the players of the line, and `known` has the names in the league, case-folded. A known player's line is
    never one of totals.
    """
    told = [cell for cell in cells if cell]
    players = [name for name in names if name]
    if any(name.casefold() in known for name in players):
        return ""
    if any(TOTALS.fullmatch(unaccented(name)) for name in players or told[:1]):
        return Phrase("left out: a line of totals")
    return Phrase("left out: no points") if len(told) < 2 else ""


def _check(
    line: PastLine,
    rules: Ruleset,
    can_be: PastDays,
    seats: set[tuple[date | None, int, str]],
    tables: set[tuple[date | None, int, int]],
) -> Table:
    if line.problem:
        raise RuleViolation("points", line.problem)
    can_be.check(line.day, unclear=line.unclear)
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
    """Return the whole number in a cell, such as "21", "21,0" or "21 pts", or None for any other text."""
    number = amount(text)
    return int(number) if number is not None and number.denominator == 1 and abs(number) < MOST_WHOLE else None
