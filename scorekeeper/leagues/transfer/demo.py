"""Make the demo: a league of made-up people with three seasons.

It is made as an archive and imported. The same seed gives the same people, seats, hands and results on any machine.
Only the dates depend on the present time, so that the last night is in progress now. Real cards are dealt and played
(`demo_deals`), and the rules score the hands.

Delete the demo leagues. No other league is deleted as a whole.

The games are deleted and not only hidden, so that the database is empty again and a new demo can be made. While games
are deleted, the database triggers that make their logs append-only are off.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from random import Random
from typing import Any

from msgspec import Struct
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import opened, use_case
from scorekeeper.games.store.game_export import ExportLine, Whole
from scorekeeper.games.store.hand_notes import remove_games
from scorekeeper.games.store.models import PlayerRow
from scorekeeper.leagues.calendar.service import PLANNED
from scorekeeper.leagues.calendar.settings import ScheduleSettings
from scorekeeper.leagues.core.models import (
    HandRow,
    LeagueRow,
    NightRow,
    PersonalLinkRow,
    PersonRow,
    TableRow,
    TallyRow,
    scope_of,
)
from scorekeeper.leagues.core.roles import InvitationRow, RoleRow
from scorekeeper.leagues.money.settings import MoneySettings, Share
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Rotation, RoundPlan, Together
from scorekeeper.leagues.schedule.seating import draw_rest
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.transfer.archive import Archive
from scorekeeper.leagues.transfer.archive_rows import PARTS, Row
from scorekeeper.leagues.transfer.demo_data import DEVICE, DemoMaking, deals, pay_at_the_door, pay_for_sets
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import EnterHand, EnterResult, decide
from scorekeeper.rules.game import Game
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.table import Table, table_at
from scorekeeper.web.extensions import writing

SEED = "Setback"
NAME = "Engine Company No. 3"
REGULARS = (
    ("Ann Mercer", ""),
    ("Bob Tully", "Tully"),
    ("Carmen Díaz", ""),
    ("Dee Okafor", ""),
    ("Earl Whitcomb", "Whit"),
    ("Fay Lindqvist", ""),
    ("Gus Pappas", ""),
    ("Hazel Burke", ""),
    ("Ike Rosen", ""),
    ("Josie Tremblay", "Jo"),
    ("Ken Nakamura", ""),
    ("Lou Ferrante", ""),
    ("Mae Sutherland", ""),
    ("Ned Quigley", ""),
    ("Opal Jensen", ""),
    ("Pete Kowalski", "Ski"),
    ("Quinn Adair", ""),
    ("Rosa Benedetti", ""),
    ("Sal Marchetti", ""),
    ("Tess Haverford", ""),
    ("Uma Krishnan", ""),
    ("Vic Lombardi", ""),
)
GUESTS = (("Walt Sims", ""), ("Zoe Park", ""))
PRESET = "setback-21"
ROUNDS = 4
WEEK, YEAR = timedelta(weeks=1), timedelta(weeks=52)
DOORS_OPEN = time(18, 45, tzinfo=UTC)
BEFORE_PLAY = timedelta(minutes=15)
A_ROUND, A_HAND = timedelta(minutes=35), timedelta(minutes=2)
SO_FAR = BEFORE_PLAY + 2 * A_ROUND
"""How long ago the doors opened on the night in progress, whose second round is nearly over."""
SCHEDULE = ScheduleSettings("America/New_York", "Engine House")
PLANNED_NIGHTS = 3
STARTS = 19 * 60
"""When planned nights start, in minutes after midnight."""
ON_PAPER = 0.1
"""Share of tables that enter only the final score."""
STEPS = 3_000
"""Number of steps in each search for a good seating, so that the demo is made quickly.

For a real night, the search takes forty times as many steps.
"""


class Season(Struct, frozen=True):
    """A season of the demo.

    `together` says how partners are chosen. `counting` has the settings of the standings, and `money` has the settings
    of the fees. `years_ago` says when the season was played, where 0 is the current one.
    """

    name: str
    nights: int
    together: Together
    counting: StandingSettings
    money: MoneySettings
    years_ago: int


SEASONS = (
    Season("Season 1", 12, "rotate", StandingSettings(min_games=12), MoneySettings(), 2),
    Season("Season 2", 12, "fixed", StandingSettings(order="wins", min_games=12), MoneySettings(), 1),
    Season(
        "Season 3",
        9,
        "rotate",
        StandingSettings(min_games=8, drop_nights=1),
        MoneySettings(entry_fee=500, per_set=25, payout=(Share(percent=50), Share(percent=30), Share(percent=20))),
        0,
    ),
)
"""The seasons of the demo, oldest first. The last night of the last season is in progress, in its second round."""


def demo_archive(now: datetime, seed: str = SEED, seasons: Sequence[Season] = SEASONS) -> Archive:
    """Return an archive of the demo league. Its last night is in the second round at the time `now`."""
    cards, words = Random(f"{seed}: cards"), Random(f"{seed}: addresses")  # noqa: S311  a demo, no secret
    making = DemoMaking(random=cards, words=words, now=now)
    made = datetime.combine((now - SO_FAR).date() - YEAR * 2 - WEEK * 13, DOORS_OPEN)
    head = {
        "id": 1,
        "public_id": making.word(),
        "name": NAME,
        "device": DEVICE,
        "client_id": "demo",
        "made_at": made.isoformat(),
        "demo": True,
    }
    making.note("league_made", made, made=head["public_id"])
    people = [(*person, False) for person in REGULARS] + [(*person, True) for person in GUESTS]
    for name, nickname, guest in people:
        making.add(
            "people",
            league_id=1,
            public_id=making.word(),
            name=name,
            nickname=nickname,
            active=True,
            guest=guest,
            notes="",
            merged_into=None,
        )
    making.note("people_added", made, people=[person["public_id"] for person in making.parts["people"]])
    for season in seasons:
        _season(making, season)
    return Archive(head, making.parts, making.games)


def _season(making: DemoMaking, season: Season) -> None:
    last = (making.now - SO_FAR).date() - YEAR * season.years_ago
    first = last - WEEK * (season.nights - 1)
    plan = NightPlan(rounds=ROUNDS, together=season.together)
    began = datetime.combine(first - timedelta(days=3), DOORS_OPEN)
    closed = None if season.years_ago == 0 else datetime.combine(last + timedelta(days=1), DOORS_OPEN)
    name = f"{season.name} ({first.year}/{first.year + 1})"
    row = making.add(
        "seasons",
        league_id=1,
        public_id=making.word(),
        name=name,
        preset=PRESET,
        options={},
        counting=season.counting.to_json(),
        plan=plan.to_json(),
        money={} if season.money == MoneySettings() else season.money.to_json(),
        began_at=began.isoformat(),
        closed_at=None if closed is None else closed.isoformat(),
        schedule=SCHEDULE.to_json() if closed is None else None,
    )
    making.note("season_opened", began, season=row["public_id"])
    if closed is None:
        _plan(making, row, began, last)
    byes: defaultdict[int, int] = defaultdict(int)
    came: defaultdict[int, int] = defaultdict(int)
    for index in range(season.nights):
        open_now = closed is None and index == season.nights - 1
        credit = {person: (byes[person], came[person]) for person in came}
        night, rounds = _night(making, row["id"], index + 1, first + WEEK * index, plan, credit, open_now=open_now)
        if not open_now:
            is_last = index == season.nights - (2 if closed is None else 1)
            pay_for_sets(making, row, night, season.money, is_last=is_last)
        for played in rounds:
            for person in (*played.seated, *played.byes):
                came[person] += 1
            for person in played.byes:
                byes[person] += 1
    if closed is not None:
        making.note("season_closed", closed, season=row["public_id"])


def _plan(making: DemoMaking, season: Row, at: datetime, last: date) -> None:
    """Add planned nights to a season, week by week after its last night. `last` is the day of that night."""
    days = [(last + WEEK * number).isoformat() for number in range(1, PLANNED_NIGHTS + 1)]
    for day in days:
        making.add(
            "planned",
            season_id=season["id"],
            public_id=making.word(),
            day=day,
            starts=STARTS,
            place=SCHEDULE.place,
            note="",
            state=PLANNED,
            sequence=0,
            made_at=at.isoformat(),
            changed_at=at.isoformat(),
            night_id=None,
        )
    making.note("nights_planned", at, days=days, season=season["public_id"])


def _night(
    making: DemoMaking,
    season: int,
    number: int,
    day: date,
    plan: NightPlan,
    credit: Mapping[int, tuple[int, int]],
    *,
    open_now: bool,
) -> tuple[Row, Sequence[RoundPlan]]:
    """Play a night, and return its row and the seating of its rounds.

    With `open_now`, the night is still in progress. `credit` has (byes, rounds attended) on earlier nights for each
    person, so that byes are shared fairly.
    """
    doors = making.now - SO_FAR if open_now else datetime.combine(day, DOORS_OPEN)
    night = making.add(
        "nights",
        season_id=season,
        public_id=making.word(),
        number=number,
        day=day.isoformat(),
        plan=plan.to_json(),
        version=0,
        bell_at=None,
        cards=0,
        closed_at=None,
    )
    making.note("night_opened", doors, night, number=number)
    teams = _teams() if plan.together == "fixed" else ()
    people, subs = _who_came(making.random, teams)
    _check_in(making, night, doors, people, subs, teams)
    pay_at_the_door(making, night, doors, people, is_closed=not open_now)
    seed = making.random.randrange(10**6)
    units = tuple(team for team in teams if set(team) <= set(people))
    rounds = draw_rest(people, ROUNDS, (), Rotation(plan.together, (4,), units), seed, credit, steps=STEPS)
    making.note("drawn", doors, night, first=1, rounds=ROUNDS, seed=seed)
    for index, played in enumerate(rounds, start=1):
        starts = doors + BEFORE_PLAY + A_ROUND * (index - 1)
        _round(making, night, index, played, subs, starts, open_now=open_now)
    if not open_now:
        closed = doors + timedelta(hours=3)
        night["closed_at"] = closed.isoformat()
        making.note("night_closed", closed, night, missing=[])
    return night, rounds


def _check_in(
    making: DemoMaking,
    night: Row,
    doors: datetime,
    people: Sequence[int],
    subs: Mapping[int, int],
    teams: Sequence[tuple[int, int]],
) -> None:
    address = {person["id"]: person["public_id"] for person in making.parts["people"]}
    team_of = {person: index for index, team in enumerate(teams, start=1) for person in team}
    for person in people:
        making.add(
            "present",
            night_id=night["id"],
            person_id=person,
            from_round=1,
            to_round=None,
            sub_for=subs.get(person),
            team=team_of.get(person),
        )
    making.note("checked_in", doors, night, people=[address[person] for person in people], from_round=1)
    for person, regular in subs.items():
        making.note("sub_set", doors, night, person=address[person], regular=address[regular])


def _who_came(random: Random, teams: Sequence[tuple[int, int]]) -> tuple[list[int], dict[int, int]]:
    """Return the numbers of the 16 to 21 people who play on a night, and the regulars that guests substitute for.

    The second result maps the number of each guest to the number of the regular. In a season with fixed partners,
    `teams` are all pairs of partners, who come or stay away together, and there are no guests. Otherwise `teams` is
    empty.
    """
    if teams:
        out = set(random.sample(range(len(teams)), random.randrange(1, 4)))
        return [person for index, team in enumerate(teams) if index not in out for person in team], {}
    regulars = range(1, len(REGULARS) + 1)
    away = random.sample(regulars, random.randrange(3, 7))
    people = [person for person in regulars if person not in away]
    guests = [len(REGULARS) + 1 + index for index in range(len(GUESTS)) if random.random() < 0.4]
    return people + guests, dict(zip(guests, away, strict=False))


def _teams() -> tuple[tuple[int, int], ...]:
    return tuple((person, person + 1) for person in range(1, len(REGULARS), 2))


def _round(
    making: DemoMaking,
    night: Row,
    number: int,
    plan: RoundPlan,
    subs: Mapping[int, int],
    starts: datetime,
    *,
    open_now: bool,
) -> None:
    for person in plan.byes:
        making.add("byes", night_id=night["id"], round=number, person_id=person)
    for table in plan.tables:
        row = making.add(
            "tables",
            night_id=night["id"],
            round=number,
            number=table.number,
            kind=table.kind,
            game_id=None,
            confirmed={},
            points=None,
            winner=None,
            sets=None,
            hands=None,
        )
        for seat, person in enumerate(table.seats):
            making.add("seats", table_id=row["id"], seat=seat, person_id=person, sub_for=subs.get(person))
        if open_now and number > 2:
            continue
        _play(making, night, row, table.seats, starts, open_now=open_now)


def _play(
    making: DemoMaking, night: Row, table: Row, seats: Sequence[int], starts: datetime, *, open_now: bool
) -> None:
    # Every other table is still playing.
    unfinished = open_now and table["round"] == 2 and table["number"] % 2 == 1
    people = {person["id"]: person["nickname"] or person["name"] for person in making.parts["people"]}
    names = tuple(people[person] for person in seats)
    game, whole = _game(making, f"night-{night['public_id']}-{table['id']}", names, starts, unfinished=unfinished)
    bidders = (line.entry.hand.bidder for line in game.hands if line.made is False)
    making.sets.update(seats[bidder] for bidder in bidders if bidder is not None)
    table["game_id"] = len(making.games) + 1
    making.games[table["game_id"]] = replace(whole, people=tuple(seats))
    if game.final is not None:
        told = {"round": table["round"], "table": table["number"], "game": whole.public_id, "before": None}
        making.note("result_told", starts + A_ROUND, night, **told, after=list(game.final))
    if not open_now:
        assert game.outcome is not None
        table.update(
            points=list(game.tally.totals),
            sets=list(game.tally.sets),
            hands=len(game.hands),
            winner=game.outcome.winner,
        )


def _game(
    making: DemoMaking, client_id: str, names: tuple[str, ...], starts: datetime, *, unfinished: bool
) -> tuple[Game, Whole]:
    """Play a game, and return it with its event log. With `unfinished`, the game is still in progress."""
    table = _table()
    players = tuple(range(len(names)))
    start = ev.GameStarted(table.rules, players, table.sides, len(names) - 1)
    log: list[tuple[ev.Event, datetime]] = [(start, starts)]
    game = replay([start])
    for when, hand in _hands(making.random, table, starts):
        events = decide(game, EnterHand(hand))
        game = reduce(evolve, events, game)
        log += [(event, when) for event in events]
        if game.over or (unfinished and len(game.hands) == 5):
            break
    if not unfinished and making.random.random() < ON_PAPER:
        empty = replay([start])
        events = decide(empty, EnterResult(game.tally.totals))
        game = reduce(evolve, events, empty)
        log = [(start, starts), *((event, starts + A_ROUND) for event in events)]
    lines = [ExportLine(event, None, DEVICE, when, when) for event, when in log]
    lines[0] = ExportLine(start, client_id, DEVICE, starts, starts)
    return game, Whole(making.word(), DEVICE, client_id, None, None, names, tuple(lines))


def _hands(random: Random, table: Table, starts: datetime) -> Iterator[tuple[datetime, Mapping[str, Any]]]:
    when = starts
    for hand in deals(table, random):
        when += A_HAND + timedelta(seconds=random.randrange(60))
        yield when, hand


def _table() -> Table:
    rules = PRESETS[PRESET]
    kind = next(seating for seating in rules.seatings if (seating.players, seating.kind) == (4, "partners"))
    return table_at(rules, kind)


@use_case
def remove_demo() -> int | None:
    """Delete all leagues that `scorekeeper demo` made, and return how many games they had.

    Return None if there is no such league.
    """
    with writing() as session:
        leagues = session.scalars(select(LeagueRow.id).where(LeagueRow.demo).with_for_update()).all()
        if not leagues:
            return None
        return sum(remove_league(session, league) for league in leagues)


def remove_league(session: Session, league: int) -> int:
    """Delete a league and its games, and return how many games it had. `league` is its id.

    This runs in the caller's transaction.
    """
    scope = scope_of(league)
    tables = session.execute(select(TableRow.id, TableRow.game_id).where(scope["tables"])).all()
    games = [game for _table, game in tables if game is not None]
    of_league = select(TableRow.id).where(scope["tables"])
    session.execute(delete(HandRow).where(HandRow.table_id.in_(of_league)))
    session.execute(delete(TallyRow).where(TallyRow.night_id.in_(select(NightRow.id).where(scope["nights"]))))
    session.execute(update(PersonRow).where(scope["people"]).values(merged_into=None))
    people = select(PersonRow.id).where(scope["people"])
    session.execute(update(PlayerRow).where(PlayerRow.person_id.in_(people)).values(person_id=None))
    session.execute(delete(PersonalLinkRow).where(PersonalLinkRow.person_id.in_(people)))
    with opened(session, "league_event"):
        for name, model in reversed(list(PARTS.items())):
            session.execute(delete(model).where(scope[name]))
    session.execute(delete(RoleRow).where(RoleRow.league_id == league))
    session.execute(delete(InvitationRow).where(InvitationRow.league_id == league))
    session.execute(delete(LeagueRow).where(LeagueRow.id == league))
    remove_games(session, games)
    return len(games)
