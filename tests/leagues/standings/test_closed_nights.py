"""The stored sums of closed nights, which match the games of those nights whatever happens in the league.

Leagues are played at random from a seed, with the use cases that the pages call. After each step, the standings in two
processes must match a new calculation from all games. At the end they must also match the second calculation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, select

from scorekeeper import create_app
from scorekeeper.games.logic.statistics.table_games import games_of
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.leagues.core.access import season_at
from scorekeeper.leagues.core.models import NightRow, PersonRow, SeatRow, TableRow, TallyRow
from scorekeeper.leagues.nights import closing, places, seating, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData, all_of
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.closed_nights import STORED
from scorekeeper.leagues.standings.counted_games import played_of, saved_nights
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.standings_cache import forget, partners_stay, season_standings
from scorekeeper.leagues.standings.table import standings, team_standings
from scorekeeper.leagues.standings.ties import TIE_BREAKS
from scorekeeper.leagues.standings.wording import ORDERS
from scorekeeper.leagues.statistics.player_season import player_season
from scorekeeper.rules.commands import Command, CorrectHand, EnterHand, Undo
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db, writing
from tests.conftest import settings_in
from tests.leagues.standings import second_calculation
from tests.leagues.standings.random_seasons import any_settings

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from scorekeeper.leagues.standings.rows import StandingRow

DIRECTOR = "the-director"
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan")
HANDS = 2
STEPS = 24
QUICK = 5
"""A seed with which a night is soon played and closed."""


class League:
    """A league in which random use cases are carried out. A use case that is refused is skipped.

    `done` counts the use cases that were carried out, by name.
    """

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.done: Counter[str] = Counter()
        self.league = seasons.make_league(name="Fire Hall", device=DIRECTOR, client_id="make-it")
        new = [PersonData(name=name) for name in NAMES]
        self.people = list(people.add_people(league=self.league, people=new, device=DIRECTOR))
        plan = NightPlan(
            format="fixed_hands",
            options={"hands": HANDS, "one_more": 0},
            rounds=2,
            together=("rotate", "fixed")[seed % 2],
        )
        counting = any_settings(self.chance)
        self.season = seasons.open_season(
            league=self.league,
            name="2026/27",
            rules=PRESETS["setback-21"],
            counting=counting,
            plan=plan,
            device=DIRECTOR,
        )
        self.days = iter(date(2026, 9, 1) + timedelta(weeks=week) for week in range(100))
        self.night = ""
        self.requests = 0

    def step(self) -> None:
        """Carry out one random use case."""
        # Nights are opened, played and closed more often than anything else happens.
        act = self.chance.choice((self.play, self.play, self.play, *self.acts()))
        try:
            act()
        except RuleViolation:
            db.session.remove()
        else:
            self.done[act.__name__] += 1

    def acts(self) -> Sequence[Callable[[], None]]:
        """Return the methods that change the league other than by opening, playing or closing a night."""
        return (self.correct, self.undo, self.sub, self.leave, self.redraw, self.paper, self.merge, self.add)

    def begin(self) -> None:
        """Open a night, check in some of the people, and make the seating."""
        self.night = nights.open_night(season=self.season, day=next(self.days), device=DIRECTOR)
        came = self.chance.sample(self.people, self.chance.randrange(4, min(len(self.people), 9) + 1))
        nights.check_in(night=self.night, people=came, device=DIRECTOR)
        if self.chance.random() < 0.7:
            pairs = zip(came[::2], came[1::2], strict=False)
            for pair in pairs if self.fixed else ():
                nights.set_team(night=self.night, people=pair, device=DIRECTOR)
        self.redraw()

    def close(self) -> None:
        """Close the open night. In half of the cases, reopen a random closed night afterwards."""
        closing.close_night(night=self.night, device=DIRECTOR, anyway=True)
        self.done["close"] += 1
        closed = self._public(select(NightRow.public_id).where(NightRow.closed_at.is_not(None)))
        if self.chance.random() < 0.5:
            self.night = self.chance.choice(closed)
            closing.reopen_night(night=self.night, device=DIRECTOR, reason="A wrong score.")
            self.done["reopen"] += 1
        else:
            self.night = ""

    @property
    def fixed(self) -> bool:
        """Return whether the season's nights have fixed partners."""
        return partners_stay(season_at(db.session(), self.season))

    def play(self) -> None:
        """Play a table of the open night. If no night is open, open a night instead.

        If no table is left to play, close the night instead. Sometimes, close the night even though tables are left.
        """
        if not self.night:
            return self.begin()
        table = self._table(TableRow.game_id.is_(None))
        if table is None or self.chance.random() < 0.1:
            return self.close()
        self.requests += 1
        key = f"request-number-{self.requests}"
        game = tables.start_table(night=self.night, table=table, device=DIRECTOR, client_id=key)
        for number in range(self.chance.choice((HANDS, HANDS, 1))):
            self._act(game, EnterHand(self._hand()), f"{key}-{number}")
        return None

    def paper(self) -> None:
        """Enter or correct the final score of the first table of the open night."""
        table = self._table(TableRow.id.is_not(None))
        if table is not None:
            totals = tuple(self.chance.sample((21, 3, 5, 8), 2))
            tables.tell_result(night=self.night, table=table, totals=totals, device=DIRECTOR, reason="Misread.")

    def correct(self) -> None:
        """Correct a random hand. The correction of a hand of a closed night counts only after the night is reopened."""
        found = db.session.execute(
            select(GameRow.public_id, EventRow.seq)
            .join(EventRow, EventRow.game_id == GameRow.id)
            .where(EventRow.kind == "HandScored")
        ).all()
        if found:
            game, seq = self.chance.choice(found)
            self.requests += 1
            self._act(game, CorrectHand(seq, self._hand()), f"correct-{self.requests}")

    def undo(self) -> None:
        """Undo the last change in a random game."""
        found = self._public(select(GameRow.public_id))
        if found:
            self.requests += 1
            self._act(self.chance.choice(found), Undo(), f"undo-{self.requests}")

    def sub(self) -> None:
        """Make a random person the substitute of another person on the open night.

        If no night is open, do so on a random night.
        """
        one, other = self.chance.sample(self.people, 2)
        seating.set_sub(night=self.night or self._any_night(), person=one, regular=other, device=DIRECTOR)

    def leave(self) -> None:
        """Check a random person out or in on the open night. If no night is open, do so on a random night."""
        night = self.night or self._any_night()
        if self.chance.random() < 0.5:
            nights.check_out(night=night, person=self.chance.choice(self.people), device=DIRECTOR)
        else:
            nights.check_in(night=night, people=[self.chance.choice(self.people)], device=DIRECTOR)

    def redraw(self) -> None:
        """Make a new seating of the rounds that haven't started. Missing fixed partners are drawn by lot before."""
        night, seed = self.night or self._any_night(), self.chance.randrange(100)
        if self.fixed:
            places.draw_partners(night=night, device=DIRECTOR, seed=seed)
        nights.draw(night=night, device=DIRECTOR, seed=seed)

    def merge(self) -> None:
        """Merge two random people, and add a new person in exchange."""
        one, other = self.chance.sample(self.people, 2)
        people.merge_people(person=one, into=other, device=DIRECTOR)
        self.people.remove(one)
        self.add()

    def add(self) -> None:
        """Add a new person."""
        self.requests += 1
        new = [PersonData(name=f"Guest {self.requests}")]
        self.people += people.add_people(league=self.league, people=new, device=DIRECTOR)

    def _any_night(self) -> str:
        found = self._public(select(NightRow.public_id))
        if not found:
            raise RuleViolation("none", "There is no night.")
        night: str = self.chance.choice(found)
        return night

    def _table(self, which: Any) -> int | None:
        found = self._public(
            select(TableRow.id).join(NightRow).where(NightRow.public_id == self.night, which).order_by(TableRow.round)
        )
        return found[0] if found else None

    def _public(self, query: Any) -> Sequence[Any]:
        return db.session.scalars(query).all()

    def _act(self, game: str, command: Command, key: str) -> None:
        scoring.act(public_id=game, command=command, request=ClientRequest(DIRECTOR, key, None))

    def _hand(self) -> Mapping[str, Any]:
        points = {key: self.chance.randrange(2) for key in ("high", "low", "jack", "game")}
        return {"bidder": self.chance.randrange(4), "bid": self.chance.choice((2, 3)), "points": points}


def _check(season_id: str) -> tuple[StandingRow, ...]:
    """Check the standings from stored sums against a calculation from all games, and return the rows of the players."""
    session = db.session()
    season = season_at(session, season_id)
    current = season_standings(session, season)
    settings = StandingSettings.from_json(season.counting)
    played = played_of(session, season, current.roster.merged)
    assert current.people == standings(played, settings, season=season_id, tags=current.roster.tags)
    if partners_stay(season):
        assert current.teams == team_standings(played, settings, season=season_id, tags=current.roster.tags)
    for row in current.people[:3]:
        person = session.get_one(PersonRow, row.person)
        own = player_season(session, season, current, row.person, all_of(session, person))
        assert own.games == games_of(row.person, played)
        theirs = {game for game in played if row.person in (game.person, game.sub_for)}
        assert {game for games in own.nights.values() for game in games} == theirs
    return current.people


def _check_stored() -> int:
    """Check that the stored sums of each closed night match its games, and return the number of closed nights."""
    session = db.session()
    stored = {row.night_id: row for row in session.scalars(select(TallyRow))}
    closed = saved_nights(session, NightRow.closed_at.is_not(None))
    assert set(stored) == set(closed), "closed nights have stored sums, and no others"
    for night, done in closed.items():
        for name, make in STORED.items():
            assert _plain(getattr(stored[night], name)) == _plain(make(done)), name
    return len(closed)


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.fixture
def another(app: Flask, tmp_path: Path) -> Iterator[Flask]:
    """Yield a second app, as in another server process, with the same database but a separate cache."""
    other = create_app(settings_in(tmp_path))
    yield other
    with other.app_context():
        db.engine.dispose()


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, *range(2, 24)))])
def test_standings_of_every_process_match_the_tables(app: Flask, another: Flask, seed: int) -> None:
    """After every change, the standings in two server processes match the games, and all stored sums are up to date.

    The changes include closing and reopening nights, correcting hands and merging people.
    """
    with app.app_context():
        league = League(seed)
    for step in range(STEPS):
        with app.app_context():
            league.step()
            _check_stored()
            here = _check(league.season)
        # The other process looks only now and then, so that several things have happened since.
        if step % 3 == 0:
            with another.app_context():
                assert _check(league.season) == here
    with app.app_context():
        session = db.session()
        season = season_at(session, league.season)
        current = season_standings(session, season)
        played = list(played_of(session, season, current.roster.merged))
        judged = second_calculation.people(played, current.settings, league.season, dict(current.roster.tags))
        assert [(row.place, row.unit, row.points, row.wins, row.dropped) for row in current.people] == [
            (row["place"], row["unit"], row["points"], row["wins"], row["dropped"]) for row in judged
        ]
        # One of the 24 walks closes no night; it checks the open ones.
        assert "play" in league.done, league.done
        # A closed night without stored sums, as older versions left it, is read from its tables.
        with writing() as writer:
            writer.execute(delete(TallyRow))
        forget()
        assert _check(league.season) == current.people


def test_the_comparison_finds_a_wrong_seat(app: Flask) -> None:
    """The check of the stored sums fails if somebody changes a seat of a closed night directly in the database."""
    with app.app_context():
        league = League(QUICK)
        while not league.done["close"] or league.night:
            league.step()
        assert _check_stored()
        with writing() as session:
            seat = session.scalars(select(SeatRow).join(TableRow).where(TableRow.hands.is_not(None))).first()
            assert seat is not None
            seat.sub_for = seat.person_id + 1
        with pytest.raises(AssertionError):
            _check_stored()


def test_every_tie_breaker_gives_the_same_from_the_database_as_from_all_games(app: Flask) -> None:
    """With each tie-breaker alone, standings from stored sums equal standings calculated from all games.

    The season has many ties.
    """
    with app.app_context():
        league = League(0)
        while league.done["close"] < 2:
            league.step()
        split = 0
        for rule, order in product(TIE_BREAKS, ORDERS):
            with writing() as session:
                settings = StandingSettings(order=order, ties=(rule,), drop_nights=1)
                season_at(session, league.season).counting = settings.to_json()
            forget()
            split += sum(bool(row.ties and row.ties[0].rule == rule) for row in _check(league.season))
    assert split > 10


def test_nights_closed_before_a_sum_was_added_are_counted_from_their_tables(app: Flask) -> None:
    """If an older version stored too few sums for a closed night, the sums are calculated from its games instead."""
    with app.app_context():
        league = League(QUICK)
        while not league.done["close"] or league.night:
            league.step()
        before = _check(league.season)
        with writing() as session:
            for row in session.scalars(select(TallyRow)):
                row.people = [line[:-1] for line in row.people]
                row.teams = [line[:-1] for line in row.teams]
        forget()
        assert _check(league.season) == before != ()
