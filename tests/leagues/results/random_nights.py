"""Random nights in every format, with substitutes, byes and ties. Some tables have hands, others only a final score."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

from sqlalchemy import select

from scorekeeper.games.logic.statistics.hands import Played
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.money.settings import MoneySettings, Share
from scorekeeper.leagues.nights import closing, seating, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import TableState, byes_of, tables_of
from scorekeeper.rules.commands import EnterHand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.leagues.standings.random_seasons import any_settings

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kit", "Lou", "Meg", "Ned")
DEVICE = "the-director"
POINTS = ("high", "low", "jack", "game")
PLANS = {
    "to_target": NightPlan(rounds=3),
    "fixed_hands": NightPlan(format="fixed_hands", options={"hands": 2, "one_more": 0}, rounds=3),
    "timed": NightPlan(format="timed", options={"one_more": 0}, rounds=2),
    "progressive": NightPlan(format="progressive", rounds=3),
    "fixed": NightPlan(rounds=3, together="fixed"),
    "round_robin": NightPlan(format="round_robin", rounds=3, together="fixed"),
    "knockout": NightPlan(format="knockout", rounds=3, together="fixed"),
    "singles": NightPlan(rounds=3, together="alone", sizes=(3, 4)),
}


@dataclass
class Evening:
    """A night that was played, with everything needed to calculate its results a second time.

    People are identified by their database ids. `tags` has each person's public id by database id.
    """

    night: str
    season: str
    settings: StandingSettings
    teams: list[tuple[int, ...]]
    names: dict[int, str]
    tags: dict[int, str]
    played: list[Played] = field(default_factory=list)
    sets: list[tuple[int, int, int, int]] = field(default_factory=list)
    """A tuple for each set (lost bid): the round, the table, the bidder and the bid."""
    paper: int = 0
    """Number of tables for which only a final score was entered, without hands."""
    lost: dict[tuple[int, ...], int] = field(default_factory=dict)
    """The number of the round in which a fixed team lost its game. The keys are the teams, as tuples of people."""


def play(kind: str, seed: int, *, close: bool = True) -> Evening:
    """Play a random night in a new league and return the night. Call this only within an application context.

    `kind` is the kind of night, a key of `PLANS`, such as "knockout". The same `kind` and `seed` always give the same
    night. If `close` is False, the night stays open.
    """
    chance = Random(f"{kind} {seed}")
    plan = PLANS[kind]
    settings = any_settings(chance)
    league = seasons.make_league(name=f"Hall {seed}", device=DEVICE, client_id=f"{kind}-{seed}")
    new = [PersonData(name=name) for name in NAMES]
    ids = dict(zip(NAMES, people.add_people(league=league, people=new, device=DEVICE), strict=True))
    season = seasons.open_season(
        league=league,
        name="2026/27",
        rules=PRESETS["setback-21"],
        counting=settings,
        plan=plan,
        money=MoneySettings(entry_fee=500, payout=(Share(percent=50), Share(percent=30), Share(percent=20))).to_json(),
        device=DEVICE,
    )
    night = nights.open_night(season=season, day=date(2026, 9, 1), device=DEVICE)
    rows = db.session.execute(select(PersonRow.public_id, PersonRow.id)).all()
    keys = {public: key for public, key in rows if public in ids.values()}
    here = chance.sample(NAMES[:12], chance.choice((8, 9, 10, 11)) if not plan.partners_stay else 10)
    nights.check_in(night=night, people=[ids[name] for name in here], device=DEVICE)
    teams = []
    if plan.partners_stay:
        for first in range(0, len(here), 2):
            pair = here[first : first + 2]
            nights.set_team(night=night, people=[ids[name] for name in pair], device=DEVICE)
            teams.append(tuple(sorted(keys[ids[name]] for name in pair)))
    for name, regular in zip(chance.sample(here, 2), ("Meg", "Ned"), strict=True):
        seating.set_sub(night=night, person=ids[name], regular=ids[regular], device=DEVICE)
    evening = Evening(
        night,
        season,
        settings,
        teams,
        {keys[public]: name for name, public in ids.items()},
        {key: public for public, key in keys.items()},
    )
    for number in range(1, plan.rounds + 1):
        _round(evening, number, kind, chance)
    if close:
        closing.close_night(night=night, device=DEVICE, anyway=True)
    return evening


def _at(evening: Evening, number: int) -> list[TableState]:
    session = db.session()
    return [each for each in tables_of(session, night_at(session, evening.night)) if each.round == number]


def _round(evening: Evening, number: int, kind: str, chance: Random) -> None:
    """Make the seating of round `number` if needed, and play all its tables."""
    if not _at(evening, number):
        nights.draw(night=evening.night, device=DEVICE, seed=number)
    for table in _at(evening, number):
        if kind in ("to_target", "fixed_hands", "singles") and chance.random() < 0.5:
            _hands(evening, table, chance, 2 if kind == "fixed_hands" else 60)
        else:
            _score(evening, table, chance, needs_winner=kind in ("knockout", "progressive"))
    _note(evening, number)


def _score(evening: Evening, table: TableState, chance: Random, *, needs_winner: bool) -> None:
    evening.paper += 1
    totals = [chance.choice((21, 20, 22, 8, 8, 12, -3)) for _ in range(table.sides)]
    most = max(totals)
    leaders = [side for side, total in enumerate(totals) if total == most]
    won = chance.choice(leaders) if needs_winner or len(leaders) == 1 else None
    tables.tell_result(night=evening.night, table=table.id, totals=totals, winner=won, ended_by="agreed", device=DEVICE)


def _hands(evening: Evening, table: TableState, chance: Random, most: int) -> None:
    """Play random hands at a table until its game is over or `most` hands have been played."""
    game = tables.start_table(night=evening.night, table=table.id, device=DEVICE, client_id=f"t-{table.id}")
    for number in range(most):
        bidder, bid = chance.randrange(len(table.seats)), chance.choice((2, 3, 4))
        side = bidder % table.sides
        taken = {point: chance.choice((side, side, side, (side + 1) % table.sides)) for point in POINTS}
        data: dict[str, Any] = {"bidder": bidder, "bid": bid, "points": taken}
        scoring.act(
            public_id=game, command=EnterHand(data), request=ClientRequest(DEVICE, f"h-{table.id}-{number}", None)
        )
        if list(taken.values()).count(side) < bid:
            evening.sets.append((table.round, table.number, table.seats[bidder], bid))
        if next(each for each in _at(evening, table.round) if each.id == table.id).done:
            return


def _note(evening: Evening, number: int) -> None:
    """After round `number`, add a record of the game or bye of each person to `evening.played`.

    If a fixed team lost its game, note the round in `evening.lost`.
    """
    session = db.session()
    for table in _at(evening, number):
        assert table.verdict is not None
        if not table.done:
            continue
        sides = [[who for seat, who in enumerate(table.seats) if seat % table.sides == s] for s in range(table.sides)]
        for index, side in enumerate(sides):
            best_other = max(points for other, points in enumerate(table.points) if other != index)
            won = table.verdict.winner == index
            team = tuple(sorted(side))
            if team in evening.teams and not won and table.verdict.winner is not None:
                evening.lost[team] = number
            evening.played += [
                Played(
                    1,
                    number,
                    table.number,
                    table.id,
                    who,
                    tuple(mate for mate in side if mate != who),
                    tuple(person for other in sides if other is not side for person in other),
                    table.points[index],
                    best_other,
                    won,
                    table.verdict.winner is None,
                    table.sets[index],
                    table.hands,
                    sub_for=table.subs.get(who),
                )
                for who in side
            ]
    for person in byes_of(session, night_at(session, evening.night)).get(number, ()):
        mates = next((team for team in evening.teams if person in team), ())
        others = tuple(mate for mate in mates if mate != person)
        evening.played.append(Played(1, number, 0, f"bye-{number}", person, others, bye=True))
