"""Read `routes.txt` and `relations.txt`, and find out from these files which response each request must get."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.security.access.things import COLUMNS, NOWHERE, OTHERS

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).parent
GAMES = ("none", "watches", "scores", "starts")
LEAGUES = ("none", "reads", "helper", "director", "owner")
ANSWERS = frozenset((200, 204, 302, 303, 409, 422))
"""Statuses for a person who may send the request, whether or not it can be carried out at present."""


@dataclass(frozen=True)
class Line:
    """One line of `routes.txt`: an address, the role needed for it, and the response that people with that role get.

    `needs` is that role, and `gets` is a word for that response, such as "shows" for a page. `but` maps some roles to
    the words for their different responses. `of` is the name of the object in the address, or "" if there is none.
    """

    rule: str
    method: str
    needs: str
    gets: str
    of: str = ""
    but: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The HTTP method and the URL rule of the line as one string, which no other line has."""
        return f"{self.method} {self.rule}"

    @property
    def things(self) -> tuple[str, ...]:
        """The name of the object in the line's address, and then the names of other objects that could be there."""
        others = next((OTHERS[place] for place in OTHERS if f"<{place}>" in self.rule), ())
        return (self.of, *(each for each in others if each != self.of))


@dataclass(frozen=True, slots=True)
class Expected:
    """The response that a request must get."""

    statuses: frozenset[int]
    changes: bool | None = False
    """Whether the request must change the database; None if it may or may not."""
    refused: bool = False
    """True if the response must not contain any name."""


def lines() -> list[Line]:
    """Return the lines of `routes.txt`."""
    told = []
    for words in _rows("routes.txt"):
        rule, method, needs, gets, *rest = words
        but = dict(word.split("=") for word in rest if "=" in word)
        of = next((word for word in rest if "=" not in word), "")
        told.append(Line(rule, method, needs, gets, of, but))
    return told


def standings() -> dict[str, dict[str, str]]:
    """Read `relations.txt`, and return the rights of each role.

    The result maps each role to a dictionary. That dictionary maps each kind of object to the right that the role has,
    such as "scores" for a game.
    """
    head = next(line for line in _text("relations.txt") if line.startswith("# role"))
    columns = head.split()[2:]
    return {role: dict(zip(columns, cells, strict=True)) for role, *cells in _rows("relations.txt")}


def expected(line: Line, role: str, thing: str, stands: Mapping[str, str]) -> Expected:
    """Return the response that a request by `role` must get at the address of `line`.

    `thing` is the object in that address. `stands` maps each kind of object to the right of this role, as in
    `standings`.
    """
    refused = _refusal(line, thing, stands)
    if refused:
        return Expected(frozenset((refused,)), refused=True)
    if thing != line.of:
        # A word is that of one thing; who is refused there for another reason is refused everywhere.
        more = {404} if any(f"<{name}>" in line.rule for name in ("word", "token", "photo")) else set()
        more |= {403} if "refused" in (line.gets, *line.but.values()) else set()
        more |= {404} if "others" in line.but else set()
        return Expected(ANSWERS | more, None if line.method == "POST" else False)
    return GETS[line.but.get(role, line.gets)]


GETS: Mapping[str, Expected] = {
    "shows": Expected(frozenset((200,))),
    "leads": Expected(frozenset((302, 303))),
    "empty": Expected(frozenset((204,))),
    "wrong": Expected(frozenset((422,))),
    "none": Expected(frozenset((404,)), refused=True),
    "refused": Expected(frozenset((403,)), refused=True),
    "does": Expected(frozenset((200, 302, 303)), changes=True),
    "noted": Expected(frozenset((422,)), changes=True),
}


def _refusal(line: Line, thing: str, stands: Mapping[str, str]) -> int:
    """Return the status with which a request must be refused, or 0 if the request is allowed.

    `thing` is the object in the address of `line`. `stands` maps each kind of object to the person's right, as in
    `standings`.
    """
    if line.needs in ("anybody", "nobody"):
        return 0
    if line.needs == "account":
        return 0 if stands["account"] == "yes" else 303
    # Nothing is drawn yet on a night to come: there is no table in it.
    if thing == NOWHERE or (
        thing == "later" and ("<int:table>" in line.rule or line.rule.endswith("<night_id>/games"))
    ):
        return 404
    is_to_it = stands[COLUMNS[thing]]
    if line.needs == "watched":
        return 0 if thing not in ("unwatched", "deleted") else 404
    if line.needs in ("plays", "totals", "confirms"):
        # The night's other tables are not played yet; the one that is over is nobody's but the director's device.
        table = {"night": "table", "night2": "table2", "next": "next", "ended": "shut"}.get(thing)
        if table is None:
            return 404
        plays = stands[table] in ("scores", "starts")
        may_help = line.needs == "confirms" or (line.needs == "totals" and thing in ("night", "night2"))
        helps = may_help and stands[_league(thing)] in LEAGUES[2:]
        return 0 if plays or helps else 403
    if line.needs in LEAGUES:
        if LEAGUES.index(stands[_league(thing)]) < LEAGUES.index(line.needs):
            return 403
        # The form names a table.
        return 404 if thing == "later" and line.rule.endswith("<int:number>/forfeits") else 0
    if thing == "deleted" and "/deletion" in line.rule and stands["game"] == "starts":
        return 0
    if is_to_it == "none":
        return 404
    return 0 if GAMES.index(is_to_it) >= GAMES.index(line.needs) else 403


def _league(thing: str) -> str:
    return "league" if thing == "next" else COLUMNS[thing]


def _rows(name: str) -> list[list[str]]:
    return [line.split() for line in _text(name) if line and not line.startswith("#")]


def _text(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()
