"""Make a league with an object for each kind of address. The database of the access tests has two such leagues."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.calendar import links, service
from scorekeeper.leagues.calendar.settings import Details, GivenAnswer
from scorekeeper.leagues.core.access import league_at, night_at, person_at
from scorekeeper.leagues.core.models import (
    PaymentRow,
    PersonalLinkRow,
    PersonRow,
    PlannedRow,
    SquadRow,
)
from scorekeeper.leagues.members.service import handover_path
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams import service as teams
from scorekeeper.leagues.transfer.undo import imports_of
from scorekeeper.rules.commands import Concede, EnterHand, TakeBid
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.phone import device_word

if TYPE_CHECKING:
    from scorekeeper.rules.commands import Command

RULES = PRESETS["setback-21"]
HAND = {"bidder": 0, "bid": 3, "points": {"high": 0, "low": 0, "jack": 0, "game": 1}}
MONEY = {"entry_fee": 100, "per_set": 25, "pots": [{"name": "High hand", "entry": 100}], "payout": [{"percent": 100}]}
PLAYERS = 10
LATER = date(2026, 9, 15)
TO_COME = datetime.now(UTC).date() + timedelta(days=30)


def hashed(word: str) -> str:
    """Return the hash that the database stores for a device's cookie; `word` is the device's name in these tests."""
    return hashlib.sha256(device_word(word).encode()).hexdigest()


def act(game: str, device: str, *commands: Command) -> int:
    """Carry out `commands` in `game`, and return the game's version after the last command.

    `device` is the name of the device that sends the commands.
    """
    version = 0
    for number, command in enumerate(commands):
        tap = ClientRequest(hashed(device), f"{device}-{game}-{number}-{type(command).__name__}")
        version = scoring.act(public_id=game, command=command, request=tap).version
    return version


@dataclass(frozen=True, slots=True)
class LeagueNight:
    """A league night. `tables` has the row ids of its tables in all rounds.

    `games` has the public ids of the games that were started by scanning the cards of the first tables.
    """

    id: str
    tables: tuple[int, ...]
    games: tuple[str, ...]
    card: str
    """Token in the address that is printed on the card of table 1."""


TWO_ROUNDS = NightPlan(rounds=2)


@dataclass(frozen=True)
class League:
    """A league with an object of each kind: closed and open seasons, and closed, open and planned nights.

    `over` is a closed night, `night` is an open night with games, and `later` is an open night without tables.
    """

    id: str
    people: tuple[str, ...]
    rows: tuple[int, ...]
    """Database ids of `people`, in the same order."""
    gone: str
    """Public id of a person who was merged into the first of `people`."""
    season: str
    past: str
    """Public id of a closed season."""
    bare: str
    """Public id of a season without a night."""
    night: LeagueNight
    later: LeagueNight
    over: LeagueNight
    squads: str
    """Public id of a season of team matches with two teams and no match yet; `squad` is one of its teams."""
    squad: str
    name: str
    """The word with which the names of the league and of everything in it begin."""
    payments: tuple[int, ...]
    """Ids of a payment in `season` and of one in `past`."""
    planned: str
    """Public id of a planned night, for which players can answer whether they come."""
    link: str
    """Token of the last person's personal link; `calendar` is the token of their calendar."""
    calendar: str
    handover: str
    """Token that makes another device the owner of the league."""
    brought_in: str
    """Id of an import of one player."""


def make_league(name: str, device: str, key: str, *, cards: tuple[str, str], before: str) -> League:
    """Make a league for the device `device`, and return it; every name in the league starts with `name`.

    `key` is the server's secret key. `cards` are the devices that scanned the cards of tables 1 and 2 tonight. `before`
    is a device that scanned a card on the closed night. Call this function inside the application context.
    """
    owner = hashed(device)
    league = seasons.make_league(name=f"{name} Hall", device=owner, client_id=f"make-{name}")
    told = [PersonData(name=f"{name} {letter}", notes=f"{name}-hush") for letter in "ABCDEFGHIJ"[:PLAYERS]]
    who = people.add_people(league=league, people=[*told, PersonData(name=f"{name} Twice")], device=owner)
    people.merge_people(person=who[-1], into=who[0], device=owner)
    people.add_people(league=league, people=[PersonData(name=f"{name} Listed")], device=owner, imported=True)

    def season_called(year: str, plan: NightPlan = TWO_ROUNDS) -> str:
        counting = StandingSettings()
        return seasons.open_season(
            league=league,
            name=f"{name} {year}",
            rules=RULES,
            counting=counting,
            plan=plan,
            money=MONEY,
            device=owner,
            tap=f"season-{year}",
        )

    def night_on(day: int, *phones: str, here: int = 8, draw: bool = True) -> LeagueNight:
        night = nights.open_night(season=season, day=date(2026, 9, day), device=owner)
        nights.check_in(night=night, people=who[:here], device=owner)
        if draw:
            nights.draw(night=night, device=owner, seed=1)
        row = night_at(db.session(), night)
        words = [card_word(row, number, key) for number in (1, 2)]
        at = tuple(table.id for table in tables_of(db.session(), row))
        games = [
            tables.start_table(
                night=night, table=table, device=hashed(phone), client_id=f"card-{table}", word=word, key=key
            )
            for phone, table, word in zip(phones, at, words, strict=False)
        ]
        return LeagueNight(night, at, tuple(games), words[0])

    def planned_on(day: date) -> str:
        at = Details(day=day, starts=19 * 60, place=f"{name} Hall")
        service.plan_nights(season=season, days=[day], told=at, zone="America/New_York", device=owner)
        return db.session.scalars(select(PlannedRow.public_id).order_by(PlannedRow.id.desc())).first() or ""

    past, bare, season = (season_called(year) for year in ("2025", "2027", "2026"))
    over = night_on(1, before, here=4)
    act(over.games[0], before, EnterHand(HAND), Concede(0))
    closing.close_night(night=over.id, device=owner, anyway=True)
    night = night_on(8, *cards)
    act(night.games[0], cards[0], EnterHand(HAND), TakeBid(1, 2))
    before_it = datetime(2026, 9, 1, tzinfo=UTC)
    service.answer_for(planned=planned_on(LATER), person=who[6], told=GivenAnswer("yes"), device=owner, now=before_it)
    later = night_on(LATER.day, here=4, draw=False)
    for paid_in in (season, past):
        to: Any = {"season": paid_in, "people": who[:1], "cents": 300, "day": date(2026, 9, 1)}
        payments.save_payment(**to, what=f"{name} dues", device=owner, now=datetime.now(UTC))
    seasons.close_season(season=past, device=owner)
    squads = season_called("2028", NightPlan(format="team_match", rounds=1))
    for team, letters in (("Owls", "AB"), ("Elks", "CD")):
        players = [f"{name} {letter}" for letter in letters]
        teams.save_squad(season=squads, squad=None, name=f"{name} {team}", division="", players=players, device=owner)
    squad = db.session.scalars(select(SquadRow.public_id).where(SquadRow.name == f"{name} Owls")).one()
    planned = planned_on(TO_COME)
    links.make_links(league=league, people=[who[PLAYERS - 1]], device=owner)
    link = db.session.scalars(select(PersonalLinkRow).order_by(PersonalLinkRow.person_id.desc())).first()
    person = person_at(db.session(), who[PLAYERS - 1])
    assert link is not None
    rows = dict(db.session.execute(select(PersonRow.public_id, PersonRow.id)).all())
    return League(
        id=league,
        people=who[:PLAYERS],
        rows=tuple(rows[person] for person in who[:PLAYERS]),
        gone=who[-1],
        season=season,
        past=past,
        name=name,
        bare=bare,
        squads=squads,
        squad=squad,
        planned=planned,
        link=links.token_of(person, link, links.PAGE, key),
        calendar=links.token_of(person, link, links.CALENDAR, key),
        night=night,
        later=later,
        over=over,
        payments=tuple(
            db.session.scalars(
                select(PaymentRow.id)
                .join(PersonRow, PersonRow.id == PaymentRow.person_id)
                .where(PersonRow.public_id == who[0])
                .order_by(PaymentRow.id)
            )
        ),
        handover=handover_path(db.session(), league, key).rpartition("/")[2],
        brought_in=imports_of(db.session(), league_at(db.session(), league))[0].id,
    )
