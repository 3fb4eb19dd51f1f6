"""The use cases of a league night, from check-in and seating to play and closing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import pytest
from flask import Flask
from sqlalchemy import func, select

from scorekeeper.games.list_queries import home_page
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.access import NotYourGameError
from scorekeeper.leagues.core.access import NotAllowedError
from scorekeeper.leagues.core.models import HandRow, LeagueEventRow, NightRow, PersonRow, SeasonRow, SeatRow
from scorekeeper.leagues.nights import closing, seating, table_disputes, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.nights.seating import SeatingRequest, bye_credit
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import RoundPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import TableState, byes_of, plans_of, tables_of
from scorekeeper.rules.commands import EnterHand, TakeBid
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.league_night import reason_of

DIRECTOR = "d" * 64
PHONE = "p" * 64
KEY = "a secret key of the installation"
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")


@dataclass(frozen=True)
class Club:
    """A league with a season and an open night. `people` maps each person's name to the public id."""

    league: str
    season: str
    night: str
    people: dict[str, str]

    def row(self) -> NightRow:
        return db.session.scalars(select(NightRow).where(NightRow.public_id == self.night)).one()

    def tables(self) -> tuple[TableState, ...]:
        db.session.expire_all()
        return tables_of(db.session(), self.row())

    def check_in(self, *names: str) -> None:
        nights.check_in(night=self.night, people=[self.people[name] for name in names], device=DIRECTOR)

    def draw(self, seed: int = 1) -> None:
        nights.draw(night=self.night, device=DIRECTOR, seed=seed)

    def start(self, table: TableState, device: str = DIRECTOR, word: str = "") -> str:
        return tables.start_table(
            night=self.night, table=table.id, device=device, client_id=f"tap-{table.id}", word=word, key=KEY
        )

    def tell(self, table: TableState, totals: tuple[int, ...], reason: str = "") -> None:
        tables.tell_result(night=self.night, table=table.id, totals=totals, device=DIRECTOR, reason=reason)


@pytest.fixture
def club(app: Flask) -> Iterator[Club]:
    """Yield a league with an open night and nobody checked in."""
    with app.app_context():
        league = seasons.make_league(name="Fire Hall", device=DIRECTOR, client_id="make")
        ids = people.add_people(league=league, people=[PersonData(name=name) for name in NAMES], device=DIRECTOR)
        season = seasons.open_season(
            league=league,
            name="2026/27",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(rounds=3),
            device=DIRECTOR,
        )
        night = nights.open_night(season=season, day=date(2026, 9, 1), device=DIRECTOR)
        yield Club(league, season, night, dict(zip(NAMES, ids, strict=True)))


def test_eight_people_are_seated_at_two_tables_for_three_rounds(club: Club) -> None:
    """Eight people at two tables each have one seat per round, and nobody plays with the same partner twice."""
    club.check_in(*NAMES[:8])
    club.draw()
    rounds = plans_of(club.tables(), byes_of(db.session(), club.row()))
    assert [len(plan.tables) for plan in rounds] == [2, 2, 2]
    assert all(len(plan.seated) == 8 and plan.byes == () for plan in rounds)
    partners = [frozenset(side) for plan in rounds for table in plan.tables for side in table.sides]
    assert len(set(partners)) == len(partners) == 12


def test_a_latecomer_plays_from_the_next_round_and_started_rounds_stay(club: Club) -> None:
    """A person who arrives late plays from the next round on. Rounds that have started keep their seats.

    A person who leaves gets no seats in later rounds.
    """
    club.check_in(*NAMES[:8])
    club.draw()
    first = [table.seats for table in club.tables() if table.round == 1]
    club.start(club.tables()[0])
    club.check_in("Ida")
    nights.check_out(night=club.night, person=club.people["Ann"], device=DIRECTOR)
    club.draw(seed=2)
    told = club.tables()
    assert [table.seats for table in told if table.round == 1] == first
    ann, ida = (db.session.scalars(select(PersonRow.id).where(PersonRow.name == name)).one() for name in ("Ann", "Ida"))
    later = {person for table in told if table.round > 1 for person in table.seats}
    assert ida in later
    assert ann not in later


def test_the_seating_blocks_nobody_and_includes_people_who_came_during_it(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a person is checked in while a seating is being calculated, the calculation starts again with that person.

    The calculation can take seconds, and check-ins don't have to wait for it.
    """
    made: list[int] = []
    drawn = SeatingRequest.draw

    def slowly(asked: SeatingRequest) -> tuple[RoundPlan, ...]:
        made.append(len(asked.night.people))
        if len(made) == 1:
            club.check_in("Ida")
        return drawn(asked)

    monkeypatch.setattr(SeatingRequest, "draw", slowly)
    club.check_in(*NAMES[:7])
    club.draw()
    assert made == [7, 8]
    assert {table.round for table in club.tables()} == {1, 2, 3}
    assert sum(len(table.seats) for table in club.tables() if table.round == 1) == 8


def test_a_seating_gives_up_after_repeated_changes(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """If check-ins or check-outs keep interrupting the calculation of a seating, no seating is made.

    The error says why.
    """
    here = itertools.cycle((True, False))

    def overtaken(_asked: SeatingRequest) -> tuple[RoundPlan, ...]:
        if next(here):
            nights.check_out(night=club.night, person=club.people["Ida"], device=DIRECTOR)
        else:
            club.check_in("Ida")
        return ()

    monkeypatch.setattr(SeatingRequest, "draw", overtaken)
    club.check_in(*NAMES)
    with pytest.raises(RuleViolation, match="The night changed while"):
        club.draw()
    assert club.tables() == ()


def test_a_night_has_a_limit_of_people(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can be checked in while the number of people present on a night is at its limit.

    A person who is checked in a second time counts once, and people who have left don't count.
    """
    monkeypatch.setattr(nights, "MOST_HERE", 5)
    club.check_in(*NAMES[:5], *NAMES[:5])
    with pytest.raises(RuleViolation, match="A night has room for 5 people"):
        club.check_in("Fay")
    with pytest.raises(RuleViolation, match="A night has room for 5 people"):
        nights.let_in(night=club.night, told=PersonData(name="Zoe"), device=DIRECTOR)
    nights.check_out(night=club.night, person=club.people["Ann"], device=DIRECTOR)
    club.check_in("Fay")
    with pytest.raises(RuleViolation, match="A night has room for 5 people"):
        club.check_in("Ann")


def test_a_team_has_two_to_four_partners(club: Club) -> None:
    club.check_in(*NAMES)
    with pytest.raises(RuleViolation, match="Choose two to four partners"):
        nights.set_team(night=club.night, people=[club.people[name] for name in NAMES[:5]], device=DIRECTOR)


def test_a_card_opens_only_its_table_of_its_night(club: Club) -> None:
    """A phone that sends the token printed on a table's card can score that table, but no other table.

    After new cards are made, the token on the old card is refused.
    """
    club.check_in(*NAMES[:8])
    club.draw()
    one, two = club.tables()[:2]
    word = card_word(club.row(), one.number, KEY)
    game = club.start(one, PHONE, word)
    scoring.act(public_id=game, command=TakeBid(0, 2), request=ClientRequest(PHONE, "x", None))
    for wrong in (word, "", "made-up"):
        with pytest.raises(NotAllowedError):
            club.start(two, PHONE, wrong)
    nights.new_cards(night=club.night, device=DIRECTOR)
    with pytest.raises(NotAllowedError):
        club.start(one, "q" * 64, word)


def test_a_paper_result_is_entered_and_corrected_with_a_reason(club: Club) -> None:
    """Changing a score entered at the desk needs a reason, and the log has the old and the new score."""
    club.check_in(*NAMES[:4])
    club.draw()
    table = club.tables()[0]
    club.tell(table, (21, 13))
    told = club.tables()[0]
    assert (told.points, told.final, told.done) == ((21, 13), True, True)
    assert told.verdict is not None
    assert told.verdict.winner == 0
    with pytest.raises(RuleViolation, match="Enter a reason"):
        club.tell(table, (13, 21))
    club.tell(table, (13, 21), "sides were mixed up")
    assert club.tables()[0].points == (13, 21)
    lines = db.session.scalars(select(LeagueEventRow).where(LeagueEventRow.kind == "result_told")).all()
    assert [(line.data["before"], line.data["after"], reason_of(line)) for line in lines] == [
        (None, [21, 13], ""),
        ([21, 13], [13, 21], "sides were mixed up"),
    ]


def test_a_side_confirms_the_points_it_saw(club: Club) -> None:
    """A side can confirm a result only if the points haven't changed since the side saw them.

    If the points change after the confirmation, the confirmation is removed.
    """
    club.check_in(*NAMES[:4])
    club.draw()
    table = club.tables()[0]
    club.tell(table, (21, 13))
    table_disputes.confirm(night=club.night, table=table.id, side=1, seat=1, points=(21, 13), device=DIRECTOR)
    assert club.tables()[0].confirmed == {1}
    with pytest.raises(RuleViolation, match="changed"):
        table_disputes.confirm(night=club.night, table=table.id, side=0, seat=0, points=(21, 12), device=DIRECTOR)
    club.tell(table, (13, 21), "mixed up")
    assert club.tables()[0].confirmed == frozenset()


def test_closing_lists_missing_tables_and_then_saves_what_counts(club: Club) -> None:
    """A night with unfinished tables can be closed only if the director confirms it.

    Closing saves the hands and ends scoring on phones. After reopening, results can be corrected.
    """
    club.check_in(*NAMES[:8])
    club.draw()
    played, paper, *missing = club.tables()
    game = club.start(played, PHONE, card_word(club.row(), played.number, KEY))
    hand = {"bidder": 0, "bid": 4, "points": {"high": 0, "low": 0, "jack": 0, "game": 0}}
    for number in range(6):
        scoring.act(public_id=game, command=EnterHand(hand), request=ClientRequest(PHONE, f"hand-{number}", None))
    club.tell(paper, (10, 21))
    assert closing.close_night(night=club.night, device=DIRECTOR) == tuple(missing)
    assert club.row().closed_at is None
    closing.close_night(night=club.night, device=DIRECTOR, anyway=True)
    assert club.row().closed_at is not None
    assert db.session.scalar(select(func.count()).select_from(HandRow)) == 6
    with pytest.raises(NotYourGameError):
        scoring.act(public_id=game, command=TakeBid(0, 2), request=ClientRequest(PHONE, "late", None))
    with pytest.raises(RuleViolation, match="closed"):
        club.check_in("Ida")
    with pytest.raises(RuleViolation, match="Enter a reason"):
        closing.reopen_night(night=club.night, device=DIRECTOR, reason=" ")
    closing.reopen_night(night=club.night, device=DIRECTOR, reason="table 2 was wrong")
    club.tell(paper, (21, 10), "table 2 was wrong")
    assert closing.close_night(night=club.night, device=DIRECTOR, anyway=True) == tuple(missing)


def test_no_game_starts_once_the_night_is_closed(club: Club) -> None:
    """After a night is closed, no game of the night can be started, because the game wouldn't count."""
    club.check_in(*NAMES[:8])
    club.draw()
    table = club.tables()[0]
    word = card_word(club.row(), table.number, KEY)
    closing.close_night(night=club.night, device=DIRECTOR, anyway=True)
    with pytest.raises(RuleViolation, match="This night is closed"):
        club.start(table)
    with pytest.raises(NotAllowedError):
        club.start(table, PHONE, word)
    assert not any(table.game for table in club.tables())


def test_only_the_director_can_run_a_league(club: Club) -> None:
    """A device without a role can neither add people to a league nor make a seating."""
    with pytest.raises(NotAllowedError):
        people.add_people(league=club.league, people=[PersonData(name="Zed")], device=PHONE)
    with pytest.raises(NotAllowedError):
        nights.draw(night=club.night, device=PHONE, seed=1)


def test_a_substitute_plays_for_an_absent_regular(club: Club) -> None:
    """If a substitute is named after the seating was made, the substitute's seats count for the regular.

    A regular who is checked in can't have a substitute.
    """
    club.check_in(*NAMES[:8])
    club.draw()
    seating.set_sub(night=club.night, person=club.people["Ann"], regular=club.people["Ida"], device=DIRECTOR)
    ann, ida = (db.session.scalars(select(PersonRow.id).where(PersonRow.name == name)).one() for name in ("Ann", "Ida"))
    assert set(db.session.scalars(select(SeatRow.sub_for).where(SeatRow.person_id == ann))) == {ida}
    with pytest.raises(RuleViolation, match="substitute"):
        seating.set_sub(night=club.night, person=club.people["Bob"], regular=club.people["Cid"], device=DIRECTOR)


def test_a_regular_who_left_can_have_a_substitute_from_the_next_round(club: Club) -> None:
    """A regular who leaves after round 1 can have a substitute in the later rounds.

    The substitute already played in round 1. That round counts for the substitute, and later rounds for the regular.
    """
    club.check_in(*NAMES)
    club.draw()
    sits = next(table for table in club.tables() if table.round == 1)
    regular, sub = (db.session.get_one(PersonRow, person) for person in sits.seats[:2])
    club.start(sits)
    nights.check_out(night=club.night, person=regular.public_id, device=DIRECTOR)
    club.draw(seed=2)
    seating.set_sub(night=club.night, person=sub.public_id, regular=regular.public_id, device=DIRECTOR)
    told = {table.round: table.subs for table in club.tables() if sub.id in table.seats}
    assert told == {number: {} if number == 1 else {sub.id: regular.id} for number in told}
    assert set(told) > {1}
    with pytest.raises(RuleViolation, match="substitute"):
        seating.set_sub(night=club.night, person=regular.public_id, regular=regular.public_id, device=DIRECTOR)


def test_duplicates_are_merged_unless_they_met(club: Club) -> None:
    """A duplicate can be merged into another person, unless both were checked in on the same night."""
    club.check_in("Ann", "Bob")
    with pytest.raises(RuleViolation, match="same night"):
        people.merge_people(person=club.people["Ann"], into=club.people["Bob"], device=DIRECTOR)
    people.merge_people(person=club.people["Ann"], into=club.people["Cid"], device=DIRECTOR)
    ann = db.session.scalars(select(PersonRow).where(PersonRow.name == "Ann")).one()
    cid = db.session.scalars(select(PersonRow).where(PersonRow.name == "Cid")).one()
    assert ann.merged_into == cid.id
    with pytest.raises(RuleViolation, match="another player"):
        people.merge_people(person=club.people["Ann"], into=club.people["Dee"], device=DIRECTOR)


def test_a_seat_and_a_bye_are_swapped(club: Club) -> None:
    """If a person who sits out and a seated person are swapped, the first gets the seat and the second sits out."""
    club.check_in(*NAMES)
    club.draw()
    (out,) = byes_of(db.session(), club.row())[1]
    inside = club.tables()[0].seats[0]
    one, other = (db.session.get_one(PersonRow, person).public_id for person in (out, inside))
    nights.swap(night=club.night, round_number=1, one=one, other=other, device=DIRECTOR)
    assert byes_of(db.session(), club.row())[1] == (inside,)
    assert club.tables()[0].seats[0] == out


def test_byes_before_a_merge_count_for_the_person_who_is_left(club: Club) -> None:
    """After two people are merged, the duplicate's byes count for the person who remains.

    That person is therefore not the first to sit out again.
    """
    club.check_in(*NAMES)
    club.draw()
    (out,) = byes_of(db.session(), club.row())[1]
    ids = people.add_people(league=club.league, people=[PersonData(name="Ira")], device=DIRECTOR)
    people.merge_people(person=db.session.get_one(PersonRow, out).public_id, into=ids[0], device=DIRECTOR)
    second = nights.open_night(season=club.season, day=date(2026, 9, 8), device=DIRECTOR)
    night = db.session.scalars(select(NightRow).where(NightRow.public_id == second)).one()
    kept = db.session.scalars(select(PersonRow.id).where(PersonRow.public_id == ids[0])).one()
    credit = bye_credit(db.session(), db.session.get_one(SeasonRow, night.season_id), night)
    assert credit[kept] == (1, 3)
    assert out not in credit


def test_two_people_sitting_out_cannot_be_swapped(club: Club) -> None:
    """Two people who sit out can't be swapped, and nobody can be swapped with themselves.

    Nothing is changed or logged.
    """
    club.check_in(*NAMES[:6])
    club.draw()
    byes = byes_of(db.session(), club.row())[1]
    one, other = (db.session.get_one(PersonRow, person).public_id for person in byes)
    inside = db.session.get_one(PersonRow, club.tables()[0].seats[0]).public_id
    for first, second in ((one, other), (one, one), (inside, inside)):
        with pytest.raises(RuleViolation, match="Choose two different players"):
            nights.swap(night=club.night, round_number=1, one=first, other=second, device=DIRECTOR)
    assert byes_of(db.session(), club.row())[1] == byes
    assert not db.session.scalars(select(LeagueEventRow).where(LeagueEventRow.kind == "swapped")).all()


@pytest.mark.parametrize("sits_out", [True, False])
def test_a_substitute_swapped_with_a_bye_still_plays_for_the_regular(club: Club, *, sits_out: bool) -> None:
    """If a substitute is swapped with a person who sits out, the substitute still plays for the regular.

    The person who takes over the substitute's seat doesn't play for the regular.
    """
    club.check_in(*NAMES[:5])
    club.draw()
    (out,) = byes_of(db.session(), club.row())[1]
    inside = club.tables()[0].seats[0]
    sub, other = (out, inside) if sits_out else (inside, out)
    ids = {person: db.session.get_one(PersonRow, person).public_id for person in (sub, other)}
    regular = db.session.scalars(select(PersonRow).where(PersonRow.name == NAMES[-1])).one()
    seating.set_sub(night=club.night, person=ids[sub], regular=regular.public_id, device=DIRECTOR)
    for _there_and_back in range(2):
        nights.swap(night=club.night, round_number=1, one=ids[sub], other=ids[other], device=DIRECTOR)
        told = [table for table in club.tables() if table.round == 1]
        seated = any(sub in table.seats for table in told)
        assert [table.subs for table in told if table.subs] == ([{sub: regular.id}] if seated else [])


def test_a_substitution_ends_when_the_regular_comes(club: Club) -> None:
    """When the regular checks in, the substitution ends.

    Rounds that have started still count for the regular, and later rounds count for the substitute. Otherwise the
    regular would count twice in the later rounds.
    """
    club.check_in(*NAMES[:8])
    club.draw()
    sub, late = (
        db.session.scalars(select(PersonRow).where(PersonRow.name == name)).one() for name in ("Ann", NAMES[8])
    )
    seating.set_sub(night=club.night, person=sub.public_id, regular=late.public_id, device=DIRECTOR)
    club.start(next(table for table in club.tables() if table.round == 1 and sub.id in table.seats))
    club.check_in(late.name)
    told = {table.round: table.subs for table in club.tables() if sub.id in table.seats}
    assert told == {number: {sub.id: late.id} if number == 1 else {} for number in told}
    assert set(told) > {1}
    club.draw(seed=2)
    assert {table.round: table.subs for table in club.tables() if table.subs} == {1: {sub.id: late.id}}


def test_a_regular_has_one_substitute_at_a_time(club: Club) -> None:
    """A regular can have a second substitute only after the first substitute has left.

    If the first substitute checks in again, that person no longer plays for the regular.
    """
    club.check_in(*NAMES[:8])
    club.draw()
    first, second, regular = (club.people[name] for name in ("Ann", "Bob", NAMES[8]))
    ids = {name: db.session.scalars(select(PersonRow.id).where(PersonRow.name == name)).one() for name in NAMES}
    ann, bob, ida = (ids[name] for name in ("Ann", "Bob", NAMES[8]))
    seating.set_sub(night=club.night, person=first, regular=regular, device=DIRECTOR)
    with pytest.raises(RuleViolation, match="Ann already plays for Ida"):
        seating.set_sub(night=club.night, person=second, regular=regular, device=DIRECTOR)
    club.start(next(table for table in club.tables() if table.round == 1))
    nights.check_out(night=club.night, person=first, device=DIRECTOR)
    club.check_in()
    seating.set_sub(night=club.night, person=second, regular=regular, device=DIRECTOR)
    club.draw(seed=2)
    assert [table.subs for table in club.tables() if table.round == 1 and table.subs] == [{ann: ida}]
    assert {frozenset(table.subs.items()) for table in club.tables() if table.round > 1} <= {
        frozenset({(bob, ida)}),
        frozenset(),
    }
    club.check_in("Ann")
    club.draw(seed=3)
    later = [table for table in club.tables() if table.round > 1]
    assert not any(ann in table.subs for table in later)
    assert any(bob in table.subs for table in later)


def test_home_lists_league_games_for_scorers_but_not_for_the_director(club: Club) -> None:
    """The home page of a phone that scores a league game lists the game. The director's home page doesn't.

    With eighty league games a night, directors would hardly find their own games.
    """
    club.check_in(*NAMES[:4])
    club.draw()
    table = club.tables()[0]
    game = club.start(table, PHONE, card_word(club.row(), table.number, KEY))
    assert home_page(DIRECTOR).running == ()
    assert [card.id for card in home_page(PHONE).running] == [game]
