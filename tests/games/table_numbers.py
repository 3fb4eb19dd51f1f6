"""Compare the pages of our table with a naive count; works on any server, in the test client or in a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urljoin

from tests.games.naive_count import Counted, Told, behind_of, share, winner_of
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page


class Reader(Protocol):
    """A phone that opens pages."""

    def see(self, path: str) -> Page:
        """Return the page at `path`."""


def check_table(phone: Reader, told: list[Told]) -> None:
    """Compare every number of our table with those counted from `told`, and the games that each number leads to."""
    counted = Counted(told)
    page = phone.see("/table")
    rows = page.one("table", class_="numbers").findall("tbody/tr")
    assert {words(row.findall("th")[0]) for row in rows} == set(counted.names)
    for row in rows:
        name = words(row.findall("th")[0])
        games, won, bids = (number_in(phone, page, cell) for cell in row.findall("td"))
        mine = counted.bids(name)
        assert games == (str(len(counted.of(name))), counted.of(name))
        assert won == (share(len(counted.won(name)), len(counted.of(name))), counted.won(name))
        assert bids == (share(sum(made for _, made in mine), len(mine)), {game for game, _ in mine})
        check_player(phone, phone.see(row.findall("th/a")[0].get("href") or ""), name, counted)
    check_meetings(phone, page, counted)
    check_records(phone, page, counted)
    check_evenings(phone, page, told)


def listed(phone: Reader, page: Page, link: str) -> set[str]:
    """Return the ids of all games to which a number leads."""
    found: set[str] = set()
    address: str | None = urljoin(page.path, link)
    while address:
        page = phone.see(address)
        found |= {str(each.get("href")).rsplit("/", 1)[-1] for each in page.all("a", class_="game")}
        older = [each.get("href") for each in page.all("a") if words(each) == "Older games"]
        address = older[0] if older else None
    return found


def number_in(phone: Reader, page: Page, cell: Any) -> tuple[str, set[str]]:
    """Return the text of a number without hidden words, and the games that it leads to."""
    links = cell.findall(".//a")
    link = links[-1] if links else None
    text = (cell.text or "") if link is None else (link.text or "")
    return " ".join(text.split()), listed(phone, page, link.get("href")) if link is not None else set()


def check_player(phone: Reader, page: Page, name: str, counted: Counted) -> None:
    """Compare a person's page."""
    facts = {words(each.findall("dt")[0]): each.findall("dd")[0] for each in page.one("dl").findall("div")}
    bids = counted.bids(name)
    sets = [game for game, made in bids if not made]
    assert number_in(phone, page, facts["Games"]) == (str(len(counted.of(name))), counted.of(name))
    assert number_in(phone, page, facts["Sets"]) == (str(len(sets)), set(sets))
    streak = counted.streak(name)
    said = f"{len(streak)} game{'s' * (len(streak) != 1)}"
    assert number_in(phone, page, facts["Longest winning streak"]) == (said, set(streak))
    best = counted.comeback(name)
    assert ("Biggest comeback" in facts) == (best is not None)
    if best is not None:
        assert number_in(phone, page, facts["Biggest comeback"]) == (f"from {best[0]} points down", {best[1]})
    for row in page.one("table", class_="numbers").findall("tbody/tr"):
        bid = int(words(row.findall("th")[0]).removeprefix("Bids of "))
        own = counted.bids(name, bid)
        failed = [game for game, made in own if not made]
        made, was_set = (number_in(phone, page, cell) for cell in row.findall("td"))
        assert made == (share(len(own) - len(failed), len(own)), {game for game, _ in own})
        assert was_set == (str(len(failed)), set(failed))
    company = page.all("ul", class_="mates")
    for rows, games_with in zip(company, (counted.together, counted.apart), strict=True):
        seen = set()
        for row in rows.findall("li"):
            other = words(row.findall("a")[0])
            games = games_with(name, other)
            won = games & counted.won(name)
            assert number_in(phone, page, row.findall("span")[0]) == (share(len(won), len(games)), games)
            seen.add(other)
        assert seen == {other for other in counted.names if other != name and games_with(name, other)}


def check_meetings(phone: Reader, page: Page, counted: Counted) -> None:
    """Compare the head to head of all pairs."""
    met = counted.meetings()
    found = page.one("ul", class_="meetings").findall("li")
    assert len(found) == len(met)
    for item in found:
        sides = item.findall("dl/div")
        names = [frozenset(words(side.findall("dt")[0]).split(" and ")) for side in sides]
        won = met[frozenset(names)]
        for side, team in zip(sides, names, strict=True):
            assert number_in(phone, page, side.findall("dd")[0]) == (str(len(won[team])), won[team])
        total = item.findall("p/a")[0]
        games = set().union(*won.values())
        assert int((total.text or "").split()[0]) == len(games)
        assert listed(phone, page, str(total.get("href"))) == games


def check_records(phone: Reader, page: Page, counted: Counted) -> None:
    """Compare longest streak, biggest comeback and best partners."""
    told = page.all("dl", class_="figures")[-1].findall("div")
    lines = [(words(each.findall("dt")[0]), each.findall("dd")[0]) for each in told]
    longest = max(len(counted.streak(name)) for name in counted.names)
    holders = {name for name in counted.names if len(counted.streak(name)) == longest}
    assert {words(cell.findall("bdi")[0]) for term, cell in lines if term == "Longest winning streak"} == holders
    behind = max(behind_of(game) for game in counted.games)
    first = {best[1] for name in counted.names if (best := counted.comeback(name)) and best[0] == behind}
    comebacks = [number_in(phone, page, cell) for term, cell in lines if term == "Biggest comeback"]
    assert {text for text, _ in comebacks} == ({f"from {behind} points down"} if behind else set())
    assert set().union(*(games for _, games in comebacks)) == (first if behind else set())
    rated = {pair: counted.together(*pair) for pair in counted.pairs() if len(counted.together(*pair)) >= 10}
    shares = {pair: len(games & counted.won(pair[0])) / len(games) for pair, games in rated.items()}
    best_pairs = {" and ".join(pair) for pair, rate in shares.items() if rate == max(shares.values())}
    assert {words(cell.findall("bdi")[0]) for term, cell in lines if term == "Best partners"} == best_pairs


def check_evenings(phone: Reader, page: Page, told: list[Told]) -> None:
    """Compare the games of each evening, and the sentence of an evening with changing partners."""
    links = [*page.one("p", class_="headline").findall("a"), *page.one("ul", class_="rows").findall("li/a")]
    for evening, link in zip((3, 2, 1), links, strict=True):
        games = [game for game in told if game.evening == evening and not game.hidden]
        assert listed(phone, page, str(link.get("href"))) == {game.id for game in games}
        won = {
            name: sum(game.id in Counted([game]).won(name) for game in games if game.counts)
            for game in games
            for name in game.record["players"]
        }
        (most,) = {int(each) for each in re.findall(r"(\d+)(?: of \d+)?$", words(link))}
        assert most == max(won.values())
        assert winner_of(games[0]) is not None
