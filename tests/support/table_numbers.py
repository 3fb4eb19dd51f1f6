"""Compare every number on the pages of "Our table", and the games that a number links to, with `naive_count`."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urljoin, urlsplit

from tests.support.naive_count import Counted, Told, behind_of, share, share_won, winner_of
from tests.support.page import Page, parse, words

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET
    from collections.abc import Callable, Sequence

FEWEST = 10
"""Fewest games or bids for which pages show a percentage."""
MOST_EVENINGS = 6
"""Maximum number of evenings on the page, including the last evening."""


Number = tuple[str, AbstractSet[str]]
"""The text of a number on a page, and the ids of the games that it links to."""


class Eyes(Protocol):
    """An object that loads pages: a `Phone` in a test, or a `Seen` for pages in a browser."""

    def see(self, path: str) -> Page:
        """Return the page at `path`."""


class SeenPage(Page):
    """A page that was loaded by something other than Flask's test client, such as a browser."""

    def __init__(self, path: str, html: str) -> None:
        self.path, self.html, self.status = path, html, 200

    @cached_property
    def tree(self) -> ET.Element:
        """The root element of the document."""
        return parse(self.html)


class Seen:
    """An object that loads pages with the function `fetch`, which returns the HTML at a path.

    `Seen(lambda path: context.request.get(url + path).text())` loads pages as the browser context `context` does.
    """

    def __init__(self, fetch: Callable[[str], str]) -> None:
        self.fetch = fetch

    def see(self, path: str) -> Page:
        """Return the page at `path`."""
        return SeenPage(urlsplit(path).path, self.fetch(path))


def check_table(eyes: Eyes, told: Sequence[Told]) -> None:
    """Check every number on the home table's page and on the pages of its players.

    `told` are the games of this table in the order of play.
    """
    page = eyes.see("/table")
    check_numbers(eyes, page, Counted(list(told)))
    check_evenings(eyes, page, told)
    (played,) = [words(each) for each in page.all("a") if words(each).startswith("All games ")]
    assert played == f"All games {sum(not game.hidden for game in told)}"


def check_filtered(eyes: Eyes, told: Sequence[Told], *names: str) -> None:
    """Check the numbers on the home table's page when it is filtered by `names`.

    The page then counts only games in which all these people had a seat at the end.
    """
    ids = [_id_of(eyes.see("/table"), name) for name in names]
    mine = [game for game in told if all(any(name in team for team in game.teams) for name in names)]
    counted = Counted(mine)
    counted.all_games = list(told)
    page = eyes.see("/table?" + "&".join(f"people={each}" for each in ids))
    check_numbers(eyes, page, counted)


def _id_of(page: Page, name: str) -> str:
    (link,) = [each for each in page.one("table", class_="numbers").findall("tbody/tr/th/a") if words(each) == name]
    return urlsplit(str(link.get("href"))).path.rsplit("/", 1)[-1]


def check_numbers(eyes: Eyes, page: Page, counted: Counted) -> None:
    """Check the numbers of the players, of the pairs of sides, and of the records on a page of the table."""
    rows = page.one("table", class_="numbers").findall("tbody/tr")
    assert {words(row.findall("th")[0]) for row in rows} == set(counted.names)
    for row in rows:
        name = words(row.findall("th")[0])
        games, won, bids = (number_in(eyes, page, cell) for cell in row.findall("td"))
        mine = counted.bids(name)
        assert games == (str(len(counted.of(name))), counted.of(name))
        assert won == (share(len(counted.won(name)), len(counted.of(name))), counted.won(name))
        assert bids == (share(sum(made for _, made in mine), len(mine)), {game for game, _ in mine})
        check_player(eyes, eyes.see(row.findall("th/a")[0].get("href") or ""), name, counted)
    check_meetings(eyes, page, counted)
    check_records(eyes, page, counted)


def listed(eyes: Eyes, page: Page, link: str) -> set[str]:
    """Return the ids of all games that are listed at the address `link`, on all pages of that list.

    `page` is the page that has the link.
    """
    found: set[str] = set()
    address: str | None = urljoin(page.path, link)
    while address:
        page = eyes.see(address)
        found |= {str(each.get("href")).rsplit("/", 1)[-1] for each in page.all("a", class_="game")}
        older = [each.get("href") for each in page.all("a") if words(each) == "Older games"]
        address = older[0] if older else None
    return found


def number_in(eyes: Eyes, page: Page, cell: Any) -> Number:
    """Return the text of the number in a cell, and the ids of the games to which that number links."""
    links = cell.findall(".//a")
    link = links[-1] if links else None
    text = (cell.text or "") if link is None else "".join([link.text or "", *(hidden.tail or "" for hidden in link)])
    return " ".join(text.split()), frozenset(listed(eyes, page, link.get("href")) if link is not None else ())


def check_player(eyes: Eyes, page: Page, name: str, counted: Counted) -> None:
    """Check all numbers on the page of the person called `name`."""
    facts: dict[str, list[ET.Element]] = {}
    for each in page.one("dl").findall("div"):
        facts.setdefault(words(each.findall("dt")[0]), []).append(each.findall("dd")[0])
    found = {
        term: {number_in(eyes, page, cell) for cell in cells if term != "Best partner"} for term, cells in facts.items()
    }
    for term, (text, games) in _expected_facts(name, counted).items():
        assert found.get(term, set()) == ({(text, frozenset(games))} if text else set()), (name, term)
    best = {words(cell.findall("bdi")[0]): number_in(eyes, page, cell) for cell in facts.get("Best partner", ())}
    assert best == _best_partners(name, counted)
    check_levels(eyes, page, name, counted)
    check_company(eyes, page, name, counted)


def _expected_facts(name: str, counted: Counted) -> dict[str, tuple[str, set[str]]]:
    """Return the numbers that a person's page should show, as a dict that maps a label to (text, ids of games).

    If the text is empty, the page doesn't show the label.
    """
    bids, streak, comeback = counted.bids(name), counted.streak(name), counted.comeback(name)
    sets = [game for game, made in bids if not made]
    played, won = counted.of(name), counted.won(name)
    ties = {game.id for game in counted.games if game.id in played and winner_of(game) is None}
    return {
        "Games": (str(len(played)), played),
        "Games won": (share(len(won), len(played)), won),
        "Ties": (str(len(ties)) if ties else "", ties),
        "Longest winning streak": (_games(len(streak)), set(streak)),
        "Bids made": (share(len(bids) - len(sets), len(bids)), {game for game, _ in bids}),
        "Sets": (str(len(sets)), set(sets)),
        "Biggest comeback": ("", set()) if comeback is None else (f"from {_points(comeback[0])} down", {comeback[1]}),
    }


def _games(number: int) -> str:
    return f"{number} game{'s' * (number != 1)}"


def _points(number: int) -> str:
    return f"{number} point{'s' * (number != 1)}"


def _best_partners(name: str, counted: Counted) -> dict[str, Number]:
    rated = {
        other: games
        for other in counted.names
        if other != name and len(games := counted.together(name, other)) >= FEWEST
    }
    won = {other: len(games & counted.won(name)) / len(games) for other, games in rated.items()}
    return {
        other: (share_won(len(games & counted.won(name)), len(games)), frozenset(games))
        for other, games in rated.items()
        if won[other] == max(won.values())
    }


def check_levels(eyes: Eyes, page: Page, name: str, counted: Counted) -> None:
    """Check how often a person made the bid and how often the person was set, for bids of each amount."""
    rows = [row for table in page.all("table", class_="numbers") for row in table.findall("tbody/tr")]
    levels = [int(words(row.findall("th")[0]).removeprefix("Bids of ")) for row in rows]
    assert levels == [bid for bid in range(1, 22) if counted.bids(name, bid)]
    for bid, row in zip(levels, rows, strict=True):
        own = counted.bids(name, bid)
        failed = [game for game, made in own if not made]
        made, was_set = (number_in(eyes, page, cell) for cell in row.findall("td"))
        assert made == (share(len(own) - len(failed), len(own)), {game for game, _ in own})
        assert was_set == (str(len(failed)), set(failed))


def check_company(eyes: Eyes, page: Page, name: str, counted: Counted) -> None:
    """Check how often a person won with each partner and against each opponent."""
    sections = {words(each.findall("h2")[0]): each for each in page.all("section")}
    for title, games_with in (("Wins with", counted.together), ("Wins against", counted.apart)):
        rows = sections[title].findall("ul/li") if title in sections else []
        seen = [words(row.findall("a")[0]) for row in rows]
        assert set(seen) == {other for other in counted.names if other != name and games_with(name, other)}
        for other, row in zip(seen, rows, strict=True):
            games = games_with(name, other)
            won = games & counted.won(name)
            assert number_in(eyes, page, row.findall("span")[0]) == (share_won(len(won), len(games)), games)


def check_meetings(eyes: Eyes, page: Page, counted: Counted) -> None:
    """Check the numbers of wins, ties and series for each pair of sides that played against each other."""
    met = counted.meetings()
    found = [item for each in page.all("ul", class_="meetings") for item in each.findall("li")]
    assert len(found) == len(met)
    for item in found:
        sides = item.findall("dl/div")
        names = [frozenset(words(side.findall("dt")[0]).split(" and ")) for side in sides]
        won = met[frozenset(names)]
        for side, team in zip(sides, names, strict=True):
            assert number_in(eyes, page, side.findall("dd")[0]) == (str(len(won[team])), won[team])
        total, *tied = item.findall("p/a")
        games = set().union(*won.values())
        assert total.text == _games(len(games))
        assert listed(eyes, page, str(total.get("href"))) == games
        ties = won[frozenset()]
        assert [(each.text, listed(eyes, page, str(each.get("href")))) for each in tied] == (
            [(f"{len(ties)} tied", ties)] if ties else []
        )
        by_team, number = counted.series(frozenset(names))
        shown = [words(side.findall("dt")[0]) for side in sides]
        series = ", ".join(f"{name} {by_team[team]}" for name, team in zip(shown, names, strict=True))
        assert (f"won: {series}" in words(item)) == bool(number), words(item)
        assert ("Series" in words(item)) == bool(number)


def check_records(eyes: Eyes, page: Page, counted: Counted) -> None:
    """Check the longest winning streak, the biggest comeback and the best partners."""
    told = [each for table in page.all("dl", class_="figures") for each in table.findall("div")]
    lines = [(words(each.findall("dt")[0]), each.findall("dd")[0]) for each in told]
    streaks = {name: counted.streak(name) for name in counted.names}
    longest = max(map(len, streaks.values()))
    assert {
        (words(cell.findall("bdi")[0]), *number_in(eyes, page, cell))
        for term, cell in lines
        if term == "Longest winning streak"
    } == {
        (name, _games(longest), frozenset(games))
        for name, games in streaks.items()
        if longest > 1 and len(games) == longest
    }
    behind = max((behind_of(game) for game in counted.games), default=0)
    first = {best[1] for name in counted.names if (best := counted.comeback(name)) and best[0] == behind}
    comebacks = [number_in(eyes, page, cell) for term, cell in lines if term == "Biggest comeback"]
    assert {text for text, _ in comebacks} == ({f"from {_points(behind)} down"} if behind else set())
    assert set().union(*(games for _, games in comebacks)) == (first if behind else set())
    rated = {pair: counted.together(*pair) for pair in counted.pairs() if len(counted.together(*pair)) >= FEWEST}
    won = {pair: len(games & counted.won(pair[0])) / len(games) for pair, games in rated.items()}
    assert {
        (frozenset(words(cell.findall("bdi")[0]).split(" and ")), *number_in(eyes, page, cell))
        for term, cell in lines
        if term == "Best partners"
    } == {
        (frozenset(pair), share_won(len(games & counted.won(pair[0])), len(games)), frozenset(games))
        for pair, games in rated.items()
        if won[pair] == max(won.values())
    }


def check_evenings(eyes: Eyes, page: Page, told: Sequence[Told]) -> None:
    """Check the sentence about each evening, the games to which it links, and the last evening on the home page."""
    shown = [each for item in page.all("p", class_="headline") for each in item.findall("a")]
    texts = [words(each) for each in shown]
    for each in (item for rows in page.all("ul", class_="rows") for item in rows.findall("li/a")):
        shown.append(each)
        texts.append(words(each.findall("span")[0]))
    finished = sorted({game.evening for game in told if game.counts and not game.hidden}, reverse=True)
    for evening, link, text in zip(finished[:MOST_EVENINGS], shown, texts, strict=True):
        games = [game for game in told if game.evening == evening and not game.hidden]
        assert listed(eyes, page, str(link.get("href"))) == {game.id for game in games}
        assert text in Counted(games).sentences()
    (home,) = eyes.see("/").all("a", class_="evening")
    assert [words(each) for each in home.iter("b")] == texts[:1]
