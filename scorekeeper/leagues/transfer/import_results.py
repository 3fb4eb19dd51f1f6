"""Results of nights that were played before: looked at line by line, then brought in as nights that are closed.

Lines that cannot be are left out where somebody saw that and said so. Such a night has final scores only, no hands, no
byes and no money, and comes after every night that the season has already.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from itertools import zip_longest

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.store.game_export import ExportLine, Whole, make_ready, put
from scorekeeper.leagues.core.access import take_charge_of_season
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, PresentRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.nights.final_scores import AnswerNeeded, judged
from scorekeeper.leagues.nights.service import MOST_HERE
from scorekeeper.leagues.people.service import MOST_PEOPLE
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, NightPlan
from scorekeeper.leagues.standings.closed_nights import sum_up
from scorekeeper.leagues.transfer.spreadsheet import columns_of, lines_of
from scorekeeper.leagues.transfer.spreadsheet_dates import Order, day_of, is_unclear, order_of
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import EnterResult, decide
from scorekeeper.rules.game import replay
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import check_final, check_name
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import Table, set_table, sides_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

DAY, ROUND, TABLE = ("date", "night date", "day", "fecha", "día"), ("round", "ronda", "tour"), ("table", "mesa")
SUBS = ("plays for", "substitute for", "sub for")
SEATS, POINTS = ("player", "seat", "name", "jugador", "joueur"), ("points", "score", "puntos")
MOST_TABLES = 100
DECIMALS = re.compile(r"[.,]0+$")
"""As a spreadsheet may write a whole number: 21,0."""
NO_ANSWERS: Mapping[str, str] = {}
STARTS = time(19, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PastLine:
    """A line of the table: a game of a night, as it was told; `problem` says what is wrong, and is empty else.

    `asked` is what is to be answered before the line can come in, `said` its result once that is clear.
    """

    number: int
    day: date | None
    round: int
    table: int
    people: tuple[str, ...]
    points: tuple[int, ...]
    problem: str = ""
    subs: tuple[str, ...] = ()
    """For whom each of `people` plays, empty for themselves."""
    unclear: bool = False
    """Its date can be read in two ways."""
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
    """Return the games that a table tells, each line with what is wrong with it, or is asked of it.

    Columns: date, round, table, a player for each seat, the points of each side, and perhaps for whom each player
    plays. `after` is the last night that the season has; `order` says how dates are read that can be read in two ways
    in all of the file; `answers` are those to what is asked (`answer_key`), `stops` is whether games of the season end
    before anybody is at the target. Raises `RuleViolation` for a text that is no such table.
    """
    lines = lines_of(text)
    head = lines[0][1] if lines else []
    places = [columns_of(head, words) for words in (DAY, ROUND, TABLE, SEATS, POINTS)]
    if not all(places):
        message = Phrase(
            "The first line names the columns: date, round, table, player 1, player 2 …, points 1, points 2 …"
        )
        raise RuleViolation("sheet_head", message)
    days = [cells[places[0][0]] for _number, cells in lines[1:] if places[0][0] < len(cells)]
    order = order_of(days) or order
    places.append(columns_of(head, SUBS))
    told = [_read(number, cells, places, order) for number, cells in lines[1:]]
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
    """Return the name under which a form sends the answer to what is asked of a line, as long as it says the same."""
    return f"ending-{line.number}-{'_'.join(map(str, line.points))}"


def stops_early(season: SeasonRow) -> bool:
    """Return whether the games of a season end before anybody is at the target: by a bell, or after some hands."""
    plan = NightPlan.from_json(season.plan)
    return FORMATS[plan.format].bell != "none" or bool(plan.options.get("hands"))


def rules_of_season(season: SeasonRow) -> Ruleset:
    """Return the rules that a season is played by."""
    return with_options(PRESETS[season.preset], season.options)


def last_day(session: Session, season: SeasonRow) -> date | None:
    """Return the day of the last night of a season, None where it has none."""
    return session.scalar(select(func.max(NightRow.day)).where(NightRow.season_id == season.id, NightRow.number > 0))


@use_case
def bring_in_past(
    *,
    season: str,
    text: str,
    device: str,
    order: Order = "",
    without: int = 0,
    answers: Mapping[str, str] = NO_ANSWERS,
    now: datetime | None = None,
) -> int:
    """Write down the nights that a table tells and return how many they are.

    `without` is how many lines that cannot be may be left out: as many as somebody was shown. Names that the league
    does not know are added. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` where more lines cannot
    be, or none can, and where the season is closed.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        if row.closed_at is not None:
            raise RuleViolation("season_closed", "This season is closed.")
        stops = stops_early(row)
        told = past_results(
            text, rules_of_season(row), last_day(session, row), order=order, answers=answers, stops=stops
        )
        lines = [line for line in told if not line.problem]
        if not lines or len(told) - len(lines) > without or any(line.asked for line in lines):
            raise RuleViolation("sheet_lines", "Some lines cannot be. Nothing was brought in.")
        people, added = _people(session, league, lines)
        nights: defaultdict[date, list[PastLine]] = defaultdict(list)
        for line in lines:
            assert line.day is not None
            nights[line.day].append(line)
        numbers = select(func.max(NightRow.number)).where(NightRow.season_id == row.id, NightRow.number > 0)
        first = (session.scalar(numbers) or 0) + 1
        for number, day in enumerate(sorted(nights), start=first):
            _night(session, league, row, number, day, nights[day], people, when)
        count, games = len(nights), len(lines)
        note(session, league, "past_brought_in", device=device, now=when, nights=count, games=games, names=added)
        return len(nights)


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
        "" if None not in totals else Phrase("Points are whole numbers."),
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
        raise RuleViolation("day", "This date can be read in two ways: say below which number is the month.")
    if line.day is None:
        raise RuleViolation("day", "The date is not one like 2026-09-01, 9/1/2026 or Sep 1, 2026.")
    if after is not None and line.day <= after:
        raise RuleViolation(
            "day", Phrase("The season has a night on %(day)s already, or later.", day=line.day.isoformat())
        )
    if not 1 <= line.round <= MOST_ROUNDS or not 1 <= line.table <= MOST_TABLES:
        raise RuleViolation("round", "Round and table are numbers from 1.")
    if (line.day, line.round, line.table) in tables:
        raise RuleViolation("table", "This table is there twice in this round.")
    names = [check_name(name) for name in line.people]
    for index, name in enumerate(names):
        if (line.day, line.round, name.casefold()) in seats or name.casefold() in map(str.casefold, names[:index]):
            raise RuleViolation("seat", Phrase("%(name)s sits at two places in this round.", name=name))
    for name, regular in zip(names, line.subs, strict=False):
        if regular and check_name(regular).casefold() == name.casefold():
            raise RuleViolation("sub", Phrase("%(name)s cannot play for themselves.", name=name))
    table = _table(rules, len(names), len(line.points))
    check_final(table, list(line.points))
    return table


def _table(rules: Ruleset, players: int, sides: int) -> Table:
    for seating in rules.seatings:
        if seating.players == players and len(sides_of(seating)) == sides:
            return set_table(rules, players, sides_of(seating))
    message = Phrase(
        "%(players)s players and %(points)s scores are no table of this game.", players=players, points=sides
    )
    raise RuleViolation("seats", message)


def _people(session: Session, league: LeagueRow, lines: Sequence[PastLine]) -> tuple[dict[str, PersonRow], list[str]]:
    """Everybody whom the lines name, by name, and the names of who is new and was added."""
    added = []
    query = select(PersonRow).where(PersonRow.league_id == league.id, PersonRow.merged_into.is_(None))
    people = {person.name.casefold(): person for person in session.scalars(query)}
    for line in lines:
        for told in (*line.people, *filter(None, line.subs)):
            name = check_name(told)
            if name.casefold() not in people:
                person = PersonRow(
                    league_id=league.id,
                    public_id=new_public_id(),
                    name=name,
                    nickname="",
                    active=True,
                    guest=False,
                    notes="",
                )
                session.add(person)
                people[name.casefold()] = person
                added.append(name)
    if len(people) > MOST_PEOPLE:
        raise RuleViolation("people", Phrase("A league has at most %(most)s people.", most=MOST_PEOPLE))
    session.flush()
    return people, added


def _night(
    session: Session,
    league: LeagueRow,
    season: SeasonRow,
    number: int,
    day: date,
    lines: Sequence[PastLine],
    people: Mapping[str, PersonRow],
    now: datetime,
) -> None:
    starts = datetime.combine(day, STARTS)
    plan = replace(NightPlan.from_json(season.plan), rounds=max(line.round for line in lines))
    night = NightRow(
        season_id=season.id,
        public_id=new_public_id(),
        number=number,
        day=day,
        plan=plan.to_json(),
        version=0,
        cards=0,
        closed_at=now,
    )
    session.add(night)
    session.flush()
    came: dict[int, int] = {}
    plays_for: dict[int, int | None] = {}
    rules = rules_of_season(season)
    games = [
        make_ready(_whole(league, night, line, _table(rules, len(line.people), len(line.points)), starts))
        for line in lines
    ]
    for line, state, game in zip(lines, (ready.game for ready in games), put(session, games), strict=True):
        alone = all(len(side) == 1 for side in state.table.sides)
        table = TableRow(
            night_id=night.id,
            round=line.round,
            number=line.table,
            kind="called" if state.table.called else "alone" if alone else "partners",
            game_id=game,
            confirmed={},
            points=list(state.tally.totals),
            winner=None if state.outcome is None else state.outcome.winner,
            sets=list(state.tally.sets),
            hands=len(state.hands),
        )
        session.add(table)
        session.flush()
        for seat, (name, sub) in enumerate(zip(line.people, line.subs, strict=True)):
            person = people[check_name(name).casefold()].id
            came[person] = min(line.round, came.get(person, line.round))
            plays_for[person] = people[check_name(sub).casefold()].id if sub else None
            session.add(SeatRow(table_id=table.id, seat=seat, person_id=person, sub_for=plays_for[person]))
    if len(came) > MOST_HERE:
        raise RuleViolation("people", Phrase("A night has room for %(most)s people.", most=MOST_HERE))
    session.add_all(
        PresentRow(night_id=night.id, person_id=person, from_round=first, sub_for=plays_for[person])
        for person, first in came.items()
    )
    sum_up(session, NightRow.id == night.id)


def _whole(league: LeagueRow, night: NightRow, line: PastLine, table: Table, starts: datetime) -> Whole:
    """The game of a line: begun, and ended by its final score."""
    start = ev.GameStarted(table.rules, tuple(range(table.players)), table.sides, table.players - 1)
    game = replay([start])
    events = (start, *decide(game, line.said or EnterResult(line.points)))
    client_id = f"past-{night.public_id}-{line.round}-{line.table}"
    lines = [
        ExportLine(event, None if place else client_id, league.device, starts, starts)
        for place, event in enumerate(events)
    ]
    return Whole(
        new_public_id(), league.device, client_id, None, None, tuple(map(check_name, line.people)), tuple(lines)
    )


def _number(text: str) -> int | None:
    told = DECIMALS.sub("", text.replace("−", "-"))
    whole = told.removeprefix("-")
    return int(told) if whole.isascii() and whole.isdigit() and len(whole) < 5 else None
