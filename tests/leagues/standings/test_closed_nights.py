"""What is kept of closed nights is what their tables say, after anything that can be done to a league.

Leagues are played by a seeded random, by the use cases that the pages call. After every step each of two processes
shows standings that are those of all games counted anew, and at the end those of the slow reckoning too.
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
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.leagues.core.access import season_at
from scorekeeper.leagues.core.models import NightRow, PersonRow, SeatRow, TableRow, TallyRow
from scorekeeper.leagues.nights import closing, substitutions, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData, all_of
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.closed_nights import KEPT
from scorekeeper.leagues.standings.counted_games import played_of, written_nights
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.standings_cache import forget, partners_stay, reckon
from scorekeeper.leagues.standings.table import standings, team_standings
from scorekeeper.leagues.standings.ties import TIE_BREAKS
from scorekeeper.leagues.standings.wording import ORDERS
from scorekeeper.leagues.statistics.games import games_of
from scorekeeper.leagues.statistics.player_season import personal
from scorekeeper.rules.commands import Command, CorrectHand, EnterHand, Undo
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.violation import RuleViolation
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


class League:
    """A league that things are done to at random; a thing that the rules of a league forbid is not done."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.done: Counter[str] = Counter()
        self.league = seasons.make_league(name="Fire Hall", device=DIRECTOR, client_id="make-it")
        told = [PersonData(name=name) for name in NAMES]
        self.people = list(people.add_people(league=self.league, people=told, device=DIRECTOR))
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
        self.taps = 0

    def step(self) -> None:
        """Do something."""
        # A night is opened, played and closed more often than the rest is done.
        act = self.chance.choice((self.play, self.play, self.play, *self.acts()))
        try:
            act()
        except RuleViolation:
            db.session.remove()
        else:
            self.done[act.__name__] += 1

    def acts(self) -> Sequence[Callable[[], None]]:
        """Return what can be done beside playing."""
        return (self.correct, self.undo, self.sub, self.leave, self.redraw, self.paper, self.merge, self.rename)

    def begin(self) -> None:
        """Open a night for some of the people, and draw it."""
        self.night = nights.open_night(season=self.season, day=next(self.days), device=DIRECTOR)
        came = self.chance.sample(self.people, self.chance.randrange(4, min(len(self.people), 9) + 1))
        nights.check_in(night=self.night, people=came, device=DIRECTOR)
        if self.chance.random() < 0.7:
            pairs = zip(came[::2], came[1::2], strict=False)
            for pair in pairs if self.fixed else ():
                nights.set_team(night=self.night, people=pair, device=DIRECTOR)
        self.redraw()

    def close(self) -> None:
        """Close the night; or open one of those that are closed again, and play on there."""
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
        """Partners stay together."""
        return partners_stay(season_at(db.session(), self.season))

    def play(self) -> None:
        """Play a table of the open night, or go on to what comes when all are played."""
        if not self.night:
            return self.begin()
        table = self._table(TableRow.game_id.is_(None))
        if table is None or self.chance.random() < 0.1:
            return self.close()
        self.taps += 1
        tap = f"tap-number-{self.taps}"
        game = tables.start_table(night=self.night, table=table, device=DIRECTOR, client_id=tap)
        for number in range(self.chance.choice((HANDS, HANDS, 1))):
            self._tap(game, EnterHand(self._hand()), f"{tap}-{number}")
        return None

    def paper(self) -> None:
        """Tell the final score of a table, or correct it."""
        table = self._table(TableRow.id.is_not(None))
        if table is not None:
            totals = tuple(self.chance.sample((21, 3, 5, 8), 2))
            tables.tell_result(night=self.night, table=table, totals=totals, device=DIRECTOR, reason="Misread.")

    def correct(self) -> None:
        """Correct a hand of any night, also one that is closed: until it is opened again it counts as it did."""
        found = db.session.execute(
            select(GameRow.public_id, EventRow.seq)
            .join(EventRow, EventRow.game_id == GameRow.id)
            .where(EventRow.kind == "HandScored")
        ).all()
        if found:
            game, seq = self.chance.choice(found)
            self.taps += 1
            self._tap(game, CorrectHand(seq, self._hand()), f"correct-{self.taps}")

    def undo(self) -> None:
        """Take back the last hand of a game."""
        found = self._public(select(GameRow.public_id))
        if found:
            self.taps += 1
            self._tap(self.chance.choice(found), Undo(), f"undo-{self.taps}")

    def sub(self) -> None:
        """Let somebody stand in for somebody else tonight."""
        one, other = self.chance.sample(self.people, 2)
        substitutions.set_sub(night=self.night or self._any_night(), person=one, regular=other, device=DIRECTOR)

    def leave(self) -> None:
        """Let somebody go home, or come late."""
        night = self.night or self._any_night()
        if self.chance.random() < 0.5:
            nights.check_out(night=night, person=self.chance.choice(self.people), device=DIRECTOR)
        else:
            nights.check_in(night=night, people=[self.chance.choice(self.people)], device=DIRECTOR)

    def redraw(self) -> None:
        """Draw the rounds that are not begun."""
        nights.draw(night=self.night or self._any_night(), device=DIRECTOR, seed=self.chance.randrange(100))

    def merge(self) -> None:
        """Let two people turn out to be one; a new one comes in, so that enough are left."""
        one, other = self.chance.sample(self.people, 2)
        people.merge_people(person=one, into=other, device=DIRECTOR)
        self.people.remove(one)
        self.rename()

    def rename(self) -> None:
        """Write down somebody new."""
        self.taps += 1
        told = [PersonData(name=f"Guest {self.taps}")]
        self.people += people.add_people(league=self.league, people=told, device=DIRECTOR)

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

    def _tap(self, game: str, command: Command, tap: str) -> None:
        scoring.act(public_id=game, command=command, request=ClientRequest(DIRECTOR, tap, None))

    def _hand(self) -> Mapping[str, Any]:
        points = {key: self.chance.randrange(2) for key in ("high", "low", "jack", "game")}
        return {"bidder": self.chance.randrange(4), "bid": self.chance.choice((2, 3)), "points": points}


def _check(season_id: str) -> tuple[StandingRow, ...]:
    """Hold what this process shows against everything counted anew, and return the standings."""
    session = db.session()
    season = season_at(session, season_id)
    told = reckon(session, season)
    settings = StandingSettings.from_json(season.counting)
    played = played_of(session, season, told.book.merged)
    assert told.people == standings(played, settings, season=season_id, tags=told.book.tags)
    if partners_stay(season):
        assert told.teams == team_standings(played, settings, season=season_id, tags=told.book.tags)
    for row in told.people[:3]:
        person = session.get_one(PersonRow, row.person)
        own = personal(session, season, told, row.person, all_of(session, person))
        assert own.games == games_of(row.person, played)
        of_him = {game for game in played if row.person in (game.person, game.sub_for)}
        assert {game for games in own.nights.values() for game in games} == of_him
    return told.people


def _check_kept() -> int:
    """Hold what is kept of each closed night against its tables, and return how many nights that were."""
    session = db.session()
    kept = {row.night_id: row for row in session.scalars(select(TallyRow))}
    closed = written_nights(session, NightRow.closed_at.is_not(None))
    assert set(kept) == set(closed), "a night that is closed, and no other, has its sums"
    for night, done in closed.items():
        for name, make in KEPT.items():
            assert _plain(getattr(kept[night], name)) == _plain(make(done)), name
    return len(closed)


def _plain(told: Any) -> Any:
    return [_plain(each) for each in told] if isinstance(told, list | tuple) else told


@pytest.fixture
def another(app: Flask, tmp_path: Path) -> Iterator[Flask]:
    """Yield another process of the same score book: it remembers for itself."""
    other = create_app(settings_in(tmp_path))
    yield other
    with other.app_context():
        db.engine.dispose()


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, *range(2, 24)))])
def test_every_process_shows_what_the_tables_say(app: Flask, another: Flask, seed: int) -> None:
    """Nights are closed and opened again, hands corrected, people merged: no sum is ever an old one."""
    with app.app_context():
        league = League(seed)
    for step in range(STEPS):
        with app.app_context():
            league.step()
            _check_kept()
            here = _check(league.season)
        # The other one looks now and then only, so that more than one thing happened since it did.
        if step % 3 == 0:
            with another.app_context():
                assert _check(league.season) == here
    with app.app_context():
        session = db.session()
        season = season_at(session, league.season)
        told = reckon(session, season)
        played = list(played_of(session, season, told.book.merged))
        judged = second_calculation.people(played, told.settings, league.season, dict(told.book.tags))
        assert [(row.place, row.unit, row.points, row.wins, row.dropped) for row in told.people] == [
            (row["place"], row["unit"], row["points"], row["wins"], row["dropped"]) for row in judged
        ]
        # One walk of 24 closed no night: there the open ones are all that can be wrong.
        assert "play" in league.done, league.done
        # A night of which nothing is kept, as those of an older score book, is read from its tables.
        with writing() as writer:
            writer.execute(delete(TallyRow))
        forget()
        assert _check(league.season) == told.people


def test_what_is_wrong_is_found(app: Flask) -> None:
    """The check above is one: a seat that changes behind its back makes it fail."""
    with app.app_context():
        league = League(0)
        while not league.done["close"] or league.night:
            league.step()
        assert _check_kept()
        with writing() as session:
            seat = session.scalars(select(SeatRow).join(TableRow).where(TableRow.hands.is_not(None))).first()
            assert seat is not None
            seat.sub_for = seat.person_id + 1
        with pytest.raises(AssertionError):
            _check_kept()


def test_every_tie_break_says_from_the_database_what_it_says_of_all_games(app: Flask) -> None:
    """Each rule alone, where many are level. Which games a rule should look at is for the second calculation to say."""
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


def test_nights_that_were_closed_before_a_sum_was_kept_are_counted_from_their_tables(app: Flask) -> None:
    """A newer score book may sum up more: what an older one kept is too short then, and is no sum of it."""
    with app.app_context():
        league = League(1)
        while not league.done["close"] or league.night:
            league.step()
        before = _check(league.season)
        with writing() as session:
            for row in session.scalars(select(TallyRow)):
                row.people = [line[:-1] for line in row.people]
                row.teams = [line[:-1] for line in row.teams]
        forget()
        assert _check(league.season) == before != ()
