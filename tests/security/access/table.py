"""The two tables as they are written, and what follows from them for one who asks for one thing."""

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
"""What somebody is answered who may ask, whatever can be done there now."""


@dataclass(frozen=True)
class Line:
    """One line of `routes.txt`."""

    rule: str
    method: str
    needs: str
    gets: str
    of: str = ""
    but: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its rule and its method, which no other line has."""
        return f"{self.method} {self.rule}"

    @property
    def things(self) -> tuple[str, ...]:
        """The thing that the line names, then all others of its kind."""
        others = next((OTHERS[place] for place in OTHERS if f"<{place}>" in self.rule), ())
        return (self.of, *(each for each in others if each != self.of))


@dataclass(frozen=True, slots=True)
class Expected:
    """What one request is answered with."""

    statuses: frozenset[int]
    changes: bool | None = False
    """None: that is as it may be."""
    refused: bool = False
    """Then nothing is told of what is there."""


def lines() -> list[Line]:
    """Return `routes.txt`."""
    told = []
    for words in _rows("routes.txt"):
        rule, method, needs, gets, *rest = words
        but = dict(word.split("=") for word in rest if "=" in word)
        of = next((word for word in rest if "=" not in word), "")
        told.append(Line(rule, method, needs, gets, of, but))
    return told


def standings() -> dict[str, dict[str, str]]:
    """Return `relations.txt`: by role and column, what they are to it."""
    head = next(line for line in _text("relations.txt") if line.startswith("# role"))
    columns = head.split()[2:]
    return {role: dict(zip(columns, cells, strict=True)) for role, *cells in _rows("relations.txt")}


def expected(line: Line, role: str, thing: str, stands: Mapping[str, str]) -> Expected:
    """Return what `role`, who `stands` so to each column, gets of `thing` at the address of `line`."""
    refused = _refusal(line, thing, stands)
    if refused:
        return Expected(frozenset((refused,)), refused=True)
    if thing != line.of:
        # A word is that of one thing; who is refused there for another reason is refused everywhere.
        more = {404} if any(f"<{name}>" in line.rule for name in ("word", "token", "photo")) else set()
        more |= {403} if "refused" in line.but.values() else set()
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
    """The status of who is too little for it, 0 for who is not."""
    if line.needs in ("anybody", "nobody"):
        return 0
    if line.needs == "account":
        return 0 if stands["account"] == "yes" else 303
    # Nothing is drawn yet on a night to come: there is no table in it.
    if thing == NOWHERE or (thing == "later" and ("<int:table>" in line.rule or line.rule.endswith("/games"))):
        return 404
    is_to_it = stands[COLUMNS[thing]]
    if line.needs == "watched":
        return 0 if thing not in ("unwatched", "deleted") else 404
    if line.needs in ("plays", "confirms"):
        # The night's other tables are not played yet; the one that is over is nobody's but the director's device.
        table = {"night": "table", "night2": "table2", "next": "next", "ended": "shut"}.get(thing)
        if table is None:
            return 404
        plays = stands[table] in ("scores", "starts")
        helps = line.needs == "confirms" and stands[_league(thing)] in LEAGUES[2:]
        return 0 if plays or helps else 403
    if line.needs in LEAGUES:
        return 0 if LEAGUES.index(stands[_league(thing)]) >= LEAGUES.index(line.needs) else 403
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
