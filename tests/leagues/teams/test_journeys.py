"""A season of teams and a season of single players, played through the app's pages until there is a champion."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import FixtureRow, NightRow, PersonRow, PresentRow, SquadRow
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.publishing.service import save_club
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.web.extensions import db
from tests.support.league import Hall, make_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

TEAMS = {
    f"{animal}s": division
    for division, animals in (("East", ("Owl", "Fox", "Cat", "Bee")), ("West", ("Elk", "Hen", "Ape", "Cod")))
    for animal in animals
}
NAMES = tuple(f"{team} {letter}" for team in TEAMS for letter in "ABCD")
STRENGTH = {team: number for number, team in enumerate(TEAMS)}


def night_of(path: str) -> str:
    found = re.search(r"/nights/(\w+)", path)
    assert found
    return found.group(1)


def play(hall: Hall, night: str) -> None:
    """Enter a score of 21 to 5 at every table of a night, except tables at which a game has started.

    The side with the stronger first player wins; a lower number from `strength` means a stronger player.
    """
    with hall.book():
        session = db.session()
        names = dict(session.execute(select(PersonRow.id, PersonRow.name)).all())
        for table in tables_of(session, night_at(session, night)):
            if table.game:
                continue
            first, second = (strength(names[side[0]]) for side in table.plan.sides)
            points = (21, 5) if first <= second else (5, 21)
            tables.tell_result(night=night, table=table.id, totals=points, device=hall.device)


def strength(name: str) -> int:
    team, _space, _letter = name.partition(" ")
    return STRENGTH.get(team, 0) if team in STRENGTH else ord(name[0])


def close(hall: Hall, night: str) -> None:
    with hall.book():
        closing.close_night(night=night, device=hall.device)


@pytest.fixture
def teams(app: Flask, client: Phone) -> Hall:
    hall = make_hall(
        app,
        client,
        NAMES,
        **{
            "night-format": "team_match",
            "option-team_match-tables": "2",
            "count-order": "wins",
            "playoff-nights": "6",
            "playoff-qualify": "2",
            "playoff-scope": "division",
            "playoff-third": "1",
        },
    )
    page = client.see(f"{hall.season}/teams")
    for team, division in TEAMS.items():
        players = "\n".join(f"{team} {letter}" for letter in "ABCD")
        page = client.submit(page, f"{hall.season}/teams", name=team, division=division, players=players)
    return hall


def open_night(hall: Hall, day: int) -> Page:
    return hall.phone.submit(hall.standings(), f"{hall.season}/nights", day=f"2026-10-{day:02}")


def check_in_all(hall: Hall, desk: Page, *without: str) -> Page:
    with hall.book() as people:
        ids = [number for name, number in people.items() if name not in without]
    night = night_of(desk.path)
    return hall.phone.submit(desk, f"/nights/{night}/people", person=ids)


@pytest.mark.slow
def test_a_team_season_to_the_champion(teams: Hall) -> None:
    hall, phone = teams, teams.phone
    page = phone.submit(phone.see(f"{hall.season}/teams"), f"{hall.season}/matches", twice="1")
    assert len(page.all("ul", class_="matches")) == 6
    for day in range(1, 7):
        desk = check_in_all(hall, open_night(hall, day))
        night = night_of(desk.path)
        phone.submit(desk, f"/nights/{night}/draw")
        with hall.book():
            assert len(tables_of(db.session(), night_at(db.session(), night))) == 4 * 2 * 1
        play(hall, night)
        close(hall, night)
        page = phone.see(f"{hall.season}/teams")
    east = [words(row) for row in page.all("table")[0].iter("th") if row.get("scope") == "row"]
    assert east == ["Owls", "Foxs", "Cats", "Bees"]
    assert [words(row) for row in page.all("ul", class_="races")[0]] == [
        "Owls: qualified",
        "Foxs: qualified",
        "Cats: out",
        "Bees: out",
    ]
    playoffs = phone.see(f"{hall.season}/playoffs")
    assert [words(seed) for seed in playoffs.one("ol", class_="seeds")] == ["Owls", "Elks", "Foxs", "Hens"]
    assert "qualifier can't play" not in playoffs.text, "a team plays with substitutes"
    assert "qualifier can't play" not in hall.standings().text
    for stage, count in ((1, 2), (2, 2)):
        desk = phone.submit(phone.see(f"{hall.season}/playoffs"), f"{hall.season}/playoffs", day=f"2026-11-0{stage}")
        desk = check_in_all(hall, desk)
        night = night_of(desk.path)
        phone.submit(desk, f"/nights/{night}/draw")
        play(hall, night)
        close(hall, night)
        with hall.book():
            assert len(db.session.scalars(select(FixtureRow).where(FixtureRow.stage == stage)).all()) == count
    page = phone.see(f"{hall.season}/playoffs")
    assert words(page.one("p", class_="champion")) == "Champions: Owls"
    assert words(hall.standings().one("p", class_="champion")) == "Champions: Owls"
    assert not [form for form in page.all("form") if form.get("action") == f"{hall.season}/playoffs"]
    with hall.book():  # nothing of it counts in the season
        assert [night.playoff for night in db.session.scalars(select(NightRow).order_by(NightRow.number))] == [
            *[None] * 6,
            True,
            True,
        ]
    assert [words(cell) for cell in hall.phone.see(f"{hall.season}/teams").all("td", class_="n")][:2] == ["12", "6"]


def seed(hall: Hall) -> None:
    """Make the season's matches, and play and close the first night, so that the playoffs can start."""
    phone = hall.phone
    phone.submit(phone.see(f"{hall.season}/teams"), f"{hall.season}/matches", twice="")
    desk = check_in_all(hall, open_night(hall, 1))
    phone.submit(desk, f"/nights/{night_of(desk.path)}/draw")
    play(hall, night_of(desk.path))
    close(hall, night_of(desk.path))


def start_round(hall: Hall, day: int) -> Page:
    """Open a night for the first or next round of the playoffs, check in everybody, and return the desk page.

    `day` is the day in November 2026.
    """
    page = hall.phone.see(f"{hall.season}/playoffs")
    desk = hall.phone.submit(page, f"{hall.season}/playoffs", day=f"2026-11-0{day}", reason="time")
    return check_in_all(hall, desk)


def seeds_now(hall: Hall) -> list[str]:
    return [words(seed) for seed in hall.phone.see(f"{hall.season}/playoffs").one("ol", class_="seeds")]


@pytest.mark.slow
def test_a_team_that_cannot_play_is_replaced_before_its_match(teams: Hall) -> None:
    """If a team in the playoffs can't play, another team replaces it before its match.

    In the first round, the director doesn't choose the new team, so the next team in the standings of the division is
    taken. In the final, the director chooses the new team.
    """
    hall, phone = teams, teams.phone
    seed(hall)
    desk = start_round(hall, 1)
    before, path = seeds_now(hall), f"/nights/{night_of(desk.path)}/seeds"
    with hall.book():
        ids = dict(db.session.execute(select(SquadRow.name, SquadRow.public_id)).all())
        division = dict(db.session.execute(select(SquadRow.name, SquadRow.division)).all())
    refused = phone.submit(desk, path, 422, team=ids[before[0]], came=ids[before[1]])
    assert "Choose a team that isn't in the playoffs." in refused.text
    waiting = [name for name in TEAMS if name not in before]
    assert "That team doesn't play tonight." in phone.submit(desk, path, 422, team=ids[waiting[0]]).text
    desk = phone.submit(desk, path, team=ids[before[1]], came="")
    after = seeds_now(hall)
    assert (after[0], *after[2:]) == (before[0], *before[2:])
    assert after[1] in waiting
    assert division[after[1]] == division[before[1]]
    phone.submit(desk, f"/nights/{night_of(desk.path)}/draw")
    play(hall, night_of(desk.path))
    close(hall, night_of(desk.path))
    desk = start_round(hall, 2)
    final = [words(option) for option in desk.one("select", name="team").iter("option")][1:3]
    other = next(name for name in waiting if name != after[1])
    desk = phone.submit(desk, f"/nights/{night_of(desk.path)}/seeds", team=ids[final[0]], came=ids[other])
    log = phone.see(f"{hall.league}/log").text
    assert f"replaced {before[1]} in the playoffs with {after[1]}." in log
    assert f"replaced {final[0]} in the playoffs with {other}." in log
    phone.submit(desk, f"/nights/{night_of(desk.path)}/draw")
    play(hall, night_of(desk.path))
    phone.submit(desk, f"/nights/{night_of(desk.path)}/seeds", 422, team=ids[other])
    close(hall, night_of(desk.path))
    champion = words(phone.see(f"{hall.season}/playoffs").one("p", class_="champion"))
    assert champion == f"Champions: {min((other, final[1]), key=lambda name: STRENGTH[name])}"


def match_of(hall: Hall, team: str) -> dict[str, Any]:
    """Return the fields of the lineup form that name the first match of a team, and its side in it."""
    with hall.book():
        squad = select(SquadRow.id).where(SquadRow.name == team).scalar_subquery()
        rows = select(FixtureRow, FixtureRow.home_id == squad)
        own = rows.where((FixtureRow.home_id == squad) | (FixtureRow.away_id == squad))
        match, home = db.session.execute(own.order_by(FixtureRow.round)).first() or (None, None)
        assert match is not None
        return {"match": match.public_id, "side": "0" if home else "1"}


def test_a_lineup_with_a_substitute(teams: Hall) -> None:
    hall, phone = teams, teams.phone
    phone.submit(phone.see(f"{hall.season}/teams"), f"{hall.season}/matches", twice="")
    desk = check_in_all(hall, open_night(hall, 1), "Owls D")
    night = night_of(desk.path)
    refused = phone.submit(desk, f"/nights/{night}/draw", 422)
    assert "Owls: only 3 of 4 players are here." in refused.text
    desk = phone.submit(refused, f"/nights/{night}/people/new", name="Newcomer")
    match = match_of(hall, "Owls")
    with hall.book() as people:
        chosen = [people[name] for name in ("Owls A", "Newcomer", "Owls B", "Owls C")]
    desk = phone.submit(desk, f"/nights/{night}/lineups", **match, person=chosen)
    phone.submit(desk, f"/nights/{night}/draw")
    with hall.book():
        session = db.session()
        ids = dict(session.execute(select(PersonRow.name, PersonRow.id)).all())
        pairs = [set(pair) for table in tables_of(session, night_at(session, night)) for pair in table.plan.sides]
    for path in ("", "/tv", "/rotation", "/sheets", "/desk"):
        phone.see(f"/nights/{night}{path}")
    assert {ids["Owls A"], ids["Newcomer"]} in pairs
    assert {ids["Owls B"], ids["Owls C"]} in pairs
    wrong = [people[name] for name in ("Owls A", "Owls A", "Owls B", "Owls C")]
    phone.submit(desk, f"/nights/{night}/lineups", 422, **match, person=wrong)


def test_a_team_with_three_of_four_plays_one_table_and_forfeits_the_other(teams: Hall) -> None:
    """A player of the team who isn't here fills the lineup. Nobody else who isn't here can, and two have to be."""
    hall, phone = teams, teams.phone
    phone.submit(phone.see(f"{hall.season}/teams"), f"{hall.season}/matches", twice="")
    desk = check_in_all(hall, open_night(hall, 1), *(f"Owls {letter}" for letter in "BCD"), "Foxs D")
    night, match = night_of(desk.path), match_of(hall, "Owls")
    with hall.book() as people:
        ids = dict(people)
    team = [ids[f"Owls {letter}"] for letter in "ABCD"]
    path = f"/nights/{night}/lineups"
    assert "Owls D (absent)" in [words(option) for option in desk.all("option")]
    phone.submit(desk, path, 422, **match, person=team)
    desk = phone.submit(desk, f"/nights/{night}/people", person=team[1:3])
    phone.submit(desk, path, 422, **match, person=[*team[:3], ids["Foxs D"]])
    phone.submit(desk, path, **match, person=team)
    phone.submit(desk, path, **match_of(hall, "Foxs"), person=[ids[f"Foxs {letter}"] for letter in "ABCD"])
    desk = phone.submit(desk, f"/nights/{night}/draw")
    assert "Foxs D and Owls D aren't here. Forfeit their tables" in desk.text
    with hall.book():
        session = db.session()
        absent = session.scalars(select(PersonRow.id).where(PersonRow.name == "Owls D")).one()
        tables_now = tables_of(session, night_at(session, night))
        (table,) = (each for each in tables_now if absent in each.seats and each.round == 1)
    side = next(side for side in (0, 1) if absent in table.plan.sides[side])
    phone.submit(desk, f"/nights/{night}/rounds/1/forfeits", forfeit=f"{table.id}-{side}")
    play(hall, night)
    close(hall, night)
    with hall.book():
        (done,) = (each for each in tables_of(db.session(), night_at(db.session(), night)) if each.id == table.id)
        assert (done.verdict and done.verdict.winner, done.forfeit) == (1 - side, side)


def test_matches_move_to_another_night(teams: Hall) -> None:
    hall, phone = teams, teams.phone
    phone.submit(phone.see(f"{hall.season}/teams"), f"{hall.season}/matches", twice="")
    desk = open_night(hall, 1)
    night = night_of(desk.path)
    with hall.book():
        first = db.session.scalars(select(FixtureRow.public_id).where(FixtureRow.round == 1)).all()
    desk = phone.submit(desk, f"/nights/{night}/matches", match=first[:1])
    with hall.book():
        on = select(FixtureRow.public_id).where(FixtureRow.night_id.is_not(None))
        assert db.session.scalars(on).all() == first[:1]
    phone.submit(desk, f"/nights/{night}/removal")
    with hall.book():
        assert not db.session.scalars(on).all()


def test_teams_are_refused_with_a_reason(teams: Hall) -> None:
    hall, phone = teams, teams.phone
    page = phone.see(f"{hall.season}/teams")
    add = f"{hall.season}/teams"
    for fields, says in (
        ({"name": "Owls", "players": "Foxs A\nFoxs B"}, "There's already a team named Owls."),
        ({"name": "New", "players": "Nobody\nFoxs B"}, "The league doesn't have these players yet: Nobody."),
        ({"name": "New", "players": "Foxs A\nFoxs B"}, "Foxs A already plays for Foxs."),
        ({"name": "New", "players": ""}, "A team has 2 to 24 players."),
    ):
        assert says in phone.submit(page, add, 422, **fields).text
    unknown = phone.submit(page, add, 422, name="New", players="Nobody\nSomebody")
    assert "The league doesn't have these players yet: Nobody, Somebody. Add them first." in unknown.text
    assert unknown.form(add).values["players"] == "Nobody\nSomebody"
    (link,) = [each for each in unknown.all("a") if each.get("target") == "_blank"]
    assert link.get("href") == f"{hall.league}/people"
    with hall.book():
        squad = db.session.scalars(select(SquadRow.public_id).where(SquadRow.name == "Cods")).one()
    page = phone.submit(page, f"{add}/{squad}", name="Cods", division="West", players="Cods B\nCods A")
    assert page.form(f"{add}/{squad}").values["players"] == "Cods B\nCods A"
    page = phone.submit(page, f"{add}/{squad}", remove="1")
    assert "Cods" not in page.text


@pytest.fixture
def solo(app: Flask, client: Phone) -> Hall:
    return make_hall(
        app,
        client,
        ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal"),
        **{"count-order": "wins", "playoff-nights": "2", "playoff-qualify": "4"},
    )


PAIRS = [(("Ann", "Eve", "Bob", "Fay"), (21, 5)), (("Cid", "Gus", "Dee", "Hal"), (21, 9))]


@pytest.mark.slow
def test_a_solo_season_with_play_offs_of_the_top_four(solo: Hall) -> None:
    hall, phone = solo, solo.phone
    hall.night(*PAIRS)
    told = [words(line) for line in hall.standings().one("ul", class_="races")]
    assert sorted(told[:4]) == [f"{name}: 1 win needed from 1 game" for name in ("Ann", "Bob", "Cid", "Dee")]
    assert sorted(told[4:]) == [
        f"{name}: at least 1 win needed from 1 game, and help from others" for name in ("Eve", "Fay", "Gus", "Hal")
    ]
    early = phone.submit(phone.see(f"{hall.season}/playoffs"), f"{hall.season}/playoffs", 422)
    assert "Enter a reason" in early.text
    hall.night(*PAIRS)
    told = [words(line) for line in hall.standings().one("ul", class_="races")]
    assert sorted(told[:4]) == [f"{name}: qualified" for name in ("Ann", "Bob", "Cid", "Dee")]
    assert sorted(told[4:]) == [f"{name}: out" for name in ("Eve", "Fay", "Gus", "Hal")]
    before = hall.standings()
    desk = phone.submit(
        phone.see(f"{hall.season}/playoffs"), f"{hall.season}/playoffs", day="2026-11-01", sides="singles"
    )
    night = night_of(desk.path)
    seeds = [words(seed) for seed in desk.one("ol", class_="seeds")]
    with hall.book() as people:
        gone = people[seeds[1]]
    desk = phone.submit(desk, f"/nights/{night}/seeds", person=gone)
    assert [words(seed) for seed in desk.one("ol", class_="seeds")][:3] == [seeds[0], seeds[2], seeds[3]]
    phone.submit(desk, f"/nights/{night}/draw")
    with hall.book():
        session = db.session()
        rows = tables_of(session, night_at(session, night))
        order = session.scalars(
            select(PresentRow.person_id).where(PresentRow.team.is_not(None)).order_by(PresentRow.team)
        )
        first = list(order)
        assert [set(table.seats) for table in rows] == [{first[0], first[3]}, {first[1], first[2]}]
        assert {table.kind for table in rows} == {"alone"}
    for _round in range(2):
        play(hall, night)
        page = phone.see(f"/nights/{night}/desk")
        if not page.all("p", class_="champion"):
            phone.submit(page, f"/nights/{night}/draw")
    close(hall, night)
    page = phone.see(f"{hall.season}/playoffs")
    assert len(page.all("p", class_="champion")) == 1
    assert words(hall.standings().one("section", class_="bracket")) == words(page.one("section", class_="bracket"))
    assert not before.all("section", class_="bracket")
    for path in (f"/nights/{night}/results", f"/nights/{night}/money", f"/nights/{night}/rotation", f"/nights/{night}"):
        phone.see(path)
    same = [[words(cell) for cell in row] for row in hall.standings().all("table", class_="standings")[0].iter("tr")]
    assert same == [[words(cell) for cell in row] for row in before.all("table", class_="standings")[0].iter("tr")]
    assert hall.phone.get(hall.person("Ann")).status_code == 200


def test_a_partnership_season_plays_its_playoffs_in_pairs(solo: Hall) -> None:
    hall, phone = solo, solo.phone
    for _night in range(2):
        hall.night(*PAIRS)
    page = phone.see(f"{hall.season}/playoffs")
    seeds = [words(seed) for seed in page.one("ol", class_="seeds")]
    assert len(seeds) == 2
    assert "Played in pairs: the first qualifier plays with the last" in page.text
    assert page.form(f"{hall.season}/playoffs").values["sides"] == "pairs"
    desk = phone.submit(page, f"{hall.season}/playoffs", day="2026-11-01")
    night = night_of(desk.path)
    assert [words(seed) for seed in desk.one("ol", class_="seeds")] == seeds
    phone.submit(desk, f"/nights/{night}/draw")
    with hall.book():
        (table,) = tables_of(db.session(), night_at(db.session(), night))
        assert table.kind == "partners"
    assert "Champion" not in hall.standings().text
    play(hall, night)
    close(hall, night)
    with hall.book():
        save_club(
            league=hall.league.removeprefix("/leagues/"), is_open=True, slug="hall", names="full", device=hall.device
        )
        seasons.close_season(season=hall.season.removeprefix("/seasons/"), device=hall.device)
    champions = phone.see(f"/nights/{night}").one("p", class_="champion")
    assert words(champions) in {f"Champions: {pair}" for pair in seeds}
    for path in (hall.season, "/clubs/hall", "/clubs/hall/seasons/1"):
        assert words(phone.see(path).one("p", class_="champion")) == words(champions)


def test_what_i_need_stands_on_the_season_page(app: Flask, client: Phone) -> None:
    hall = make_hall(
        app,
        client,
        ("Ann", "Bob", "Cid", "Dee"),
        **{"count-order": "wins", "playoff-nights": "3", "playoff-qualify": "2"},
    )
    for _night in range(2):
        hall.night((("Ann", "Cid", "Bob", "Dee"), (21, 5)))
    told = [words(line) for line in hall.standings().one("ul", class_="races")]
    assert sorted(told) == ["Ann: qualified", "Bob: qualified", "Cid: out", "Dee: out"]


def test_the_play_offs_can_start_early_with_a_reason(solo: Hall) -> None:
    hall, phone = solo, solo.phone
    hall.night(*PAIRS)
    desk = phone.submit(phone.see(f"{hall.season}/playoffs"), f"{hall.season}/playoffs", reason="the hall is sold")
    log = phone.see(f"{hall.league}/log")
    assert "before the end of the season" in log.text
    assert "the hall is sold" in log.text
    night = night_of(desk.path)
    phone.submit(desk, f"/nights/{night}/removal")
    again = phone.see(f"{hall.season}/playoffs")
    assert f"{hall.season}/playoffs" in {form.get("action") for form in again.all("form")}


def test_play_offs_need_a_number_of_nights(solo: Hall) -> None:
    page = solo.phone.see(f"{solo.league}/seasons")
    fields = {"name": "Next", "playoff-qualify": "4", "playoff-nights": "0"}
    page = solo.phone.submit(page, page.path, 422, **fields)
    assert page.one("input", name="playoff-nights").get("aria-invalid") == "true"
    fields = {"name": "Next", "playoff-qualify": "33"}
    page = solo.phone.submit(page, page.path, 422, **fields)
    assert "enter a whole number from 0 to 32" in page.text


@pytest.mark.slow
def test_by_points_the_page_says_what_it_assumes(app: Flask, client: Phone) -> None:
    season = {"count-order": "points", "playoff-nights": "2", "playoff-qualify": "2"}
    hall = make_hall(app, client, ("Ann", "Bob", "Cid", "Dee"), **season)
    hall.night((("Ann", "Cid", "Bob", "Dee"), (21, -20)))
    page = hall.standings()
    told = [words(line) for line in page.one("ul", class_="races")]
    assert "Ann: 5 points needed from 1 game" in told
    assert "each game scores from −21 to 25 points" in page.text
