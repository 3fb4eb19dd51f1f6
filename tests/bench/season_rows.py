"""Make a season for benchmarks. Its closed nights are imported with all event logs, and its last night is open.

A number of games are played by the rules. Each table gets one of them, with its own people, ids and times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from random import Random
from typing import Any

from sqlalchemy import select

from scorekeeper.games.store.event_store import append, find, load
from scorekeeper.games.store.game_export import ExportLine, Whole
from scorekeeper.leagues.core.models import NightRow, PersonRow, TableRow
from scorekeeper.leagues.nights import service, tables
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.transfer.archive import Archive, bring_in
from scorekeeper.leagues.transfer.archive_rows import PARTS, Row
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.events import Event, GameStarted
from scorekeeper.rules.game import Game
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table
from scorekeeper.web.extensions import db, writing

HANDS = 12
ROUNDS = 4
FIRST = date(2026, 9, 1)
DOORS = time(19, tzinfo=UTC)
POOL = 100
PRESET = "setback-21"
PLAN = NightPlan(format="fixed_hands", options={"hands": HANDS, "one_more": 0}, rounds=ROUNDS)
COUNTING = StandingSettings(drop_nights=4, min_games=12)


def fill(
    device: str, nights_played: int, tables_a_night: int, *, counting: StandingSettings = COUNTING
) -> tuple[str, str, str]:
    """Save a season of games with twelve hands each. All nights except the last are closed.

    Return the public ids of the league, the season and the last night. `device` is the hash of the director's phone.
    `counting` holds the season's settings for the standings. The same arguments always give the same season.
    """
    league = bring_in(archive_of(device, nights_played - 1, tables_a_night, counting=counting))
    night = service.open_night(season="bseason", day=FIRST + timedelta(weeks=nights_played), device=device)
    service.check_in(night=night, people=db.session.scalars(select(PersonRow.public_id)).all(), device=device)
    service.draw(night=night, device=device, seed=36)
    _play(night, device, Random(35))
    return league, "bseason", night


def archive_of(device: str, closed: int, tables_a_night: int, *, counting: StandingSettings = COUNTING) -> Archive:
    """Return the archive of a league with one season, which has `closed` closed nights.

    `device` is the hash of the director's phone. `counting` holds the season's settings for the standings.
    """
    random = Random(36)
    pool = _pool(random)
    parts: dict[str, list[Row]] = {name: [] for name in PARTS}
    games: dict[int, Whole] = {}
    began = _at(FIRST)
    names = [f"{first} {last}" for last in "ABCDEFGHIJKLMNOP" for first in ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")]
    for name in names[: 4 * tables_a_night]:
        _add(
            parts,
            "people",
            league_id=1,
            public_id=f"b{name.replace(' ', '').lower()}",
            name=name,
            nickname="",
            active=True,
            guest=False,
            notes="",
            merged_into=None,
        )
    _add(
        parts,
        "seasons",
        league_id=1,
        public_id="bseason",
        name="2026/27",
        preset=PRESET,
        options={},
        counting=counting.to_json(),
        plan=PLAN.to_json(),
        money={},
        began_at=began,
        closed_at=None,
    )
    people = list(range(1, 4 * tables_a_night + 1))
    for number in range(1, closed + 1):
        day = FIRST + timedelta(weeks=number)
        night = _add(
            parts,
            "nights",
            season_id=1,
            public_id=f"bnight{number}",
            number=number,
            day=day.isoformat(),
            plan=PLAN.to_json(),
            version=1,
            bell_at=None,
            cards=0,
            closed_at=_at(day, hours=4),
        )
        for person in people:
            _add(
                parts, "present", night_id=night, person_id=person, from_round=1, to_round=None, sub_for=None, team=None
            )
        for round_number in range(1, ROUNDS + 1):
            random.shuffle(people)
            for table in range(tables_a_night):
                where = (night, round_number, table + 1)
                seats = people[4 * table :][:4]
                log, game = random.choice(pool)
                key = _table(parts, where, seats, game)
                starts = datetime.combine(day, DOORS) + timedelta(minutes=40 * round_number)
                games[key] = _whole(device, where, [names[person - 1] for person in seats], log, starts)
        _add(
            parts,
            "log",
            league_id=1,
            night_id=night,
            at=_at(day, hours=4),
            device=device,
            kind="night_closed",
            data={"missing": []},
            request_key=None,
        )
    head = {
        "id": 1,
        "public_id": "bleague",
        "name": "Fire Hall",
        "device": device,
        "client_id": "bench",
        "made_at": began,
        "demo": False,
    }
    return Archive(head, parts, games)


def _add(parts: Mapping[str, list[Row]], part: str, **columns: Any) -> int:
    parts[part].append({"id": len(parts[part]) + 1, **columns})
    return len(parts[part])


def _at(day: date, hours: int = 0) -> str:
    return (datetime.combine(day, DOORS) + timedelta(hours=hours)).isoformat()


def _table(parts: Mapping[str, list[Row]], where: tuple[int, int, int], seats: Sequence[int], game: Game) -> int:
    night, round_number, number = where
    table = _add(
        parts,
        "tables",
        night_id=night,
        round=round_number,
        number=number,
        kind="partners",
        game_id=len(parts["tables"]) + 1,
        confirmed={},
        points=list(game.tally.totals),
        winner=None if game.outcome is None else game.outcome.winner,
        sets=list(game.tally.sets),
        hands=len(game.hands),
    )
    for seat, person in enumerate(seats):
        _add(parts, "seats", table_id=table, seat=seat, person_id=person, sub_for=None)
    return table


def _whole(
    device: str, where: tuple[int, int, int], names: Sequence[str], log: Sequence[Event], starts: datetime
) -> Whole:
    night, round_number, number = where
    address = f"b{night}x{round_number}x{number}"
    lines = [
        ExportLine(event, f"{address}-{place}", "a phone at the table", when, when)
        for place, event in enumerate(log)
        for when in [starts + timedelta(minutes=3 * place)]
    ]
    return Whole(address, device, f"{address}-0", None, None, tuple(names), tuple(lines))


def _pool(random: Random) -> list[tuple[tuple[Event, ...], Game]]:
    """Return random finished games for the nights to choose from, as (event log, game)."""
    rules = with_options(PRESETS[PRESET], {"finish": "fixed_hands", "hands_limit": HANDS})
    table = set_table(rules, 4)
    start = GameStarted(rules, (0, 1, 2, 3), table.sides, 3)
    pool = []
    for _ in range(POOL):
        log: tuple[Event, ...] = (start,)
        game = replay(log)
        while not game.over:
            events = decide(game, EnterHand(_hand(random)))
            game = reduce(evolve, events, game)
            log = (*log, *events)
        pool.append((log, game))
    return pool


def _play(night: str, device: str, random: Random) -> None:
    """Start all games of the night and play them to the end."""
    query = select(TableRow.id).join(NightRow, NightRow.id == TableRow.night_id).where(NightRow.public_id == night)
    for table in db.session.scalars(query).all():
        game = tables.start_table(night=night, table=table, device=device, client_id=f"bench-open-{table}")
        with writing() as session:
            found = find(session, game, to_write=True)
            assert found is not None
            before = state = load(session, found).game
            events: list[Event] = []
            while not state.over:
                new = decide(state, EnterHand(_hand(random)))
                state = reduce(evolve, new, state)
                events += new
            append(session, found, before, events, device=device, client_id=None, now=datetime.now(UTC))


def _hand(random: Random) -> dict[str, Any]:
    bidder, bid = random.randrange(4), random.choice((2, 2, 3))
    points = {key: random.randrange(2) for key in ("high", "low", "jack", "game")}
    return {"bidder": bidder, "bid": bid, "points": points}
