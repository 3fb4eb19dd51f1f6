"""Check that an imported league can be shown on pages. Its file may be damaged or written by hand.

Check the public pages of an imported league, and don't let them take over another league's address.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.leagues.calendar.service import STATES
from scorekeeper.leagues.calendar.settings import DAY_MINUTES, FAR, FIRST, REPLIES, ScheduleSettings
from scorekeeper.leagues.core.models import ClubAddressRow
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import KINDS, people_by_side, seating_of
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.teams.fixtures import BOTH
from scorekeeper.leagues.transfer.archive_rows import Row, RowError
from scorekeeper.rules.final_score import ENDED_BY
from scorekeeper.rules.presets import preset_named
from scorekeeper.rules.ruleset import with_options


def check_parts(parts: Mapping[str, Sequence[Row]]) -> None:
    """Check that every part of a league can be read, and that its rows fit together.

    Raises `RowError` or `RuleViolation` for a wrong value, or an error such as `ValueError` for a value that can't be
    parsed.
    """
    for season in parts["seasons"]:
        with_options(preset_named(season["preset"]), season["options"])
        StandingSettings.from_json(season["counting"])
        NightPlan.from_json(season["plan"])
        MoneySettings.from_json(season["money"])
        PlayoffSettings.from_json(season.get("playoffs") or {})
        ScheduleSettings.from_json(season.get("schedule"))
    _check_merged(parts["people"])
    for planned in parts["planned"]:
        if not FIRST <= date.fromisoformat(planned["day"]) < FAR:
            raise RowError("planned_night.day")
        if planned["state"] not in STATES or planned["starts"] not in (None, *range(DAY_MINUTES)):
            raise RowError("planned_night.state")
    for answer in parts["answers"]:
        if answer["says"] not in REPLIES:
            raise RowError("night_answer.says")
    for night in parts["nights"]:
        NightPlan.from_json(night["plan"])
    seats: defaultdict[object, list[object]] = defaultdict(list)
    for seat in parts["seats"]:
        seats[seat["table_id"]].append(seat["seat"])
    for table in parts["tables"]:
        _check_end(table, len(seats[table["id"]]))
        for side in table["confirmed"].values():
            _numbers(side, "confirmed")
        _check_said(table, len(seats[table["id"]]))
        if sorted(map(str, seats[table["id"]])) != sorted(map(str, range(len(seats[table["id"]])))):
            raise RowError("league_seat.seat")
    _check_teams(parts)
    for event in parts["log"]:
        if not isinstance(event["data"], dict):
            raise RowError("league_event.data")


def _check_merged(people: Sequence[Row]) -> None:
    """Raise `RowError` if anybody was merged into a person who was also merged.

    After this check, merges can't form chains or circles.
    """
    there = {person["id"] for person in people if person["merged_into"] is None}
    there.add(None)
    if any(person["merged_into"] not in there for person in people):
        raise RowError("person.merged_into")


def _check_teams(parts: Mapping[str, Sequence[Row]]) -> None:
    """Check that every match is between two teams of its own season, and on a night of that season. Raises `RowError`.

    Seeds, lineups and playoff rounds are checked too.
    """
    squads = {squad["id"]: squad for squad in parts["squads"]}
    nights = {night["id"]: night["season_id"] for night in parts["nights"]}
    for season in {squad["season_id"] for squad in squads.values()}:
        seeds = [
            squad["seed"] for squad in squads.values() if squad["season_id"] == season and (squad["seed"] or 0) > 0
        ]
        if len(set(seeds)) < len(seeds):
            raise RowError("squad.seed")
    for match in parts["fixtures"]:
        home, away = squads[match["home_id"]], squads[match["away_id"]]
        if home is away or {home["season_id"], away["season_id"]} != {match["season_id"]}:
            raise RowError("fixture.home_id")
        if match["night_id"] is not None and nights[match["night_id"]] != match["season_id"]:
            raise RowError("fixture.night_id")
        gone = match.get("forfeit")
        if gone not in (None, 0, 1, BOTH) or (gone is not None and match["night_id"] is None):
            raise RowError("fixture.forfeit")
        if match["stage"] and (match["stage"] < 0 or None in (home["seed"], away["seed"])):
            raise RowError("fixture.stage")
        if match["stage"] and gone == BOTH:
            raise RowError("fixture.forfeit")
    if any(line["side"] not in (0, 1) for line in parts["lineups"]):
        raise RowError("lineup.side")


def _check_end(table: Row, people: int) -> None:
    """Check that a finished table has points and sets (failed bids) for each side, and an unfinished table has neither.

    `people` is the number of seats at the table. Raises `RowError`.
    """
    if not people:
        raise RowError("league_table.id")
    if table["kind"] not in KINDS or people % seating_of(people, table["kind"]).sides:
        raise RowError("league_table.kind")
    sides = len(people_by_side(tuple(range(people)), table["kind"]))
    for key in ("points", "sets"):
        _numbers(table[key], key)
        if len(table[key] or ()) != (0 if table["hands"] is None else sides):
            raise RowError(f"league_table.{key}")
    _numbers(table.get("paper_sets"), "paper_sets")
    if table.get("paper_sets") is not None and len(table["paper_sets"]) != sides:
        raise RowError("league_table.paper_sets")
    if table["winner"] is not None and table["winner"] not in range(sides):
        raise RowError("league_table.winner")
    if table.get("forfeit") is not None and (sides != 2 or table["forfeit"] not in range(sides)):
        raise RowError("league_table.forfeit")


def _check_said(table: Row, people: int) -> None:
    """Check that the confirmations and the dispute of a table refer to sides and seats that exist.

    `people` is the number of seats at the table. Raises `RowError`.
    """
    for seat in (table.get("confirmed_by") or {}).values():
        if seat not in range(people):
            raise RowError("league_table.confirmed_by")
    told = table.get("dispute")
    if told is None:
        return
    sides = len(people_by_side(tuple(range(people)), table["kind"]))
    _numbers(told["points"], "dispute")
    _numbers(told.get("sets"), "dispute")
    if len(told.get("sets") or range(sides)) != sides:
        raise RowError("league_table.dispute")
    if told.get("ended_by") not in (None, *ENDED_BY) or told.get("winner") not in (None, *range(sides)):
        raise RowError("league_table.dispute")
    if told["side"] not in (None, *range(sides)) or type(told["device"]) is not str:
        raise RowError("league_table.dispute")
    if told["points"] is not None and len(told["points"]) != sides:
        raise RowError("league_table.dispute")


def _numbers(told: Any, what: str) -> None:
    if told is not None and not (isinstance(told, list) and all(type(number) is int for number in told)):
        raise RowError(f"league_table.{what}")


STYLES = ("full", "short", "initials")
"""Ways to show people's names on public pages. These are the keys of `publishing.names.STYLES`."""
SLUG = re.compile(r"[a-z0-9-]{3,40}")
"""Pattern of a slug, the name of a league in the addresses of its public pages.

`publishing` defines styles and slugs. This package must not import `publishing`, so they are repeated here.
"""


def check_club(parts: Mapping[str, Sequence[Row]]) -> None:
    """Check a league's club, which is the row with the settings of its public pages.

    Raises `RowError` if an archive has more than one club, or if the way in which the club shows people's names is
    invalid. Also raises `RowError` if the archive's list of club addresses lacks the current address of the club, or
    if an address in the list is invalid.
    """
    slugs = [row["slug"] for row in parts["club_addresses"]]
    if not all(SLUG.fullmatch(slug) for slug in slugs):
        raise RowError("league_club_address")
    for row in parts["club"]:
        if row["names"] not in STYLES or row["slug"] not in slugs or len(parts["club"]) > 1:
            raise RowError("league_club")


def with_free_address(session: Session, parts: Mapping[str, Sequence[Row]]) -> Mapping[str, Sequence[Row]]:
    """Return the parts of an archive without those addresses of public pages that are taken on this server.

    If the current address of the league's public pages is taken, their settings (the club) are left out too. The owner
    can later make the league public again under another address.
    """
    slugs = [row["slug"] for row in parts["club_addresses"]]
    taken = set(session.scalars(select(ClubAddressRow.slug).where(ClubAddressRow.slug.in_(slugs))))
    return {
        **parts,
        "club": [row for row in parts["club"] if row["slug"] not in taken],
        "club_addresses": [row for row in parts["club_addresses"] if row["slug"] not in taken],
    }
