"""A whole season with playoffs, calculated a second time by the test: every page and file has the same numbers.

Nothing here asks the application how it counts. The expected numbers follow from the sentences under "How standings
work", from the help about money, and from the seats and scores of the tables.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from lxml import etree, html

from tests.support.league import Hall, make_hall
from tests.support.page import words

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

NAMES = (
    *("Ada Ames", "Bea Bond", "Cal Cook", "Dot Dunn", "Eli East", "Fay Ford", "Gil Gray", "Hap Hill"),
    *("Ira Ives", "Jan Judd", "Kit Kerr", "Lou Lane", "Max Moss", "Ned Nash", "Ola Owen", "Pam Penn"),
    *("Quin Quay", "Roy Rand", "Sal Sims", "Ted Todd", "Una Uhl", "Val Vane", "Wes Wood", "Yul York"),
)
FIRST_SUB, SECOND_SUB = "Zoe Zorn", "Zed Zink"
SEASON = {
    "night-rounds": "3",
    "count-order": "points",
    "count-drop_nights": "1",
    "count-bye": "points",
    "count-bye_points": "8",
    "count-tie-4": "",
    "playoff-nights": "8",
    "playoff-qualify": "4",
    "money-entry_fee": "5.00",
    "money-per_set": "0.25",
    "money-payout": "50%\n30%\n20%",
}
SENTENCES = (
    "Ranked by total points.",
    "Tie-breakers, in order: wins, head to head, point differential and fewest sets.",
    "If two of the tied players never met, head to head only ranks players who would be ahead no matter who won the "
    "missing games.",
    "Players still tied after head to head are compared again, by their games against each other.",
    "Each player's lowest night is dropped. "
    "Nights are compared by total points. If two are equal, the one with fewer points is dropped; if those are "
    "equal too, the earlier one. A missed night counts as the lowest, so a player who missed one doesn't lose another.",
    "A bye counts as a game with fixed points.",
    "In the standings, a substitute's game counts for the regular.",
    "A bye is worth 8 points and is neither a win nor a loss.",
    "Playoffs start after 8 nights. Playoff games don't count in the standings.",
    "The best 4 qualify.",
    "The first seed plays the last, the second plays the next to last, and so on; top seeds get the byes.",
)
FEE, SET, BYE, DUES = 500, 25, 8, 1000
NIGHTS, QUALIFY = 8, 4
KEYS = {"Point differential": "point_difference"}
"""The API's key for a column heading, if the key isn't just the heading in lower case with underscores."""
ATOM = "{http://www.w3.org/2005/Atom}"
MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"


@dataclass(frozen=True)
class Game:
    """The result of a game, with the names, points and sets of each side."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    points: tuple[int, int]
    sets: tuple[int, int]


@dataclass
class Evening:
    """A night that the test plays, with the players, the games and the byes.

    `number` is the night's number in the season, and `path` the path of its pages.
    """

    number: int
    absent: tuple[str, ...] = ()
    subs: Mapping[str, str] = field(default_factory=dict)
    """The name of the regular for whom each substitute plays."""
    owing: tuple[str, ...] = ()
    """The names of the players who didn't pay the entry fee."""
    alike: bool = False
    """Whether all tables end with the same score, so that many players are tied and share prizes."""
    games: list[Game] = field(default_factory=list)
    byes: list[str] = field(default_factory=list)
    path: str = ""

    @property
    def present(self) -> tuple[str, ...]:
        """Return the names of all players who attended, including substitutes."""
        return (*(name for name in NAMES if name not in self.absent), *self.subs)


PLAN = (
    Evening(1, owing=NAMES[:3]),
    Evening(2, absent=NAMES[3:7]),
    Evening(3, absent=(NAMES[7],), subs={FIRST_SUB: NAMES[7]}, owing=(NAMES[0], FIRST_SUB)),
    Evening(4),
    Evening(5, absent=(NAMES[11],), owing=NAMES[9:11]),
    Evening(6, absent=(NAMES[3], NAMES[20]), subs={FIRST_SUB: NAMES[3], SECOND_SUB: NAMES[20]}),
    Evening(7, absent=NAMES[12:16], owing=(NAMES[0],), alike=True),
    Evening(8, owing=(NAMES[23],)),
)
"""The eight nights of the season. On night 5 there are 23 players, so that three sit out each round."""


@dataclass(frozen=True)
class Deed:
    """What a game or a bye adds to the standings of one player."""

    night: int
    points: int
    won: bool = False
    lost: bool = False
    sets: int = 0
    difference: int = 0
    bye: bool = False
    opponents: frozenset[str] = frozenset()


def shown(number: int) -> str:
    """Return a number as a page shows it, with a minus sign instead of a hyphen."""
    return str(number).replace("-", MINUS)


@dataclass(frozen=True)
class Line:
    """A player's numbers in a ranking."""

    points: int
    games: int
    wins: int
    losses: int
    sets: int
    difference: int
    byes: int

    @property
    def shown(self) -> dict[str, str]:
        """Return a dict of what the cells of a table on a page should contain, by column heading."""
        average = (Decimal(abs(self.points)) / self.games).quantize(Decimal("0.01"), ROUND_HALF_UP)
        sign = MINUS if self.points < 0 and average else ""
        return {
            "Avg": f"{sign}{average}",
            "Points": shown(self.points),
            "Games": str(self.games),
            f"W{DASH}L{DASH}T": f"{self.wins}{DASH}{self.losses}",
            "Sets": str(self.sets),
        }

    @property
    def plain(self) -> dict[str, float]:
        """Return a dict of the numbers that a file should have, by the names that the API uses."""
        return {
            "points": self.points,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "ties": 0,
            "sets": self.sets,
            "point_difference": self.difference,
            "byes": self.byes,
        }


Deeds = dict[str, list[Deed]]


def deeds_of(evenings: Iterable[Evening], *, for_regular: bool) -> Deeds:
    """Return a dict of the games and byes that count for each player, by the player's name.

    If `for_regular` is True, a substitute's games and byes count for the regular. Otherwise they count for the
    substitute.
    """
    deeds: Deeds = defaultdict(list)
    for evening in evenings:

        def credited(name: str, subs: Mapping[str, str] = evening.subs) -> str:
            return subs.get(name, name) if for_regular else name

        for game in evening.games:
            for side, other in ((0, 1), (1, 0)):
                mine, theirs = game.points[side], game.points[other]
                opponents = frozenset(map(credited, game.sides[other]))
                for name in game.sides[side]:
                    deeds[credited(name)].append(
                        Deed(
                            evening.number,
                            mine,
                            won=mine > theirs,
                            lost=mine < theirs,
                            sets=game.sets[side],
                            difference=mine - theirs,
                            opponents=opponents,
                        )
                    )
        for name in evening.byes:
            deeds[credited(name)].append(Deed(evening.number, BYE, bye=True))
    return deeds


def line_of(deeds: Iterable[Deed]) -> Line:
    """Return a player's numbers in a ranking, which are the sums of the given games and byes."""
    all_of = list(deeds)
    return Line(
        points=sum(deed.points for deed in all_of),
        games=len(all_of),
        wins=sum(deed.won for deed in all_of),
        losses=sum(deed.lost for deed in all_of),
        sets=sum(deed.sets for deed in all_of),
        difference=sum(deed.difference for deed in all_of),
        byes=sum(deed.bye for deed in all_of),
    )


def head_to_head(deeds: Deeds, tied: Sequence[str]) -> dict[str, int]:
    """Return a number for each tied player, by name. The highest is first, and equal numbers are still tied.

    The number is games won minus games lost against the other tied players. If some of these never played against each
    other, only players who would be first no matter who won the missing games are put first. `deeds` has the games and
    byes of each player. Players who are left with equal numbers are compared again by the games among them.
    """
    met = {frozenset((name, other)) for name in tied for deed in deeds[name] for other in deed.opponents}
    missing = {name: sum(frozenset((name, other)) not in met for other in tied if other != name) for name in tied}
    won = {name: sum(deed.won - deed.lost for deed in deeds[name] if deed.opponents & set(tied)) for name in tied}
    groups, rest = list[list[str]](), sorted(tied, key=lambda name: missing[name] - won[name])
    if not any(missing.values()):
        groups, rest = _same(won), []
    while len(rest) > 1 and all(won[rest[0]] - missing[rest[0]] > won[name] + missing[name] for name in rest[1:]):
        groups.append([rest.pop(0)])
    groups += [rest] if rest else []
    if len(groups) == 1:
        return dict.fromkeys(tied, 0)
    order = [same for group in groups for same in _same(head_to_head(deeds, group))]
    return {name: -place for place, same in enumerate(order) for name in same}


def _same(values: Mapping[str, int]) -> list[list[str]]:
    """Return the names in groups of equal values, highest value first."""
    return [[name for name in values if values[name] == value] for value in sorted(set(values.values()), reverse=True)]


def ranked(lines: Mapping[str, Line], deeds: Deeds) -> list[list[str]]:
    """Return the names in groups, best first. The players in a group share a rank.

    `lines` has each player's numbers. `deeds` has the games that count for head to head.
    """
    keys: tuple[Callable[[Sequence[str]], Mapping[str, int]], ...] = (
        lambda names: {name: lines[name].points for name in names},
        lambda names: {name: lines[name].wins for name in names},
        lambda names: head_to_head(deeds, names),
        lambda names: {name: lines[name].difference for name in names},
        lambda names: {name: -lines[name].sets for name in names},
    )
    groups = [list(lines)]
    for key in keys:
        finer = []
        for group in groups:
            finer += _same(key(group))
        groups = finer
    return groups


def ranks_of(groups: Iterable[Sequence[str]]) -> dict[str, int]:
    """Return a dict of each player's rank by name. `groups` are groups of names, best first.

    The names in a group share a rank. For groups of one, two and one names, the ranks are 1, 2, 2 and 4.
    """
    ranks: dict[str, int] = {}
    for group in groups:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    return ranks


@dataclass
class Standing:
    """An expected ranking: each player's numbers by name, groups of names that share a rank, and ranks by name."""

    lines: dict[str, Line]
    groups: list[list[str]]
    ranks: dict[str, int]


def standing(deeds: Deeds, counted: Deeds) -> Standing:
    """Return the ranking that follows from the games and byes in `counted`.

    Head to head uses all games in `deeds`, including those of dropped nights.
    """
    lines = {name: line_of(each) for name, each in counted.items()}
    groups = ranked(lines, deeds)
    return Standing(lines, groups, ranks_of(groups))


def points_by_night(deeds: Deeds) -> dict[str, dict[int, int]]:
    """Return a dict of each player's points by name and by the number of the night.

    `deeds` has the games and byes of each player. Nights without a game or bye are left out.
    """
    nights: dict[str, dict[int, int]] = {}
    for name, each in deeds.items():
        sums: Counter[int] = Counter()
        for deed in each:
            sums[deed.night] += deed.points
        nights[name] = dict(sums)
    return nights


def dropped_of(nights: Mapping[int, int]) -> int | None:
    """Return the number of the night that is dropped from a player's standings.

    `nights` has the player's points by the number of the night. The earliest night with the fewest points is dropped.
    Return None for a player who missed a night, because the missed night is dropped instead.
    """
    return None if len(nights) < NIGHTS else min(nights, key=lambda night: (nights[night], night))


def prizes_of(evening: Evening, groups: Sequence[Sequence[str]]) -> list[tuple[Sequence[str], int]]:
    """Return a pair (names, cents) for each rank with a prize. The players named share this amount.

    `groups` has the names in the order of the ranking, in groups that share a rank. Players who share a rank share the
    prizes of all the places that they fill.
    """
    fund = FEE * len(evening.present)
    shares = [fund * percent // 100 for percent in (50, 30, 20)]
    told = []
    for group in groups:
        pool, shares = sum(shares[: len(group)]), shares[len(group) :]
        if pool:
            told.append((group, pool))
    return told


def cents(text: str) -> int:
    """Return the amount in `text`, such as "−1.50", in cents. Return 0 if `text` is empty."""
    return round(Decimal(text.replace(MINUS, "-") or 0) * 100)


# What the application shows.


def own_names(element: ET.Element | html.HtmlElement) -> list[str]:
    """Return the players' names in an element, without the names of regulars for whom substitutes play."""
    for_whom = {id(name) for small in element.iter("small") for name in small.iter("bdi")}
    return [" ".join("".join(name.itertext()).split()) for name in element.iter("bdi") if id(name) not in for_whom]


def text_in(element: ET.Element | html.HtmlElement) -> str:
    """Return the text of an element with single spaces."""
    return " ".join("".join(element.itertext()).split())


def table_in(table: Any) -> list[dict[str, str]]:
    """Return the rows of an HTML table as dicts whose keys are the column headings.

    "#" is the rank without a mark for a tie, "Name" the player's name alone, and "Prize" the prize, if the row has one.
    """
    heads = [text_in(cell) for cell in table.find("thead/tr")]
    lines = []
    for row in table.findall("tbody/tr"):
        line = dict(zip(heads, [text_in(cell) for cell in row], strict=True))
        for head, cell in zip(heads, row, strict=True):
            if head == "Name" and own_names(cell):
                line["Name"] = own_names(cell)[0]
        for note in map(text_in, row.iter("small")):
            if note.startswith("Prize: "):
                line["Prize"] = note.removeprefix("Prize: ")
        if heads[0].startswith("#"):
            line["#"] = line.pop(heads[0]).partition(" ")[0]
        lines.append(line)
    return lines


def first_table(source: str) -> list[dict[str, str]]:
    """Return the rows of the first HTML table as dicts by column heading."""
    table = html.fromstring(source).find(".//table")
    assert table is not None
    return table_in(table)


def page_tables(page: Page) -> list[list[dict[str, str]]]:
    """Return the rows of every table on a page as dicts by column heading."""
    return [table_in(table) for table in page.all("table")]


def in_csv(phone: Phone, path: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file as dicts by column heading."""
    response = phone.get(path)
    assert response.status_code == 200, path
    return list(csv.DictReader(io.StringIO(response.data.decode("utf-8-sig"))))


def in_json(phone: Phone, path: str) -> Any:
    """Return the JSON at a path of the club's API."""
    response = phone.get(f"/api/1/clubs/fire-hall{path}")
    assert response.status_code == 200, path
    return json.loads(response.text)


def check_shown(lines: Sequence[Mapping[str, str]], expected: Standing, where: str) -> None:
    """Check that the rows of a table on a page have the expected ranks and numbers.

    `where` names the page in error messages.
    """
    assert len(lines) == len(expected.lines), where
    assert [int(line["#"]) for line in lines] == sorted(expected.ranks.values()), where
    for line in lines:
        name = line["Name"]
        told = {head: line[head] for head in expected.lines[name].shown}
        assert (int(line["#"]), told) == (expected.ranks[name], expected.lines[name].shown), f"{where}: {name}"


def check_plain(lines: Sequence[Mapping[str, Any]], expected: Standing, where: str) -> None:
    """Check that rows with the API's keys have the expected ranks and numbers.

    `where` names the file in error messages.
    """
    assert [int(line["rank"]) for line in lines] == sorted(expected.ranks.values()), where
    for line in lines:
        want = expected.lines[line["name"]]
        assert int(line["rank"]) == expected.ranks[line["name"]], f"{where}: {line['name']}"
        assert {key: float(line[key]) for key in want.plain} == want.plain, f"{where}: {line['name']}"
        assert float(line["points_per_game"]) == pytest.approx(want.points / want.games, abs=0.005), where


def keyed(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a CSV file as dicts with the API's keys instead of the column headings."""
    return [{KEYS.get(head, head.lower().replace(" ", "_")): cell for head, cell in line.items()} for line in lines]


def from_api(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a ranking in the API as flat dicts with the keys "rank", "name" and the name of each value."""
    return [{"rank": row["rank"], "name": row["people"][0]["name"], **row["values"]} for row in rows]


def check_message(text: str, expected: Standing, where: str) -> None:
    """Check that a chat message has a line with the expected rank and numbers for each player."""
    found = re.findall(rf"^(\d+)\. (.+?) ({MINUS}?\d+) · (\d+){DASH}(\d+)$", text, re.MULTILINE)
    assert len(found) == len(expected.lines), f"{where}: {text}"
    for rank, called, points, wins, losses in found:
        name = called.partition(" (")[0]
        want = expected.lines[name]
        told = (int(rank), int(points.replace(MINUS, "-")), int(wins), int(losses))
        assert told == (expected.ranks[name], want.points, want.wins, want.losses), f"{where}: {name}"


def message(page: Page) -> str:
    """Return the text of the chat message that a page offers to copy."""
    return next(text for area in page.all("textarea") if "\n1. " in (text := "".join(area.itertext())))


# Playing.


def tables_on(desk: Page, action: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return a dict of the players' names, by side, of each table on the desk that has no score yet.

    The keys are the tables' ids, which are read from the form that posts to `action`.
    """
    seats = {}
    for line in desk.one("form", action=action).iter("li"):
        boxes = [name for box in line.iter("input") if (name := box.get("name", "")).startswith("points-")]
        if "line" in line.get("class", "").split() and boxes:
            first, second = (tuple(own_names(side)) for side in line.findall("ul/li"))
            seats[boxes[0].split("-")[1]] = (first, second)
    return seats


def out_on(desk: Page) -> list[str]:
    """Return the names of the players who sit out in the round that the desk shows."""
    return [
        name
        for line in desk.all("p")
        if words(line).startswith("Sitting out:")
        for name in words(line).removeprefix("Sitting out:").strip().split(", ")
    ]


def play_round(
    hall: Hall, path: str, number: int, luck: random.Random, by_hand: str = "", *, alike: bool = False
) -> list[Game]:
    """Enter a random final score for every table of a round, and return the games.

    `path` is the path of the night. With `alike`, all scores are 21 to 9. If `by_hand` is the night's id, the first
    table's game is played hand by hand instead.
    """
    action = f"{path}/rounds/{number}/results"
    where = f"{path}/desk?round={number}"
    desk = hall.phone.see(where)
    seats, games = tables_on(desk, action), []
    if by_hand:
        hall.hands(by_hand, bidder=0)
        table = next(iter(seats))
        games.append(Game(seats.pop(table), (24, 0), (0, 0)))
        desk = hall.phone.see(where)
        assert table not in tables_on(desk, action)
    typed: dict[str, Any] = {}
    for table, sides in seats.items():
        points = [21, 9] if alike else [luck.randint(21, 23), luck.randint(-9, 18)]
        luck.shuffle(points)
        sets = (1, 1) if alike else (luck.randint(0, 3), luck.randint(0, 3))
        games.append(Game(sides, (points[0], points[1]), sets))
        for side in (0, 1):
            typed |= {f"points-{table}-{side}": str(points[side]), f"sets-{table}-{side}": str(sets[side])}
    hall.phone.submit(desk, action, **typed)
    return games


def play_evening(hall: Hall, plan: Evening) -> Evening:
    """Play a planned night from check-in to closing, and return the night with its games, byes and path."""
    evening, phone = replace(plan, games=[], byes=[]), hall.phone
    luck = random.Random(evening.number)
    desk = phone.submit(hall.standings(), f"{hall.season}/nights", day=f"2026-09-{evening.number:02}")
    evening.path = path = desk.path.removesuffix("/desk")
    with hall.book() as people:
        ids = {name: people[name] for name in people if name not in evening.absent}
        everyone = dict(people)
    here = [name for name in evening.present if name in NAMES]
    late = [ids[name] for name in here if name in evening.owing]
    if late:
        desk = phone.submit(desk, f"{path}/people", person=late)
    desk = phone.submit(desk, f"{path}/people", paying=[ids[name] for name in here if name not in evening.owing])
    for sub, regular in evening.subs.items():
        paid = None if sub in evening.owing else "y"
        desk = phone.submit(desk, f"{path}/people/new", name=sub, guest="y", regular=everyone[regular], paid=paid)
    desk = phone.submit(desk, f"{path}/draw", seed=str(evening.number))
    for number in (1, 2, 3):
        evening.byes += out_on(phone.see(f"{path}/desk?round={number}"))
        by_hand = path.removeprefix("/nights/") if (evening.number, number) == (4, 1) else ""
        evening.games += play_round(hall, path, number, luck, by_hand, alike=evening.alike)
    seated = Counter(name for game in evening.games for side in game.sides for name in side)
    seated.update(evening.byes)
    assert seated == dict.fromkeys(evening.present, 3), evening.number
    phone.submit(phone.see(f"{path}/desk"), f"{path}/closing")
    return evening


def play_offs(hall: Hall, seeds: Sequence[str]) -> str:
    """Play the playoffs of four players as a knockout, and return the champion's name.

    `seeds` are the expected names in the order of the standings. In the first round, the first player in this order
    plays the fourth, and the second plays the third.
    """
    phone = hall.phone
    desk = phone.submit(
        phone.see(f"{hall.season}/playoffs"), f"{hall.season}/playoffs", day="2026-10-01", sides="singles"
    )
    path = desk.path.removesuffix("/desk")
    assert [words(seed) for seed in desk.one("ol", class_="seeds")] == list(seeds)
    phone.submit(desk, f"{path}/draw", seed="9")
    luck = random.Random(9)
    semifinals = play_round(hall, path, 1, luck)
    assert {frozenset(side[0] for side in game.sides) for game in semifinals} == {
        frozenset((seeds[0], seeds[3])),
        frozenset((seeds[1], seeds[2])),
    }
    through = {winner_of(game) for game in semifinals}
    desk = phone.see(f"{path}/desk?round=2")
    if not [form for form in desk.all("form") if form.get("action") == f"{path}/rounds/2/results"]:
        phone.submit(desk, f"{path}/draw")
    (final,) = play_round(hall, path, 2, luck)
    assert {side[0] for side in final.sides} == through
    phone.submit(phone.see(f"{path}/desk"), f"{path}/closing")
    return winner_of(final)


def winner_of(game: Game) -> str:
    """Return the name of the winner of a game of two players."""
    return game.sides[game.points[1] > game.points[0]][0]


# Comparing.


def check_evening(hall: Hall, evening: Evening, entry: str) -> None:
    """Check every page and file that shows the results of a night.

    `entry` is the HTML text of the feed's entry about the night.
    """
    phone, number = hall.phone, evening.number
    deeds = deeds_of([evening], for_regular=False)
    expected = standing(deeds, deeds)
    page = phone.see(f"{evening.path}/results")
    rows = page_tables(page)[0]
    check_shown(rows, expected, f"results {number}")
    club = phone.see(f"/clubs/fire-hall/seasons/1/nights/{number}")
    totals = [shown(points) for game in evening.games for points in game.points]
    assert Counter(words(each) for each in club.all("b", class_="pts")) == Counter(totals), number
    surfaces = {
        "club": page_tables(club)[0],
        "feed": first_table(entry),
    }
    for where, lines in surfaces.items():
        for line in lines:
            line["Name"] = line["Name"].partition(" (")[0]
        check_shown(lines, expected, f"{where} {number}")
    file = [line for line in in_csv(phone, f"{evening.path}/results.csv") if line["Rank"].isdigit()]
    check_plain(keyed(file), expected, f"CSV {number}")
    assert {line["Name"]: line["Substitute for"] for line in file if line["Substitute for"]} == evening.subs
    api = in_json(phone, f"/seasons/1/nights/{number}")
    (ranking,) = api["rankings"]
    check_plain(from_api(ranking["rows"]), expected, f"API {number}")
    games = [game for each in in_json(phone, f"/seasons/1/nights/{number}/games")["rounds"] for game in each["games"]]
    told = [
        (tuple(frozenset(who["name"] for who in side["people"]) for side in game["sides"]), points_of(game))
        for game in games
    ]
    wanted = [(tuple(frozenset(side) for side in game.sides), game.points) for game in evening.games]
    assert Counter(told) == Counter(wanted)
    check_message(message(page), expected, f"message {number}")
    paid = {
        "page": {line["Name"]: line.get("Prize", "") for line in rows},
        "feed": {line["Name"]: line.get("Prize", "") for line in surfaces["feed"]},
        "CSV": {line["Name"]: line["Prize"] for line in file},
        "API": {row["people"][0]["name"]: row["prize"] for row in ranking["rows"]},
        "message": prizes_in(message(page)),
    }
    check_prizes(paid, evening, expected)
    check_receipt(phone.see(f"{evening.path}/money"), evening)


def points_of(game: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the points by side of a game as the API has it."""
    return tuple(side["points"] for side in game["sides"])


def prizes_in(text: str) -> dict[str, str]:
    """Return a dict of the prizes in a chat message, as amounts by the player's name."""
    (line,) = (line for line in text.splitlines() if line.startswith("Prizes: "))
    parts = (part.rpartition(" ") for part in line.removeprefix("Prizes: ").split(", "))
    return {name.partition(" (")[0]: amount for name, _space, amount in parts}


def check_prizes(paid: Mapping[str, Mapping[str, str]], evening: Evening, expected: Standing) -> None:
    """Check the prizes of a night on every page and in every file.

    `paid` has a dict for each page or file, with the amounts by the player's name. The amounts of players who share a
    rank may differ by a cent.
    """
    due = prizes_of(evening, expected.groups)
    winners = {name for group, _pool in due for name in group}
    for where, prizes in paid.items():
        got = {name: cents(amount) for name, amount in prizes.items() if amount}
        assert got.keys() == winners, f"{where} {evening.number}"
        for group, pool in due:
            amounts = [got[name] for name in group]
            assert max(amounts) - min(amounts) <= 1, f"{where} {evening.number}"
            assert sum(amounts) == pool, f"{where} {evening.number}"
    assert not evening.alike or any(len(group) > 1 for group, _pool in due), "a prize is shared"


def check_receipt(page: Page, evening: Evening) -> None:
    """Check the amounts on the receipt of a night."""
    sets = sum(sum(game.sets) for game in evening.games)
    fund = FEE * len(evening.present)
    items = {line["Item"]: line for line in page_tables(page)[0] if "Item" in line}
    assert (items["Entry fees"]["Count"], cents(items["Entry fees"]["Amount"])) == (str(len(evening.present)), fund)
    assert (items["Sets"]["Count"], cents(items["Sets"]["Amount"])) == (str(sets), sets * SET)
    assert cents(items["Money in"]["Amount"]) == fund + sets * SET
    assert cents(items["Paid out"]["Amount"]) == fund
    assert cents(items["Kept"]["Amount"]) == sets * SET


def check_season(hall: Hall, evenings: Sequence[Evening]) -> Standing:
    """Check every page and file that shows the season, and return the expected standings."""
    phone = hall.phone
    deeds = deeds_of(evenings, for_regular=True)
    nights = points_by_night(deeds)
    dropped = {name: dropped_of(each) for name, each in nights.items()}
    counted = {name: [deed for deed in each if deed.night != dropped[name]] for name, each in deeds.items()}
    expected = standing(deeds, counted)
    # Where all files have byes, those of the dropped nights are among them.
    byes = {name: sum(deed.bye for deed in each) for name, each in deeds.items()}
    expected.lines = {name: replace(line, byes=byes[name]) for name, line in expected.lines.items()}
    out = {name: str(night or "") for name, night in dropped.items()}
    page = hall.standings()
    assert [sentence for sentence in SENTENCES if sentence not in page.text] == []
    surfaces = {
        "season page": page_tables(page)[0],
        "club": page_tables(phone.see("/clubs/fire-hall"))[0],
        "season of the club": page_tables(phone.see("/clubs/fire-hall/seasons/1"))[0],
        "embed": first_table(phone.get("/embed/fire-hall/standings").text),
    }
    for where, lines in surfaces.items():
        check_shown(lines, expected, where)
        shown = {line["Name"]: line["Dropped nights"].strip(DASH).removeprefix("Night ") for line in lines}
        assert shown == out, where
    check_message(message(page), expected, "message of the season")
    (api,) = in_json(phone, "/seasons/1/standings")["standings"]
    book = openpyxl.load_workbook(io.BytesIO(phone.get(f"{hall.season}/people.xlsx").data))
    sheets = [[["" if cell is None else str(cell) for cell in row] for row in sheet.values] for sheet in book]
    standings, grid = ([dict(zip(sheet[0], row, strict=True)) for row in sheet[1:]] for sheet in sheets)
    files = {
        "CSV": keyed(in_csv(phone, f"{hall.season}/people.csv")),
        "XLSX": keyed(standings),
        "API": from_api(api["rows"]),
    }
    for where, rows in files.items():
        check_plain(rows, expected, where)
        assert {row["name"]: row["dropped_nights"] for row in rows} == out, where
        assert {row["name"]: int(row["nights"]) for row in rows} == {n: len(each) for n, each in nights.items()}, where
    grids = {"CSV": in_csv(phone, f"{hall.season}/people/nights.csv"), "XLSX": grid}
    for where, rows in grids.items():
        assert {row["Name"]: int(row["Rank"]) for row in rows} == expected.ranks, where
        for row in rows:
            name = row["Name"]
            heads = {int(match[1]): head for head in row if (match := re.match(r"Night (\d+), ", head))}
            assert sorted(heads) == [*range(1, NIGHTS + 1)], where
            cells = {number: row[head] for number, head in heads.items()}
            assert {number: int(cell) for number, cell in cells.items() if cell} == nights[name], f"{where}: {name}"
            assert int(row["Total"]) == expected.lines[name].points, f"{where}: {name}"
            assert row["Dropped nights"] == out[name], f"{where}: {name}"
    check_grid(page, nights, expected, dropped)
    return expected


def check_grid(
    page: Page, nights: Mapping[str, Mapping[int, int]], expected: Standing, dropped: Mapping[str, int | None]
) -> None:
    """Check the table of points by night on a page.

    `nights` has the expected points by name and by the number of the night. `dropped` has the number of each player's
    dropped night, or None for a player who missed a night, because no other night is dropped then.
    """
    (lines,) = (lines for lines in page_tables(page) if "Total" in lines[0])
    assert {line["Name"] for line in lines} == nights.keys()
    for line in lines:
        name = line["Name"]
        cells = list(line.values())[1:-1]
        found = {n: re.match(rf"{MINUS}?\d+", cell) for n, cell in enumerate(cells, start=1)}
        told = {n: int(match.group().replace(MINUS, "-")) for n, match in found.items() if match}
        assert told == nights[name], name
        assert [n for n, cell in enumerate(cells, start=1) if "dropped" in cell] == [*filter(None, [dropped[name]])]
        assert line["Total"] == expected.lines[name].shown["Points"], name


def enter_dues(hall: Hall) -> None:
    """Charge dues to everyone in the season. One player pays the dues in full, and another player pays half."""
    where = f"{hall.season}/money"
    with hall.book() as people:
        payments = [("all", "owes", DUES), (people[NAMES[4]], "paid", DUES), (people[NAMES[5]], "paid", DUES // 2)]
    for person, way, amount in payments:
        fields: dict[str, Any] = {
            "person": person,
            "way": way,
            "amount": money(amount),
            "day": "2026-09-09",
            "what": "Dues",
        }
        hall.phone.submit(hall.phone.see(where), f"{where}/payments", settle=None, **fields)


def check_money(hall: Hall, evenings: Sequence[Evening]) -> None:
    """Check the season's money page: what each player owes, the kitty and the cash box."""
    fees: Counter[str] = Counter(dict.fromkeys((*NAMES, FIRST_SUB, SECOND_SUB), DUES))
    fees.subtract({NAMES[4]: DUES, NAMES[5]: DUES // 2})
    least: Counter[str] = Counter()
    most: Counter[str] = Counter()
    kitty = 0
    for evening in evenings:
        fees.update(dict.fromkeys(evening.owing, FEE))
        for game in evening.games:
            for side, sets in zip(game.sides, game.sets, strict=True):
                kitty += sets * SET
                for name in side:
                    # The partners share what their sets cost; of an odd cent the help says nothing.
                    least[name] += sets * SET // 2
                    most[name] += -(-sets * SET // 2)
    everyone = {*NAMES, FIRST_SUB, SECOND_SUB}
    page = hall.phone.see(f"{hall.season}/money")
    lines = in_csv(hall.phone, f"{hall.season}/money.csv")
    balances: Counter[str] = Counter()
    for line in lines:
        balances[line["Name"]] += cents(line["Owed"] or "0") - cents(line["Paid"] or "0")
    for name in everyone:
        assert fees[name] + least[name] <= balances[name] <= fees[name] + most[name], name
    owed = sum(fees.values()) + kitty
    dues = DUES * len(everyone)
    assert sum(balances.values()) == owed
    for name in everyone:
        if balances[name]:
            amount = f"{balances[name] // 100}.{balances[name] % 100:02}"
            assert f"{name} owes {amount}" in page.text, name
    assert f"Owed: {money(owed)}" in page.text
    box = page.text.partition("Cash box")[2]
    assert f"Kitty{money(kitty)}" in box
    assert f"Not paid yet{MINUS}{money(owed)}" in box
    cash = kitty + dues - owed
    missing = "Short: paid out before it was collected"
    assert (f"Expected cash{money(cash)}" if cash >= 0 else f"{missing}{money(-cash)}") in box


def money(amount: int) -> str:
    """Return the text with which a page shows `amount` cents, such as "−1.50"."""
    return f"{MINUS if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02}"


@pytest.mark.slow
def test_a_season_says_the_same_everywhere(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client, NAMES, **SEASON)
    club = f"{hall.league}/club"
    client.submit(client.see(club), club, is_open="yes", names="full")
    evenings = [play_evening(hall, plan) for plan in PLAN]
    feed = etree.fromstring(client.get("/clubs/fire-hall/feed.atom").data)
    entries = {
        str(entry.find(f"{ATOM}link").get("href")).rpartition("/")[2]: entry.findtext(f"{ATOM}content")
        for entry in feed.findall(f"{ATOM}entry")
    }
    assert entries.keys() == {str(evening.number) for evening in evenings}
    for evening in evenings:
        check_evening(hall, evening, entries[str(evening.number)])
    last = deeds_of(evenings[-1:], for_regular=False)
    check_shown(first_table(client.get("/embed/fire-hall/last-night").text), standing(last, last), "embed of the night")
    expected = check_season(hall, evenings)
    enter_dues(hall)
    check_money(hall, evenings)
    seeds = [name for group in expected.groups for name in group][:QUALIFY]
    assert [len(group) for group in expected.groups[:QUALIFY]] == [1] * QUALIFY, "nobody shares a seed"
    races = [words(line) for line in hall.standings().one("ul", class_="races")]
    assert sorted(races) == sorted(f"{name}: {'qualified' if name in seeds else 'out'}" for name in NAMES)
    champion = play_offs(hall, seeds)
    page = client.see(f"{hall.season}/playoffs")
    assert words(page.one("p", class_="champion")).partition(": ")[2] == champion
    check_season(hall, evenings)
