"""A number that several places show is one number: pages, files, the API, the feed, embeds, the TV and messages."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree, html
from msgspec import structs
from openpyxl import load_workbook
from sqlalchemy import select, update

from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, SeasonRow
from scorekeeper.leagues.money.service import settle_again
from scorekeeper.leagues.publishing import service
from scorekeeper.leagues.transfer.archive import bring_in
from scorekeeper.leagues.transfer.demo import SEASONS, demo_archive
from scorekeeper.web.extensions import db, writing
from tests.leagues.publishing.test_same_numbers import ATOM, text_of
from tests.leagues.results.random_nights import play

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask

    from tests.support.phone import Phone

Figures = dict[str, Any]
SHORT = {"Avg": "average", "Points": "points", "Games": "games", "Sets": "sets", "Handicap": "handicap"}
LONG = {
    "Points per game": "average",
    **{name: name.lower() for name in ("Points", "Games", "Wins", "Losses", "Ties", "Sets", "Handicap")},
}
API = {"points_per_game": "average"} | {name: name for name in LONG.values() if name != "average"}


@dataclass
class Club:
    """An open club with the names of its people; `season` and `nights` are public ids, nights in their order."""

    phone: Phone
    names: frozenset[str]
    season: str
    nights: dict[int, str]

    def get(self, path: str) -> str:
        response = self.phone.get(path)
        assert response.status_code == 200, path
        return response.text

    def who(self, cell: str) -> frozenset[str]:
        """Return the people whom a cell names, without the regulars for whom they played."""
        told = re.sub(r"\(for [^)]*\)", "", cell)
        return frozenset(name for name in self.names if re.search(rf"\b{re.escape(name)}\b", told))

    def tables(self, source: str) -> list[list[Figures]]:
        """Return the rankings on a page, each row with its rank, its people and what its columns say."""
        found = []
        for table in html.fromstring(source).iterfind(".//table"):
            heads = [text_of(cell) for cell in table.iterfind("thead/tr/*")]
            if heads[1:2] == ["Name"]:
                rows = [[text_of(cell) for cell in row] for row in table.findall("tbody/tr")]
                found.append([self.row(heads[2:], row, SHORT) for row in rows])
        return found

    def files(self, path: str) -> list[Figures]:
        head, *rows = csv.reader(io.StringIO(self.phone.get(path).data.decode("utf-8-sig")))
        return [self.row(head[2:], row, LONG) for row in rows]

    def sheets(self, path: str) -> list[list[Figures]]:
        """Return the rankings of a workbook. Other sheets are left out."""
        book, found = load_workbook(io.BytesIO(self.phone.get(path).data), read_only=True), []
        for sheet in book.worksheets:
            head, *rows = [
                ["" if cell is None else str(cell) for cell in row] for row in sheet.iter_rows(values_only=True)
            ]
            if head[:2] == ["Rank", "Name"] and "Wins" in head:
                found.append([self.row(head[2:], row, LONG) for row in rows])
        return found

    def row(self, heads: Iterable[str], cells: list[str], named: dict[str, str]) -> Figures:
        rank = re.match(r"\d+", cells[0])
        told: Figures = {"rank": int(rank[0]) if rank else None, "who": self.who(cells[1])}
        for head, cell in zip(heads, cells[2:], strict=False):
            if head == "W–L–T":
                told |= zip(("wins", "losses", "ties"), [*map(int, cell.split("–")), 0], strict=False)
            elif head in named:
                told[named[head]] = _number(cell)
        return told


def _number(cell: str) -> float | None:
    return None if cell in ("", "–") else round(float(cell.replace("−", "-").replace(",", "")), 2)


def _answer(club: Club, rows: list[dict[str, Any]]) -> list[Figures]:
    return [
        {"rank": row["rank"], "who": frozenset(who["name"] for who in row["people"])}
        | {API[key]: value for key, value in row["values"].items() if key in API}
        for row in rows
    ]


def _same(what: str, one: list[Figures], other: list[Figures]) -> int:
    """Compare what two places say, in the same order of rows, and return how many figures both have."""
    assert [row["who"] for row in one] == [row["who"] for row in other], what
    compared = 0
    for row, twin in zip(one, other, strict=True):
        for key in (row.keys() & twin.keys()) - {"who"}:
            assert row[key] == twin[key], (what, key, row, twin)
            compared += 1
    return compared


def _open(client: Phone, league: LeagueRow, device: str, season: SeasonRow) -> Club:
    """Open the league as a club in which everybody is called by their whole name."""
    with writing() as session:
        session.execute(update(PersonRow).values(nickname=""))
    service.save_club(league=league.public_id, is_open=True, slug="one-number", names="full", device=device)
    session = db.session()
    nights = session.execute(
        select(NightRow.number, NightRow.public_id).where(
            NightRow.season_id == season.id, NightRow.closed_at.is_not(None)
        )
    ).all()
    names = frozenset(session.scalars(select(PersonRow.name).where(PersonRow.league_id == league.id)))
    return Club(client, names, season.public_id, dict(nights))


def _season(club: Club) -> int:
    """Compare everything that shows the standings of the season."""
    own, compared = f"/seasons/{club.season}", 0
    shown = club.tables(club.get(own))
    keys = ["partners", "people"][-len(shown) :]
    answer = json.loads(club.get("/api/1/clubs/one-number/seasons/1/standings"))["standings"]
    assert [each["of"] for each in answer] == keys
    for path in ("/clubs/one-number", "/clubs/one-number/seasons/1", "/embed/one-number/standings"):
        for page, table in zip(club.tables(club.get(path)), shown, strict=True):
            compared += _same(path, page, table)
    message = " ".join(html.fromstring(club.get(own)).xpath("string(//textarea)").split())
    for key, table, told in zip(keys, shown, answer, strict=True):
        compared += _same(f"{key}.csv", club.files(f"{own}/{key}.csv"), table)
        compared += _same(f"{key}.xlsx", club.sheets(f"{own}/{key}.xlsx")[0], table)
        compared += _same("api", _answer(club, told["rows"]), club.files(f"{own}/{key}.csv"))
        for row, line in zip(table, csv.DictReader(io.StringIO(club.get(f"{own}/{key}/nights.csv"))), strict=True):
            total = sum(_number(cell) or 0 for head, cell in line.items() if head.startswith("Night") and cell)
            assert (club.who(line["Name"]), _number(line["Total"])) == (row["who"], row["points"])
            if not line.get("Dropped nights"):
                assert total == pytest.approx(row["points"], abs=0.02)
            compared += 2
    for row in shown[0]:
        if row["rank"]:
            assert re.search(rf"\b{row['rank']}\. [^.]*{min(row['who'])}", message), (row, message)
    return compared


def _players(club: Club) -> int:
    """Compare the page of each player with the standings and with the points by night."""
    compared = 0
    page = html.fromstring(club.get(f"/seasons/{club.season}"))
    grid = {club.who(line["Name"]): line for line in csv.DictReader(io.StringIO(_grid(club)))}
    for row in club.tables(club.get(f"/seasons/{club.season}"))[-1]:
        (name,) = row["who"]
        link = next(
            link for link in page.iterfind(".//th/a") if text_of(link) == name and "/people/" in link.get("href")
        )
        person = html.fromstring(club.get(link.get("href")))
        (facts,) = person.xpath("(//dl[contains(@class, 'season-line')])[1]")
        told = dict(zip(map(text_of, facts.iter("dt")), map(text_of, facts.iter("dd")), strict=True))
        assert told["Rank"] == (str(row["rank"]) if row["rank"] else "not ranked yet")
        assert (_number(told["Points"]), _number(told["Games counted"])) == (row["points"], row["games"])
        assert [*map(int, told["Won–lost–tied"].split("–")), 0][:3] == [row["wins"], row["losses"], row["ties"]]
        for night in person.xpath("//article[contains(@class, 'night')]"):
            number = night.get("id").removeprefix("night-")
            points = re.search(r"Points ([−\d.,]+?), average", text_of(night))
            cell = next(cell for head, cell in grid[row["who"]].items() if head.startswith(f"Night {number},"))
            assert (None if points is None else _number(points[1])) == _number(cell), (name, number)
            compared += 1
        compared += 6
    return compared


def _grid(club: Club) -> str:
    data: bytes = club.phone.get(f"/seasons/{club.season}/people/nights.csv").data
    return data.decode("utf-8-sig")


def _night(club: Club, number: int, *, last: bool) -> int:
    """Compare everything that shows the results of a night."""
    own, public, compared = f"/nights/{club.nights[number]}", f"/clubs/one-number/seasons/1/nights/{number}", 0
    source = club.get(f"{own}/results")
    shown = club.tables(source)
    answer = json.loads(club.get(f"/api/1{public}"))["rankings"]
    feed = etree.fromstring(club.phone.get("/clubs/one-number/feed.atom").data)
    entries = [entry.findtext(f"{ATOM}content") or "" for entry in feed.iterfind(f"{ATOM}entry")]
    places = [public, *(["/embed/one-number/last-night"] if last else [])]
    for where, text in [(path, club.get(path)) for path in places] + ([("feed", entries[0])] if last else []):
        for page, table in zip(club.tables(text), shown, strict=True):
            compared += _same(where, page, table)
    sheets = club.sheets(f"{own}/results.xlsx")
    for table, told, sheet in zip(shown, answer, sheets, strict=True):
        file = club.files(f"{own}/results/{told['of']}.csv")
        compared += _same("results.csv", file, table) + _same("results.xlsx", sheet, table)
        compared += _same("api", _answer(club, told["rows"]), file)
    message = html.fromstring(source).xpath("string(//textarea)")
    tv = html.fromstring(club.get(f"{own}/tv")).xpath("//ol[contains(@class, 'ranks')]/li")
    ranks = [(text_of(item[0]).rstrip("."), club.who(text_of(item[1]))) for item in tv if len(item) == 3]
    for row, (rank, who) in zip(shown[0], ranks, strict=bool(ranks)):
        assert (str(row["rank"] or "–"), row["who"]) == (rank, who)
        if row["rank"]:
            assert re.search(rf"(?m)^{row['rank']}\. .*{min(row['who'])}", message)
        compared += 1
    return compared + _games(club, public, shown[-1]) + _money(club, own, source, answer)


def _games(club: Club, public: str, table: list[Figures]) -> int:
    """Compare the games of the night with what its ranking says of players without a bye."""
    rounds = json.loads(club.get(f"/api/1{public}/games"))["rounds"]
    sat_out = {person["name"] for each in rounds for person in each["byes"]}
    compared = 0
    for row in table:
        if len(row["who"]) > 1 or row["who"] & sat_out:
            continue
        sides = [
            (side, next(other for other in game["sides"] if other is not side))
            for each in rounds
            for game in each["games"]
            if game["finished"]
            for side in game["sides"]
            if row["who"] & {person["name"] for person in side["people"]}
        ]
        points = sum(side["points"] for side, _other in sides)
        assert (points, len(sides), sum(side["won"] for side, _other in sides)) == (
            row["points"],
            row["games"],
            row["wins"],
        )
        compared += 3
    return compared


def _money(club: Club, own: str, source: str, answer: list[dict[str, Any]]) -> int:
    """Compare the prizes on the results, in the file, in the API, in the message, on the receipt and in the accounts.

    The side pots are listed below the prizes, and belong to no ranking.
    """
    cents = dict.fromkeys(club.names, 0)
    paid = html.fromstring(source).xpath("//ul[contains(@class, 'prizes')]/li")
    message = html.fromstring(source).xpath("string(//textarea)")
    for item in paid:
        what, shown = text_of(item.find("span")), text_of(item.find("b"))
        assert shown in message
        if "place prize" in what:
            (name,) = club.who(what.partition(" place prize")[0])
            cents[name] += round(100 * (_number(shown) or 0))
    first = answer[0]
    for row in first["rows"]:
        told = round(100 * float(row["prize"] or 0))
        assert told == sum(cents[who["name"]] for who in row["people"])
    file = csv.DictReader(io.StringIO(club.phone.get(f"{own}/results.csv").data.decode("utf-8-sig")))
    assert sum(round(100 * float(line["Prize"] or 0)) for line in file) == sum(cents.values())
    receipt = text_of(html.fromstring(club.get(f"{own}/money")).find(".//main"))
    for name, amount in cents.items():
        if amount:
            assert f"{amount / 100:.2f}" in receipt, name
    return 3 * len(paid)


@pytest.mark.parametrize(
    "kind", ["to_target", "fixed", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("singles", "timed"))]
)
def test_a_random_night_has_the_same_numbers_everywhere(app: Flask, client: Phone, kind: str) -> None:
    with app.app_context():
        evening = play(kind, 3)
        session = db.session()
        season = session.scalars(select(SeasonRow).where(SeasonRow.public_id == evening.season)).one()
        league = session.get_one(LeagueRow, season.league_id)
        club = _open(client, league, "the-director", season)
    assert _season(club) + _players(club) + _night(club, 1, last=True) > 200


def test_the_sample_league_has_the_same_numbers_everywhere(app: Flask, client: Phone) -> None:
    """The season of the demo with money, sets, a dropped night and a night in progress."""
    with app.app_context():
        now = datetime(2026, 11, 17, 20, 30, tzinfo=UTC)
        made = bring_in(demo_archive(now, seasons=(structs.replace(SEASONS[-1], nights=3),)))
        settle_again(league=made)
        session = db.session()
        league = session.scalars(select(LeagueRow).where(LeagueRow.public_id == made)).one()
        season = session.scalars(select(SeasonRow)).one()
        club = _open(client, league, league.device, season)
    compared = _season(club) + _players(club)
    for number in club.nights:
        compared += _night(club, number, last=number == max(club.nights))
    assert compared > 2_000
