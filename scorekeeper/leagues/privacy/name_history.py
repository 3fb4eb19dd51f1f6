"""What somebody was ever called in a league: on its list, at its tables, in its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.store.redaction import Sitting, sittings, with_company
from scorekeeper.leagues.core.models import (
    LeagueEventRow,
    PersonRow,
    SeatRow,
    TableRow,
    scope_of,
)
from scorekeeper.leagues.privacy.redaction import Renaming, folded

NAMED = ("name", "names", "winners", "regular", "gone", "kept")
"""Where names of people stand in the data of a line of the log."""
OF_OTHERS = frozenset(
    (
        *("league_made", "season_opened", "season_closed", "season_reopened"),
        *("invited", "invitation_void", "joined", "role_changed"),
    )
)
"""Kinds of lines whose name is that of a league or a season, or what an owner calls somebody who works for it."""


@dataclass(slots=True)
class Called:
    """Somebody of a league: their names, who they are at its tables, and the lines of its log that name them."""

    people: Sequence[PersonRow]
    """Their own row, and those merged into it."""
    others: frozenset[str]
    """What everybody else of the league is called."""
    to: str
    """What is to stand for their names."""
    names: set[str] = field(default_factory=set)
    players: set[int] = field(default_factory=set)
    """Ids of `PlayerRow`."""
    games: set[int] = field(default_factory=set)
    """All games at which somebody of the league may have sat."""
    lines: dict[int, dict[str, Any]] = field(default_factory=dict)
    """By its id, the data of each line that names them, with `to` in place of their names."""


def called(session: Session, person: PersonRow, to: str) -> Called:
    """Return what is known of a person who was not merged into another; `to` is to stand for their names."""
    everybody = session.scalars(select(PersonRow).where(PersonRow.league_id == person.league_id)).all()
    mine = [person, *(row for row in everybody if row.merged_into == person.id)]
    own = {row.id for row in mine}
    others = {name for row in everybody if row.id not in own for name in (row.name, row.nickname) if name}
    told = Called(mine, frozenset(others), to, {name for row in mine for name in (row.name, row.nickname) if name})
    log = session.execute(
        select(LeagueEventRow.id, LeagueEventRow.kind, LeagueEventRow.data)
        .where(LeagueEventRow.league_id == person.league_id)
        .order_by(LeagueEventRow.id.desc())
    ).all()
    for row in mine:
        _follow(told, [(line, kind, data) for line, kind, data in log], row)
    _seats(session, told, person.league_id)
    return told


def _follow(told: Called, log: Iterable[tuple[int, str, dict[str, Any]]], row: PersonRow) -> None:
    """Find the lines about one row, from the newest back: a name is theirs from when it was given to them."""
    name, there = row.name, row.merged_into is None
    for line, kind, was in log:
        data = told.lines.get(line, was)
        if kind in OF_OTHERS:
            continue
        if not there:
            # Until they turned out to be somebody else the name was theirs; since then it may be another's.
            there = kind == "people_merged" and folded(was["gone"]) == folded(name)
            if not there:
                continue
        then = Renaming(frozenset((name,)), told.to)
        changed = was.get("changed") if kind == "person_changed" and then.is_one(str(was.get("name"))) else None
        new = _redacted(data, then)
        if isinstance(changed, Mapping):
            name = _before(told, changed, name)
            new["changed"] = {key: _hidden(key, pair, told.to) for key, pair in changed.items()}
        if new != data:
            told.lines[line] = new
        if kind == "people_added" and new != data:
            return


def _redacted(data: Mapping[str, Any], renaming: Renaming) -> dict[str, Any]:
    return {key: renaming.in_list(value) if key in NAMED else value for key, value in data.items()}


def _before(told: Called, changed: Mapping[str, Any], name: str) -> str:
    """Note the names that a change tells of; return what they were called before it."""
    told.names.update(text for key in ("name", "nickname") for text in changed.get(key, ()) if text)
    return str(changed["name"][0]) if "name" in changed else name


def _hidden(key: str, pair: Any, to: str) -> Any:
    hide = {"name": to, "nickname": "…"}.get(key)
    return pair if hide is None else [hide if value else value for value in pair]


def _seats(session: Session, told: Called, league: int) -> None:
    """Find who they are at tables: at their seats, and wherever somebody unknown has one of their names."""
    own = {row.id for row in told.people}
    rows = session.execute(
        select(TableRow.game_id, SeatRow.seat, SeatRow.person_id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .where(TableRow.game_id.is_not(None), scope_of(league)["tables"])
    )
    seats = {(game, seat): person for game, seat, person in rows if game is not None}
    told.games = with_company(session, {game for game, _seat in seats})
    sat = sittings(session, told.games)
    theirs = {folded(name) for name in told.others}
    for each in sat:
        if each.first and seats.get((each.game, each.seat)) in own:
            _sat(told, each, theirs)
    names = {folded(name) for name in told.names}
    taken = {player for each in sat if _is_anothers(each, seats, own) for player, _name in each.called}
    for each in sat:
        ids = {player for player, _name in each.called}
        unknown = not ids & taken and folded(each.called[0][1]) in names
        if ids & told.players or unknown:
            _sat(told, each, theirs)
    more = with_company(session, told.games, told.players) - told.games
    for each in sittings(session, more):
        if {player for player, _name in each.called} & told.players:
            _sat(told, each, theirs)
    told.games |= more


def _is_anothers(sitting: Sitting, seats: Mapping[tuple[int, int], int], own: set[int]) -> bool:
    person = seats.get((sitting.game, sitting.seat)) if sitting.first else None
    return person is not None and person not in own


def _sat(told: Called, sitting: Sitting, theirs: set[str]) -> None:
    """Take a sitting as theirs, up to where the name of somebody else of the league was written over it."""
    for player, name in sitting.called:
        if folded(name) in theirs and folded(name) not in {folded(own) for own in told.names}:
            return
        told.players.add(player)
        told.names.add(name)
