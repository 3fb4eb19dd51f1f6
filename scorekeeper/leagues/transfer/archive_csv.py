"""Export the people and results of a league as CSV. No cell can act as a formula."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.web.csv_cells import csv_file

Parts = Mapping[str, Sequence[Mapping[str, Any]]]


def players_csv(parts: Parts) -> bytes:
    """Return the people of a league as CSV, one per line.

    For a merged person, the column "same as" has the name of the person they were merged into.
    """
    names = {person["id"]: person["name"] for person in parts["people"]}
    return csv_file(
        ["name", "nickname", "guest", "active", "same as"],
        (
            [
                person["name"],
                person["nickname"],
                "yes" if person["guest"] else "no",
                "yes" if person["active"] else "no",
                names.get(person["merged_into"], ""),
            ]
            for person in parts["people"]
        ),
    )


def results_csv(parts: Parts) -> bytes:
    """Return the results at all tables as CSV, one table per line. The import of past results can read this file.

    Only closed nights are included.
    """
    names = {person["id"]: person["name"] for person in parts["people"]}
    seasons = {season["id"]: season["name"] for season in parts["seasons"]}
    nights = {night["id"]: night for night in parts["nights"]}
    seats: defaultdict[int, list[str]] = defaultdict(list)
    subs: defaultdict[int, list[str]] = defaultdict(list)
    for seat in sorted(parts["seats"], key=lambda row: (row["table_id"], row["seat"])):
        seats[seat["table_id"]].append(names[seat["person_id"]])
        subs[seat["table_id"]].append(names.get(seat["sub_for"], ""))
    told = [table for table in parts["tables"] if table["points"] is not None]
    told.sort(key=lambda row: (nights[row["night_id"]]["season_id"], row["night_id"], row["round"], row["number"]))
    widest = max((len(seats[table["id"]]) for table in told), default=4)
    sides = max((len(table["points"]) for table in told), default=2)
    head = ["season", "night", "date", "round", "table"]
    head += [f"player {number}" for number in range(1, widest + 1)]
    head += [f"points {number}" for number in range(1, sides + 1)]
    head += [f"plays for {number}" for number in range(1, widest + 1)]
    return csv_file(
        head,
        (
            [
                seasons[nights[table["night_id"]]["season_id"]],
                nights[table["night_id"]]["number"],
                nights[table["night_id"]]["day"],
                table["round"],
                table["number"],
                *_filled(seats[table["id"]], widest),
                *_filled(table["points"], sides),
                *_filled(subs[table["id"]], widest),
            ]
            for table in told
        ),
    )


def _filled(cells: Sequence[Any], width: int) -> list[Any]:
    return [*cells, *[""] * (width - len(cells))]
