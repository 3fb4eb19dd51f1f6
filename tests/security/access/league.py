"""A league with all that can be behind an address of it, made by the device that owns it: two of them are a world."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.calendar import answers, links
from scorekeeper.leagues.calendar import service as planning
from scorekeeper.leagues.calendar.details import Details
from scorekeeper.leagues.calendar.replies import GivenAnswer
from scorekeeper.leagues.core.access import league_at, night_at, person_at
from scorekeeper.leagues.core.models import PersonalLinkRow, PersonRow, PlannedRow
from scorekeeper.leagues.members.ownership import handover_path
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.nights.card_tokens import card_word
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
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
    """Return the stored hash for a device of that name (`device_word`)."""
    return hashlib.sha256(device_word(word).encode()).hexdigest()


def act(game: str, device: str, *commands: Command) -> int:
    """Do this in a game and return the version of the game after it."""
    version = 0
    for number, command in enumerate(commands):
        tap = ClientRequest(hashed(device), f"{device}-{game}-{number}-{type(command).__name__}")
        version = scoring.act(public_id=game, command=command, request=tap).version
    return version


@dataclass(frozen=True, slots=True)
class LeagueNight:
    """A night, its tables of all rounds, and the games of the first ones."""

    id: str
    tables: tuple[int, ...]
    games: tuple[str, ...]
    card: str
    """The word on the card of table 1."""


@dataclass(frozen=True)
class League:
    """A league: a season that is played and one that is over; nights that are over, tonight, and to come."""

    id: str
    people: tuple[str, ...]
    rows: tuple[int, ...]
    """Their ids in the database."""
    gone: str
    """Somebody who was merged into the first."""
    season: str
    past: str
    """One that is closed."""
    bare: str
    """One without a night."""
    night: LeagueNight
    later: LeagueNight
    over: LeagueNight
    name: str
    """What all its names begin with."""
    planned: str
    """A night that is planned and can be answered."""
    link: str
    """The word in the last person's own link, and in the next field that of their calendar."""
    calendar: str
    handover: str
    """The word that makes another device the one that owns it."""
    brought_in: str
    """An import of one player."""


def make_league(name: str, device: str, key: str, *, cards: tuple[str, str], before: str) -> League:
    """Return a league whose names all begin with `name`.

    `cards` are the devices that scanned the cards of tables 1 and 2 tonight, `before` one that scanned a card on the
    night that is over. Only within the context of the application.
    """
    owner = hashed(device)
    league = seasons.make_league(name=f"{name} Hall", device=owner, client_id=f"make-{name}")
    told = [PersonData(name=f"{name} {letter}", notes=f"{name}-hush") for letter in "ABCDEFGHIJ"[:PLAYERS]]
    who = people.add_people(league=league, people=[*told, PersonData(name=f"{name} Twice")], device=owner)
    people.merge_people(person=who[-1], into=who[0], device=owner)
    people.add_people(league=league, people=[PersonData(name=f"{name} Listed")], device=owner, imported=True)

    def season_called(year: str) -> str:
        counting, plan = StandingSettings(), NightPlan(rounds=2)
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
        planning.plan_nights(season=season, days=[day], told=at, zone="America/New_York", device=owner)
        return db.session.scalars(select(PlannedRow.public_id).order_by(PlannedRow.id.desc())).first() or ""

    past, bare, season = (season_called(year) for year in ("2025", "2027", "2026"))
    over = night_on(1, before, here=4)
    act(over.games[0], before, EnterHand(HAND), Concede(0))
    closing.close_night(night=over.id, device=owner, anyway=True)
    night = night_on(8, *cards)
    act(night.games[0], cards[0], EnterHand(HAND), TakeBid(1, 2))
    before_it = datetime(2026, 9, 1, tzinfo=UTC)
    answers.answer_for(planned=planned_on(LATER), person=who[6], told=GivenAnswer("yes"), device=owner, now=before_it)
    later = night_on(LATER.day, here=4, draw=False)
    seasons.close_season(season=past, device=owner)
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
        planned=planned,
        link=links.token_of(person, link, links.PAGE, key),
        calendar=links.token_of(person, link, links.CALENDAR, key),
        night=night,
        later=later,
        over=over,
        handover=handover_path(db.session(), league, key).rpartition("/")[2],
        brought_in=imports_of(db.session(), league_at(db.session(), league))[0].id,
    )
