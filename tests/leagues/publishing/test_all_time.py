"""The champions and the all-time table of a club's closed seasons."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import event

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.publishing.queries.all_time import all_time
from scorekeeper.leagues.publishing.queries.club import open_club, seasons_of
from scorekeeper.leagues.publishing.service import save_club
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.standings_cache import roster_of
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams import playoffs
from scorekeeper.web.extensions import db
from tests.leagues.publishing.conftest import PEOPLE
from tests.leagues.teams.team_season import TeamSeason
from tests.support.league_night import NAMES
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from tests.leagues.publishing.conftest import Club
    from tests.support.page import Page
    from tests.support.phone import Phone

ANN, BOB, CID, DEE = PEOPLE
FALL: Sequence[tuple[Sequence[str], tuple[int, int]]] = (
    ((ANN, BOB, CID, DEE), (21, 13)),
    ((ANN, BOB, DEE, CID), (21, 9)),
)
WINTER = (((BOB, ANN, CID, DEE), (24, 3)),)


def close(club: Club) -> None:
    with club.app.app_context():
        seasons.close_season(season=club.season.removeprefix("/seasons/"), device=club.device)


def begin(club: Club, name: str, **fields: str) -> None:
    """Start another season, in which the next nights are played."""
    page = club.phone.see(f"{club.league}/seasons")
    sent = {"csrf_token": page.form(page.path).values["csrf_token"], "client_id": f"begin-{name}", "name": name}
    club.season = str(club.phone.post(page.path, data={**sent, "night-rounds": "1", **fields}).location)


def table(page: Page) -> dict[str, list[str]]:
    """Return the all-time table by name."""
    last = page.all("table")[-1]
    rows = [[words(cell) for cell in row] for row in last.findall("tbody/tr")]
    return {name: cells for name, *cells in rows}


def test_closed_seasons_are_added_up(club: Club) -> None:
    assert "Past champions" not in club.stranger.see(club.path).text
    for night in FALL:
        club.night(night)
    close(club)
    begin(club, "Winter")
    for night in WINTER:
        club.night(night)
    assert words(club.stranger.see(club.path).all("ul", class_="nights-list")[-1]) == f"2026/27 {ANN}"
    close(club)
    page = club.stranger.see(club.path)
    fall, winter = (words(line) for line in reversed(list(page.all("ul", class_="nights-list")[-1].iter("li"))))
    assert fall == f"2026/27 {ANN}"
    best = winter.removeprefix("Winter ")
    assert best in {BOB, CID}
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    # The night that the club begins with has the same sides as the first of the fall.
    for seats, points in (FALL[0], *FALL, *WINTER):
        for seat, name in enumerate(seats):
            (won if points[seat % 2] == max(points) else lost)[name] += 1
    told = table(page)
    assert set(told) == set(PEOPLE)
    for name, (titles, evenings, record, rank) in told.items():
        assert titles == str((name == ANN) + (name == best))
        assert evenings == "4"
        assert record == f"{won[name]}–{lost[name]}"
        assert (rank == "1") == (titles != "0")
    assert next(iter(told)) in {ANN, best}


def test_playoffs_decide_a_season_and_names_are_public_ones(club: Club) -> None:
    close(club)
    begin(club, "Cup", **{"playoff-nights": "1", "playoff-qualify": "2"})
    club.night(FALL[0])
    with club.app.app_context():
        season = club.season.removeprefix("/seasons/")
        final = playoffs.start_playoffs(season=season, day=date(2026, 11, 1), device=club.device, pairs=False)
        nights.draw(night=final, seed=1, device=club.device)
        (at,) = tables_of(db.session(), night_at(db.session(), final))
        tables.tell_result(night=final, table=at.id, totals=(3, 21), device=club.device)
        winner = db.session.get_one(PersonRow, at.seats[1]).name
        closing.close_night(night=final, device=club.device)
    close(club)
    club.open("initials")
    page = club.stranger.see(club.path)
    assert "Baker" not in page.text
    short = {ANN: "A. B.", BOB: "B. C.", CID: "C. D.", DEE: "D. E."}
    assert words(page.all("ul", class_="nights-list")[-1]).startswith(f"Cup {short[winner]} ")
    (cup,) = club.stranger.see(f"{club.path}/seasons/2/nights/2").all("ol", class_="cup")
    (won,) = [words(side) for side in cup.iter("p") if side.get("class") == "through"]
    assert won == f"{short[winner]} 21 (winner)"
    titles, nights_played, _record, best = table(page)[short[winner]]
    assert (titles >= "1", nights_played, best) == (True, "2", "1"), "a night of the playoffs isn't in the standings"


def test_the_players_of_a_team_share_its_title(app: Flask, client: Phone) -> None:
    with app.app_context():
        season = TeamSeason(app, client, "Ape", "Bee", qualify=0)
        season.play(season.open(1), "B")
        seasons.close_season(season=season.season, **season.by)
        save_club(league=season.hall.league, is_open=True, slug="hall", names="full", **season.by)
    page = client.see("/clubs/hall")
    assert words(page.all("ul", class_="nights-list")[-1]) == "Teams Bee"
    assert {name: cells[0] for name, cells in table(page).items()} == dict(zip(NAMES[:4], "0011", strict=True))


def test_an_open_night_leaves_the_sums_in_memory(club: Club) -> None:
    close(club)
    begin(club, "Winter")
    asked: list[str] = []
    with club.app.app_context():
        session = db.session()

        def read() -> int:
            row = open_club(session, club.slug)
            every = [(season.row, season.number) for season in seasons_of(session, row)]
            roster = roster_of(session, row.league)
            asked.clear()
            assert all_time(session, every, roster) is not None
            return len(asked)

        event.listen(db.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
        assert read() > 1
        assert read() == 1
        session.rollback()
    club.night(*[WINTER[0]], close=False)
    with club.app.app_context():
        session = db.session()
        assert read() == 1
