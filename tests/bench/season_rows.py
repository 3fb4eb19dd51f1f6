"""A season written into a score book in bulk: closed nights as rows, the last one open with games of its own."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import reduce
from random import Random
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from scorekeeper.extensions import db, writing
from scorekeeper.games.log import append, find, load
from scorekeeper.games.models import GameRow
from scorekeeper.games.opening import seat_players
from scorekeeper.leagues import nights, people, seasons, tables
from scorekeeper.leagues.access import season_at
from scorekeeper.leagues.evening import Evening
from scorekeeper.leagues.models import HandRow, LeagueEventRow, NightRow, PersonRow, PresentRow, SeatRow, TableRow
from scorekeeper.leagues.people import PersonData
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.summing import sum_up
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import evolve
from scorekeeper.rules.presets import PRESETS

HANDS = 12
ROUNDS = 4
FIRST = date(2026, 9, 1)


def fill(device: str, nights_played: int, tables_a_night: int, *, open_night: bool = True) -> tuple[str, str, str]:
    """Write a season of games of twelve hands and return the public ids of league, season and its last night.

    `device` directs it. All nights but the last one are closed; the same numbers give the same season.
    """
    random = Random(36)
    league = seasons.make_league(name="Fire Hall", device=device, client_id=f"bench-{nights_played}")
    names = [f"{first} {last}" for last in "ABCDEFGHIJKLMNOP" for first in ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")]
    told = [PersonData(name=name) for name in names[: 4 * tables_a_night]]
    ids = people.add_people(league=league, people=told, device=device)
    plan = Evening(format="fixed_hands", options={"hands": HANDS, "one_more": 0}, rounds=ROUNDS)
    counting = StandingSettings(drop_nights=4, min_games=12)
    season = seasons.open_season(
        league=league, name="2026/27", rules=PRESETS["setback-21"], counting=counting, plan=plan, device=device
    )
    with writing() as session:
        _closed_nights(session, season, device, nights_played - open_night, random)
    if not open_night:
        return league, season, ""
    night = nights.open_night(season=season, day=FIRST + timedelta(weeks=nights_played), device=device)
    nights.check_in(night=night, people=ids, device=device)
    nights.draw(night=night, device=device, seed=36)
    _play(night, device, random)
    return league, season, night


def _closed_nights(session: Session, season: str, device: str, count: int, random: Random) -> None:
    row = season_at(session, season)
    everybody = list(session.scalars(select(PersonRow.id).where(PersonRow.league_id == row.league_id)))
    rows: dict[type, list[dict[str, Any]]] = {GameRow: [], TableRow: [], SeatRow: [], HandRow: [], PresentRow: []}
    now = datetime(2026, 9, 1, 23, tzinfo=UTC)
    players = list(seat_players(session, ("Ann", "Bob", "Cid", "Dee")))
    table_id = 0
    for number in range(1, count + 1):
        night = NightRow(
            season_id=row.id,
            public_id=f"n{row.id}-{number}",
            number=number,
            day=FIRST + timedelta(weeks=number - 1),
            plan=row.plan,
            version=1,
            cards=0,
            closed_at=now + timedelta(weeks=number),
        )
        session.add(night)
        session.flush()
        rows[PresentRow] += [{"night_id": night.id, "person_id": one, "from_round": 1} for one in everybody]
        for round_number in range(1, ROUNDS + 1):
            random.shuffle(everybody)
            for table in range(len(everybody) // 4):
                table_id += 1
                _table(rows, table_id, night.id, round_number, table + 1, everybody[4 * table :][:4], players, random)
    for model, told in rows.items():
        if told:
            session.execute(insert(model), told)
    sum_up(session, NightRow.season_id == row.id)
    event: dict[str, Any] = {
        "league_id": row.league_id,
        "night_id": None,
        "at": now,
        "device": device,
        "data": {},
        "reason": "",
    }
    session.execute(insert(LeagueEventRow), [event | {"kind": "night_closed"}] * max(count, 1))


def _table(
    rows: dict[type, list[dict[str, Any]]],
    number: int,
    night: int,
    round_number: int,
    table: int,
    seats: list[int],
    players: list[int],
    random: Random,
) -> None:
    totals, sets = [0, 0], [0, 0]
    for hand in range(1, HANDS + 1):
        bidder, bid = random.randrange(4), random.choice((2, 2, 3, 3, 4))
        made = random.random() < 0.65
        delta = [0, 0]
        delta[bidder % 2] = bid if made else -bid
        delta[1 - bidder % 2] = random.randrange(0, 3)
        totals = [total + change for total, change in zip(totals, delta, strict=True)]
        sets[bidder % 2] += not made
        rows[HandRow].append(
            {
                "table_id": number,
                "number": hand,
                "dealer": (hand - 2) % 4,
                "bidder": bidder,
                "bid": str(bid),
                "made": made,
                "bidding": [bidder % 2],
                "delta": delta,
            }
        )
    winner = None if totals[0] == totals[1] else totals.index(max(totals))
    ended = datetime(2026, 9, 1, 23, tzinfo=UTC)
    rows[GameRow].append(
        {
            "id": number,
            "public_id": f"bench{number}",
            "device": "a phone at the table",
            "client_id": f"bench-{number}",
            "started_at": ended,
            "updated_at": ended,
            "preset": "setback-21",
            "ruleset": {},
            "players": players,
            "sides": [[0, 2], [1, 3]],
            "version": HANDS + 1,
            "hands": HANDS,
            "dealer": 0,
            "totals": totals,
            "sets": sets,
            "over": True,
            "winner": winner,
            "ended_by": "hands",
        }
    )
    rows[TableRow].append(
        {
            "id": number,
            "night_id": night,
            "round": round_number,
            "number": table,
            "kind": "partners",
            "game_id": number,
            "confirmed": {},
            "points": totals,
            "winner": winner,
            "sets": sets,
            "hands": HANDS,
        }
    )
    rows[SeatRow] += [{"table_id": number, "seat": seat, "person_id": person} for seat, person in enumerate(seats)]


def _play(night: str, device: str, random: Random) -> None:
    """Start every game of the night and play its hands."""
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
