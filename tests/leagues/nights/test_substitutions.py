"""Random check-ins, check-outs, substitutions and swaps, after which nobody ever has two seats in a round."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from scorekeeper.leagues.core.models import NightRow, PresentRow
from scorekeeper.leagues.nights import seating as chairs
from scorekeeper.leagues.nights import service, tables
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import byes_of, tables_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.leagues.standings.table_results import TableState

pytestmark = [pytest.mark.slow, pytest.mark.database]

DIRECTOR = "d" * 64
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus")
ROUNDS = 3
HERE = 5
"""Number of people who are checked in when the night starts. Substitutes often play for the other two people."""

someone = st.integers(0, len(NAMES) - 1)
regulars = st.one_of(st.integers(HERE, len(NAMES) - 1), someone, st.none())
steps = st.one_of(
    st.tuples(st.just("comes"), someone),
    st.tuples(st.just("goes"), someone),
    st.tuples(st.just("stands in"), someone, regulars),
    st.tuples(st.just("change places"), st.integers(1, ROUNDS), someone, someone),
    st.tuples(st.just("drawn"), st.integers(0, 3)),
    st.tuples(st.just("begun"), st.integers(0, 9)),
)


class Night:
    """A night of a league with seven people. Five of these people are checked in and seated.

    The steps of the tests name people by their index in `NAMES`.
    """

    def __init__(self, number: int) -> None:
        league = seasons.make_league(name=f"League {number}", device=DIRECTOR, client_id=f"make-{number}")
        self.ids = people.add_people(league=league, people=[PersonData(name=name) for name in NAMES], device=DIRECTOR)
        season = seasons.open_season(
            league=league,
            name="2026/27",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(rounds=ROUNDS),
            device=DIRECTOR,
        )
        self.night = service.open_night(season=season, day=date(2026, 9, 1), device=DIRECTOR)
        service.check_in(night=self.night, people=self.ids[:HERE], device=DIRECTOR)
        service.draw(night=self.night, device=DIRECTOR, seed=1)

    def tables(self) -> tuple[TableState, ...]:
        """Return the tables of all rounds."""
        db.session.expire_all()
        return tables_of(db.session(), self._row())

    def take(self, step: tuple[Any, ...]) -> None:
        """Do a step at the desk; `step` is a tuple of the step's name and its arguments.

        Raises `RuleViolation` if the desk refuses the step.
        """
        told: dict[str, Any] = {"night": self.night, "device": DIRECTOR}
        match step:
            case ("comes", who):
                service.check_in(people=[self.ids[who]], **told)
            case ("goes", who):
                service.check_out(person=self.ids[who], **told)
            case ("stands in", who, regular):
                chairs.set_sub(person=self.ids[who], regular=regular if regular is None else self.ids[regular], **told)
            case ("change places", number, one, other):
                service.swap(round_number=number, one=self.ids[one], other=self.ids[other], **told)
            case ("drawn", seed):
                service.draw(seed=seed, **told)
            case ("begun", place):
                free = [table for table in self.tables() if not table.game]
                if free:
                    table = free[place % len(free)].id
                    tables.start_table(table=table, client_id=f"tap-{self.night}-{table}", **told)

    def check(self) -> None:
        """Raise `AssertionError` if the seats of a round don't fit the list of people present and the substitutions."""
        drawn = self.tables()
        byes = byes_of(db.session(), self._row())
        begun = max((table.round for table in drawn if table.game), default=0)
        for number in {table.round for table in drawn}:
            now = [table for table in drawn if table.round == number]
            seated = [person for table in now for person in table.seats]
            places = Counter([*seated, *byes.get(number, ())])
            assert set(places.values()) <= {1}, f"round {number}: two places of one in {places}"
            # The desk asks for a new seating for people who left but still have a seat.
            here = {person: sub_for for person, sub_for in self._here(number).items() if person in seated}
            subs = {person: regular for table in now for person, regular in table.subs.items()}
            chairs = Counter(subs.get(person, person) for person in here)
            assert set(chairs.values()) <= {1}, f"round {number}: two chairs of one in {chairs}"
            if number > begun:
                assert here == {person: subs.get(person) for person in here}, f"round {number}: {subs}"

    def _here(self, number: int) -> dict[int, int | None]:
        """Return a dict of the people present in round `number`.

        A key is a person's id. The value is the id of the absent player (regular) for whom the person plays, or None if
        the person plays for themselves.
        """
        rows = db.session.scalars(select(PresentRow).where(PresentRow.night_id == self._row().id))
        return {row.person_id: row.sub_for for row in rows if row.to_round is None or row.to_round >= number}

    def _row(self) -> NightRow:
        return db.session.scalars(select(NightRow).where(NightRow.public_id == self.night)).one()


def test_a_regular_has_one_seat_per_round(app: Flask) -> None:
    """In each round, nobody has two seats, and nobody who has a seat of their own has a substitute in another seat.

    In rounds that haven't started, the substitutions are those that the desk shows.
    """
    made = iter(range(10**6))

    @settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(steps, min_size=10, max_size=16))
    def claim(taken: list[tuple[Any, ...]]) -> None:
        with app.app_context():
            night = Night(next(made))
            for step in taken:
                try:
                    night.take(step)
                except RuleViolation:
                    db.session.rollback()
                night.check()

    claim()
