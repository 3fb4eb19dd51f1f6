"""A league night in the database: check-in, seating, play, closing."""

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
from scorekeeper.leagues.core.models import HandRow, LeagueEventRow, NightRow, PersonRow, SeatRow
from scorekeeper.leagues.nights import closing, substitutions, table_disputes, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.nights.card_tokens import card_word
from scorekeeper.leagues.nights.seating import SeatingRequest
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import RoundPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import TableState, byes_of, plans_of, tables_of
from scorekeeper.rules.commands import EnterHand, TakeBid
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db
from tests.support.league_night import reason_of

DIRECTOR = "d" * 64
PHONE = "p" * 64
KEY = "a secret key of the installation"
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")


@dataclass(frozen=True)
class Club:
    """A league with a season and an open night; `people` are public ids by name."""

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
    """Each person has one seat per round, and nobody has the same partner twice."""
    club.check_in(*NAMES[:8])
    club.draw()
    rounds = plans_of(club.tables(), byes_of(db.session(), club.row()))
    assert [len(plan.tables) for plan in rounds] == [2, 2, 2]
    assert all(len(plan.seated) == 8 and plan.byes == () for plan in rounds)
    partners = [frozenset(side) for plan in rounds for table in plan.tables for side in table.sides]
    assert len(set(partners)) == len(partners) == 12


def test_a_latecomer_plays_from_the_next_round_and_started_rounds_stay(club: Club) -> None:
    """A started round does not change, and people who leave get no more seats."""
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
    """Making it can take seconds. A person checked in during that time is seated, and the first attempt is dropped."""
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
    """No seating is saved, and the error says why."""
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
    """People who left make room, and checking someone in twice counts once."""
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


def test_a_team_has_two_or_three_partners(club: Club) -> None:
    club.check_in(*NAMES)
    with pytest.raises(RuleViolation, match="Choose two or three partners"):
        nights.set_team(night=club.night, people=[club.people[name] for name in NAMES[:4]], device=DIRECTOR)


def test_a_card_opens_only_its_table_of_its_night(club: Club) -> None:
    """A phone with the token can score there; another table's token or an invented one is refused."""
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
    """Changing a score needs a reason, and both scores are in the log."""
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
    """A confirmation is for exact points and is gone when they change."""
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
    """It does not close with a table missing unless told to; then scorers are removed and hands saved."""
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
    """Neither a card nor the desk starts one, because it would not count."""
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
    """Other devices cannot change anything in a league."""
    with pytest.raises(NotAllowedError):
        people.add_people(league=club.league, people=[PersonData(name="Zed")], device=PHONE)
    with pytest.raises(NotAllowedError):
        nights.draw(night=club.night, device=PHONE, seed=1)


def test_a_substitute_plays_for_an_absent_regular(club: Club) -> None:
    """It applies to existing seats, too."""
    club.check_in(*NAMES[:8])
    club.draw()
    substitutions.set_sub(night=club.night, person=club.people["Ann"], regular=club.people["Ida"], device=DIRECTOR)
    ann, ida = (db.session.scalars(select(PersonRow.id).where(PersonRow.name == name)).one() for name in ("Ann", "Ida"))
    assert set(db.session.scalars(select(SeatRow.sub_for).where(SeatRow.person_id == ann))) == {ida}
    with pytest.raises(RuleViolation, match="substitute"):
        substitutions.set_sub(night=club.night, person=club.people["Bob"], regular=club.people["Cid"], device=DIRECTOR)


def test_a_regular_who_left_can_have_a_substitute_from_the_next_round(club: Club) -> None:
    """Both play round 1 for themselves; after one leaves, the other plays for them."""
    club.check_in(*NAMES)
    club.draw()
    sits = next(table for table in club.tables() if table.round == 1)
    regular, sub = (db.session.get_one(PersonRow, person) for person in sits.seats[:2])
    club.start(sits)
    nights.check_out(night=club.night, person=regular.public_id, device=DIRECTOR)
    club.draw(seed=2)
    substitutions.set_sub(night=club.night, person=sub.public_id, regular=regular.public_id, device=DIRECTOR)
    told = {table.round: table.subs for table in club.tables() if sub.id in table.seats}
    assert told == {number: {} if number == 1 else {sub.id: regular.id} for number in told}
    assert set(told) > {1}
    with pytest.raises(RuleViolation, match="substitute"):
        substitutions.set_sub(night=club.night, person=regular.public_id, regular=regular.public_id, device=DIRECTOR)


def test_duplicates_are_merged_unless_they_met(club: Club) -> None:
    """All their games count for one person. People who attended the same night cannot be merged."""
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
    """The person sitting out gets the seat, and the other one sits out."""
    club.check_in(*NAMES)
    club.draw()
    (out,) = byes_of(db.session(), club.row())[1]
    inside = club.tables()[0].seats[0]
    one, other = (db.session.get_one(PersonRow, person).public_id for person in (out, inside))
    nights.swap(night=club.night, round_number=1, one=one, other=other, device=DIRECTOR)
    assert byes_of(db.session(), club.row())[1] == (inside,)
    assert club.tables()[0].seats[0] == out


def test_two_people_sitting_out_cannot_be_swapped(club: Club) -> None:
    """Nor can a person be swapped with themselves; nothing is changed or logged."""
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
    """The substitution moves with the substitute; the person who takes the seat no longer a substitute."""
    club.check_in(*NAMES[:5])
    club.draw()
    (out,) = byes_of(db.session(), club.row())[1]
    inside = club.tables()[0].seats[0]
    sub, other = (out, inside) if sits_out else (inside, out)
    ids = {person: db.session.get_one(PersonRow, person).public_id for person in (sub, other)}
    regular = db.session.scalars(select(PersonRow).where(PersonRow.name == NAMES[-1])).one()
    substitutions.set_sub(night=club.night, person=ids[sub], regular=regular.public_id, device=DIRECTOR)
    for _there_and_back in range(2):
        nights.swap(night=club.night, round_number=1, one=ids[sub], other=ids[other], device=DIRECTOR)
        told = [table for table in club.tables() if table.round == 1]
        seated = any(sub in table.seats for table in told)
        assert [table.subs for table in told if table.subs] == ([{sub: regular.id}] if seated else [])


def test_a_substitution_ends_when_the_regular_comes(club: Club) -> None:
    """Earlier rounds still count for the regular; later ones do not, or the regular would count twice."""
    club.check_in(*NAMES[:8])
    club.draw()
    sub, late = (
        db.session.scalars(select(PersonRow).where(PersonRow.name == name)).one() for name in ("Ann", NAMES[8])
    )
    substitutions.set_sub(night=club.night, person=sub.public_id, regular=late.public_id, device=DIRECTOR)
    club.start(next(table for table in club.tables() if table.round == 1 and sub.id in table.seats))
    club.check_in(late.name)
    told = {table.round: table.subs for table in club.tables() if sub.id in table.seats}
    assert told == {number: {sub.id: late.id} if number == 1 else {} for number in told}
    assert set(told) > {1}
    club.draw(seed=2)
    assert {table.round: table.subs for table in club.tables() if table.subs} == {1: {sub.id: late.id}}


def test_a_regular_has_one_substitute_at_a_time(club: Club) -> None:
    """A second substitute plays for the regular after the first one leaves, and the first one no longer does."""
    club.check_in(*NAMES[:8])
    club.draw()
    first, second, regular = (club.people[name] for name in ("Ann", "Bob", NAMES[8]))
    ids = {name: db.session.scalars(select(PersonRow.id).where(PersonRow.name == name)).one() for name in NAMES}
    ann, bob, ida = (ids[name] for name in ("Ann", "Bob", NAMES[8]))
    substitutions.set_sub(night=club.night, person=first, regular=regular, device=DIRECTOR)
    with pytest.raises(RuleViolation, match="Ann already plays for Ida"):
        substitutions.set_sub(night=club.night, person=second, regular=regular, device=DIRECTOR)
    club.start(next(table for table in club.tables() if table.round == 1))
    nights.check_out(night=club.night, person=first, device=DIRECTOR)
    club.check_in()
    substitutions.set_sub(night=club.night, person=second, regular=regular, device=DIRECTOR)
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
    """Eighty games a night would bury the director's own; a phone that scores a table finds its game."""
    club.check_in(*NAMES[:4])
    club.draw()
    table = club.tables()[0]
    game = club.start(table, PHONE, card_word(club.row(), table.number, KEY))
    assert home_page(DIRECTOR).running == ()
    assert [card.id for card in home_page(PHONE).running] == [game]
