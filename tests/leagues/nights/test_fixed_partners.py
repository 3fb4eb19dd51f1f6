"""Partners who stay together all night: drawn by lot, and kept although people leave and substitutes come."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import NightRow, PersonRow, PresentRow, SeasonRow
from scorekeeper.leagues.nights import places, seating, service, tables
from scorekeeper.leagues.nights.queries.desk import desk_page
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.counted_games import open_nights, played_on
from scorekeeper.leagues.standings.night_snapshot import seen
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import byes_of, tables_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db, writing
from tests.support.league_night import Hall, buttons, open_hall
from tests.support.page import words
from tests.support.quick_draws import quick_draws

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.database

DIRECTOR = "d" * 64
NAMES = tuple("ABCDEFGHIJKLMNOPQRST")
FIXED = NightPlan(rounds=4, together="fixed")
Where = tuple[int, int, int]
"""Round, table and seat of a place; a bye is at table 0, and its seat is the person's place in the list of names."""


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    """Shorten the search for a good seating, to save time."""
    with quick_draws():
        yield


class Night:
    """A night of a league with 20 people, called by letters. The first `here` are checked in."""

    def __init__(self, key: str, here: int, plan: NightPlan) -> None:
        league = seasons.make_league(name=f"League {key}", device=DIRECTOR, client_id=f"make-{key}")
        ids = people.add_people(league=league, people=[PersonData(name=name) for name in NAMES], device=DIRECTOR)
        self.ids = dict(zip(NAMES, ids, strict=True))
        season = seasons.open_season(
            league=league,
            name="2026/27",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=plan,
            device=DIRECTOR,
        )
        self.night = service.open_night(season=season, day=date(2026, 9, 1), device=DIRECTOR)
        self.at: dict[str, Any] = {"night": self.night, "device": DIRECTOR}
        self.come(*NAMES[:here])

    def row(self) -> NightRow:
        """Return the database row of the night."""
        return night_at(db.session(), self.night)

    def come(self, *names: str) -> None:
        """Check people in."""
        service.check_in(people=[self.ids[name] for name in names], **self.at)

    def go(self, name: str) -> None:
        """Check a person out."""
        service.check_out(person=self.ids[name], **self.at)

    def seat(self, seed: int = 1) -> None:
        """Draw partners by lot, and make the seating."""
        places.draw_partners(seed=seed, **self.at)
        service.draw(seed=seed, **self.at)

    def names(self) -> Mapping[int, str]:
        """Return everyone's name by id."""
        return dict(db.session.execute(select(PersonRow.id, PersonRow.name)).all())

    def places(self) -> dict[Where, str]:
        """Return who has each place of the night."""
        db.session.expire_all()
        name, session, night = self.names(), db.session(), self.row()
        seats = {
            (table.round, table.number, seat): name[person]
            for table in tables_of(session, night)
            for seat, person in enumerate(table.seats)
        }
        byes = {
            (number, 0, NAMES.index(name[each])): name[each]
            for number, out in byes_of(session, night).items()
            for each in out
        }
        return seats | byes

    def teams(self) -> set[frozenset[str]]:
        """Return the fixed partners of people who are here. People without one are alone in a set."""
        rows = db.session.scalars(select(PresentRow).where(PresentRow.night_id == self.row().id)).all()
        name, here = self.names(), [row for row in rows if row.to_round is None]
        return {
            frozenset(name[row.person_id] for row in here if row is each or (row.team and row.team == each.team))
            for each in here
        }

    def subs(self) -> dict[str, str]:
        """Return for whom substitutes who are here play."""
        query = select(PresentRow).where(PresentRow.night_id == self.row().id, PresentRow.to_round.is_(None))
        name = self.names()
        return {name[row.person_id]: name[row.sub_for] for row in db.session.scalars(query) if row.sub_for}


def renamed(places: Mapping[Where, str], begun: int, gone: str, came: str) -> dict[Where, str]:
    """Return `places` with `came` in all places of `gone` after round `begun`."""
    after = {}
    for (number, table, seat), who in places.items():
        new = came if who == gone and number > begun else who
        after[number, table, seat if table else NAMES.index(new)] = new
    return after


@pytest.mark.parametrize("together", ["fixed", "rotate"])
def test_only_the_people_who_come_and_go_change_places(app: Flask, together: str) -> None:
    """If someone leaves, comes back, or is replaced, nobody else moves, and no other pair changes."""
    done: set[str] = set()
    for seed in range(6 if together == "fixed" else 4):
        chance = Random(f"{together} {seed}")
        with app.app_context():
            plan = FIXED if together == "fixed" else NightPlan(rounds=4)
            night = Night(f"{together}-{seed}", chance.choice((8, 10, 12)), plan)
            night.seat(seed) if together == "fixed" else service.draw(seed=seed, **night.at)
            begun = 0
            for _step in range(14):
                before, pairs, subs = night.places(), night.teams(), night.subs()
                here = sorted({name for pair in pairs for name in pair})
                seated = {who for (number, *_), who in before.items() if number > begun}
                empty = sorted(seated - set(here))
                new = sorted(set(NAMES) - {*here, *before.values(), *subs.values()})
                gone, came = "", ""
                match chance.choice(("leaves", "returns", "substitute", "newcomer", "round")):
                    case "leaves" if len(here) > 5:
                        who = chance.choice(here)
                        night.go(who)
                        pairs = {pair - {who} for pair in pairs} - {frozenset()}
                        if before and who in subs and who not in {w for (n, *_), w in before.items() if n <= begun}:
                            gone, came = who, subs[who]
                        done.add("leaves")
                    case "returns" if empty or subs:
                        came = chance.choice([*empty, *subs.values()])
                        gone = next((sub for sub, regular in subs.items() if regular == came), "")
                        night.come(came)
                        done.add("returns for a substitute" if gone else "returns")
                    case "substitute" if empty and new:
                        gone, came = chance.choice(empty), new[0]
                        service.let_in(told=PersonData(name=came), regular=night.ids[gone], **night.at)
                        done.add("substitute")
                    case "newcomer" if empty and new:
                        gone, came = chance.choice(empty), new[0]
                        night.come(came)
                        places.take_places(gone=night.ids[gone], came=night.ids[came], **night.at)
                        done.add("newcomer")
                    case "round" if begun < 3:
                        begun += 1
                        service.start_round(number=begun, **night.at)
                    case _:
                        continue
                assert night.places() == renamed(before, begun, gone, came), (seed, gone, came)
                now, moved = night.teams(), {gone, came}
                assert {pair - moved for pair in now} - {frozenset()} == {pair - moved for pair in pairs} - {
                    frozenset()
                }
                # Two people who sit on one side are partners.
                if together == "fixed" and came in {name for pair in now for name in pair}:
                    side = {who for where, who in night.places().items() if _beside(night.places(), came, where, begun)}
                    assert {came, *(side & {name for pair in now for name in pair})} in now, (seed, came, side, now)
    assert done == {"leaves", "returns", "returns for a substitute", "substitute", "newcomer"}


def _beside(places: Mapping[Where, str], who: str, where: Where, begun: int) -> bool:
    """Return whether a seat in a coming round is that of the partner of a person."""
    number, table, seat = where
    return number > begun and table > 0 and places.get((number, table, (seat + 2) % 4)) == who


def test_a_partner_who_comes_back_before_the_seating_is_a_partner_again(app: Flask) -> None:
    with app.app_context():
        night = Night("back", 4, FIXED)
        places.draw_partners(seed=1, **night.at)
        pairs = night.teams()
        night.go("A")
        assert {frozenset("A")} <= {pair - frozenset("BCD") for pair in pairs}
        assert sorted(map(len, night.teams())) == [1, 2]
        night.come("A")
        assert night.teams() == pairs
        night.go("A")
        service.let_in(told=PersonData(name="T"), regular=night.ids["A"], **night.at)
        assert night.teams() == {frozenset("T" if who == "A" else who for who in pair) for pair in pairs}


def test_partners_are_drawn_by_lot_and_not_in_the_order_of_the_list(app: Flask) -> None:
    """Pairs made by hand stay, one person may be left over, and without partners there is no seating."""
    with app.app_context():
        night = Night("lot", 9, FIXED)
        service.set_team(people=[night.ids[name] for name in "AI"], **night.at)
        with pytest.raises(RuleViolation, match="Players without partners: 7"):
            service.draw(seed=1, **night.at)
        drawn = set()
        for seed in range(5):
            places.draw_partners(seed=seed, again=True, **night.at)
            assert frozenset("AI") in night.teams()
            assert sorted(map(len, night.teams())) == [1, 2, 2, 2, 2]
            drawn.add(frozenset(night.teams()))
        assert len(drawn) > 2
        service.draw(seed=1, **night.at)
        assert {who for (_round, table, _seat), who in night.places().items() if not table} >= set().union(
            *(pair for pair in night.teams() if len(pair) == 1)
        )
        # Once a round has started, only people without a partner get one.
        service.start_round(number=1, **night.at)
        pairs = night.teams()
        night.come("J")
        places.draw_partners(seed=9, again=True, **night.at)
        (alone,) = (pair for pair in pairs if len(pair) == 1)
        assert night.teams() == pairs - {alone} | {alone | {"J"}}


def test_a_new_seating_can_be_undone(app: Flask) -> None:
    """The seats from before come back, and a substitute who came since has the regular's."""
    with app.app_context():
        night = Night("undo", 8, FIXED)
        night.seat()
        with pytest.raises(RuleViolation, match="The night has moved on"):
            places.undo_seating(**night.at)
        service.start_round(number=1, **night.at)
        before = night.places()
        service.draw(seed=2, **night.at)
        assert night.places() != before
        night.go("A")
        service.let_in(told=PersonData(name="T"), regular=night.ids["A"], **night.at)
        places.undo_seating(**night.at)
        assert night.places() == renamed(before, 1, "A", "T")
        with pytest.raises(RuleViolation, match="The night has moved on"):
            places.undo_seating(**night.at)
        service.draw(seed=3, **night.at)
        service.start_round(number=2, **night.at)
        with pytest.raises(RuleViolation, match="The night has moved on"):
            places.undo_seating(**night.at)


def _fixed_hall(app: Flask, client: Phone, *names: str) -> Hall:
    hall = open_hall(app, client, plan=FIXED)
    hall.check_in(*names)
    return hall


def test_partners_are_shown_before_the_seating(app: Flask, client: Phone) -> None:
    hall = _fixed_hall(app, client, "Ann", "Bob", "Cid", "Dee", "Eve")
    page = hall.at_desk()
    assert "Draw partners" in buttons(page)
    assert "Make the seating" not in buttons(page)
    page = hall.desk.submit(page, f"{hall.path}/partners/lot", seed="1")
    shown = [words(span) for row in page.one("div", id="teams").iter("form") for span in row.findall("span")]
    assert len(shown) == 2
    assert "Without a partner: " in page.text
    assert {"Draw again", "Make the seating"} <= set(buttons(page))
    page = hall.desk.submit(page, f"{hall.path}/draw", seed="1")
    assert "Partners stay together all night." in hall.desk.see(f"{hall.path}/rotation").text


def test_a_newcomer_takes_the_seats_of_someone_who_left_with_one_tap(app: Flask, client: Phone) -> None:
    hall = _fixed_hall(app, client, "Ann", "Bob", "Cid", "Dee")
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/partners/lot", seed="1")
    page = hall.desk.submit(page, f"{hall.path}/draw", seed="1")
    before = [table.seats for table in hall.tables()]
    hall.desk.submit(page, f"{hall.path}/people/leaving", person=hall.people["Ann"])
    page = hall.desk.submit(page, f"{hall.path}/people/new", name="Eve")
    assert "Eve can take the seats of Ann in all coming rounds." in page.text
    assert {words(option) for option in page.one("select", name="one").iter("option")} >= {"Eve (no seat)"}
    page = hall.desk.submit(page, f"{hall.path}/seats")
    assert "Eve has the seats of Ann now. Nobody else moved." in page.text
    ann, eve = 1, 5
    assert [table.seats for table in hall.tables()] == [
        tuple(eve if person == ann else person for person in seats) for seats in before
    ]
    page = hall.desk.submit(page, f"{hall.path}/seats")
    assert [table.seats for table in hall.tables()] == before
    # In one round only, the newcomer is swapped in.
    page = hall.desk.submit(page, f"{hall.path}/rounds/1/swap", one=hall.people["Eve"], other=hall.people["Ann"])
    assert [eve in table.seats for table in hall.tables()] == [True, False, False, False]


def test_partners_who_do_not_sit_together_are_named(app: Flask) -> None:
    with app.app_context():
        night = Night("apart", 8, FIXED)
        night.seat()
        pair, other = (sorted(each) for each in sorted(night.teams(), key=sorted)[:2])
        service.swap(round_number=2, one=night.ids[pair[0]], other=night.ids[other[0]], **night.at)
    with app.test_request_context():
        page = desk_page(night.night, DIRECTOR)
        assert {misfit for misfit in page.misfits if "partners but don't sit together" in misfit} == {
            f"{' and '.join(each)} are partners but don't sit together. Redo the seating." for each in (pair, other)
        }


def counted_byes(night: Night) -> list[tuple[str, str]]:
    """Return who sat out each round that counts so far, and for whom: the regular, or "" for themselves."""
    session, names = db.session(), night.names()
    (counted,) = open_nights(session, session.get_one(SeasonRow, night.row().season_id))
    byes = sorted((game for game in played_on(counted, {}) if game.bye), key=lambda game: game.round)
    return [(names[game.person], names[game.sub_for] if game.sub_for else "") for game in byes]


def test_who_plays_for_a_regular_later_sat_out_earlier_for_themselves(app: Flask) -> None:
    """The regular played in the round in which the later substitute sat out, and would count twice there."""
    with app.app_context():
        night = Night("later", 5, NightPlan(rounds=2))
        night.seat()
        (table,) = (table for table in tables_of(db.session(), night.row()) if table.round == 1)
        tables.tell_result(table=table.id, totals=(21, 9), **night.at)
        ((out, _regular),) = counted_byes(night)
        gone = night.names()[table.seats[0]]
        night.go(gone)
        seating.set_sub(person=night.ids[out], regular=night.ids[gone], **night.at)
        assert counted_byes(night) == [(out, "")]


def test_a_bye_of_a_substitute_stays_with_a_regular_who_comes_later(app: Flask) -> None:
    with app.app_context():
        night = Night("comes", 5, NightPlan(rounds=2))
        night.seat()
        (table,) = (table for table in tables_of(db.session(), night.row()) if table.round == 1)
        (out,) = (night.names()[person] for person in byes_of(db.session(), night.row())[1])
        seating.set_sub(person=night.ids[out], regular=night.ids["T"], **night.at)
        tables.tell_result(table=table.id, totals=(21, 9), **night.at)
        assert counted_byes(night) == [(out, "T")]
        night.come("T")
        assert counted_byes(night) == [(out, "T")]
        seating.set_sub(person=night.ids[out], regular=None, **night.at)
        assert counted_byes(night) == [(out, "")]


def test_a_substitute_gets_the_place_in_a_knockout_of_singles_with_its_bye(app: Flask) -> None:
    with app.app_context():
        plan = NightPlan(format="knockout", rounds=2, together="alone", sizes=(2,))
        night, session = Night("singles", 3, plan), db.session()
        with writing():
            for number, row in enumerate(session.scalars(select(PresentRow).order_by(PresentRow.id)), start=1):
                row.team = number
        service.draw(seed=1, **night.at)
        (table,) = tables_of(session, night.row())
        assert night.names()[byes_of(session, night.row())[1][0]] == "A"
        tables.tell_result(table=table.id, totals=(21, 9), **night.at)
        night.go("A")
        night.come("T")
        seating.set_sub(person=night.ids["T"], regular=night.ids["A"], **night.at)
        service.draw(seed=1, **night.at)
        final = [table for table in tables_of(session, night.row()) if table.round == 2]
        assert [[night.names()[person] for person in table.seats] for table in final] == [["T", "B"]]
        bracket = seen(night.night).bracket
        assert bracket is not None
        assert [game.bye for game in bracket.rounds[0]] == [True, False]


def test_a_bye_counts_for_the_partners_who_sat_out_together(app: Flask) -> None:
    """Also if they play with others later, as when a new seating is made for the rounds that are left."""
    with app.app_context():
        night = Night("bye", 6, NightPlan(format="round_robin", rounds=3, together="fixed"))
        night.seat()
        session, names = db.session(), night.names()
        row = night.row()
        (table,) = (table for table in tables_of(session, row) if table.round == 1)
        out = sorted(names[person] for person in byes_of(session, row)[1])
        tables.tell_result(table=table.id, totals=(21, 9), **night.at)
        other = names[table.seats[0]]
        service.set_team(people=[night.ids[out[0]]], **night.at)
        service.set_team(people=[night.ids[other]], **night.at)
        service.set_team(people=[night.ids[out[0]], night.ids[other]], **night.at)
        service.draw(seed=2, **night.at)
        (counted,) = open_nights(session, session.get_one(SeasonRow, row.season_id))
        assert [{names[bye.person], *(names[mate] for mate in bye.mates)} for bye in counted.byes] == [set(out)] * 2
