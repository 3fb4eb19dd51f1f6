"""Export the people and results of a league as CSV. No cell can act as a formula.

Export a league as one file, and import it into another database.

The file is a ZIP archive. `league.json` has the league, its people, seasons, nights, tables, seats, byes, money and
log; `games.jsonl` has one game per line, with its event log. `bring_in` reads these two. For other programs there are
`records.jsonl` (game records), `players.csv` and `results.csv`. Hands and totals are not stored: the import replays
the event logs.
"""

import io
import json
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import and_, insert, select
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError
from sqlalchemy.orm import Session

from scorekeeper.config import OperatorError
from scorekeeper.db.database import use_case
from scorekeeper.games.store.game_export import NewerGameError, Ready, Whole, game_record, make_ready, put, wholes_of
from scorekeeper.leagues.audit.queries import signed_names
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.models import (
    HandRow,
    LeagueEventRow,
    LeagueRow,
    NightRow,
    SeasonRow,
    TableRow,
    TallyRow,
    scope_of,
)
from scorekeeper.leagues.core.unit_of_work import SIGNED
from scorekeeper.leagues.nights.closing import hand_rows
from scorekeeper.leagues.standings.closed_nights import sum_up
from scorekeeper.leagues.transfer.archive_rows import PARTS, Row, RowError, read_league, write_league
from scorekeeper.leagues.transfer.archive_validation import check_club, check_parts, with_free_address
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.csv_cells import csv_file
from scorekeeper.web.extensions import writing

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


FORMAT = "scorekeeper-league/2"
LEAGUE, GAMES, RECORDS, PLAYERS, RESULTS = (
    "league.json",
    "games.jsonl",
    "records.jsonl",
    "players.csv",
    "results.csv",
)
MOST_BYTES = 1_000_000_000
"""Maximum number of unpacked bytes of `league.json` and `games.jsonl` together.

A full season with twenty tables has about 30 million.
"""

NEWER = "This file was made by a newer version of Scorekeeper. Update this one and try again."
DAMAGED = "This file is damaged: it doesn't hold a complete league. Nothing was imported."

_HANDS = insert(HandRow.__table__)  # type: ignore[arg-type]


class ArchiveError(OperatorError):
    """The archive cannot be imported. The message is for the operator."""


class Archive(Struct, frozen=True):
    """A league as plain data.

    `head` is the league's own database row. `parts` has all other database rows of the league, by the keys of `PARTS`.
    `games` has the league's games by number, counted from 1.
    """

    head: Row
    parts: Mapping[str, Sequence[Row]]
    games: Mapping[int, Whole]


def read_archive(session: Session, league: str) -> Archive:
    """Return the whole league with this public id as an archive. Raises `NoSuchLeagueError`."""
    row = league_at(session, league)
    games = session.scalars(
        select(TableRow.game_id).where(TableRow.game_id.is_not(None), scope_of(row.id)["tables"]).order_by(TableRow.id)
    )
    wholes = list(wholes_of(session, [game for game in games if game is not None]))
    numbers = {game: number for number, (game, _whole) in enumerate(wholes, start=1)}
    head, parts, people = read_league(session, row.id, numbers)
    # The accounts stay behind, so the log takes the names along.
    log = session.scalars(select(LeagueEventRow).where(scope_of(row.id)["log"]).order_by(LeagueEventRow.id)).all()
    names = signed_names(session, row, log)
    for number, line in enumerate(log, start=1):
        if line.id in names:
            text = {"event_id": number, "person_id": None, "key": SIGNED, "text": names[line.id]}
            parts["texts"].append({"id": len(parts["texts"]) + 1, **text})
    return Archive(head, parts, {numbers[game]: of_people(whole, people) for game, whole in wholes})


def pack(archive: Archive) -> bytes:
    """Return an archive as the bytes of a ZIP file. The same league always gives the same bytes."""
    told = {"format": FORMAT, "league": archive.head, **archive.parts}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in (
            (LEAGUE, json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)),
            (GAMES, _lines({"number": number, **whole.to_json()} for number, whole in archive.games.items())),
            (RECORDS, _lines(_record(whole) for whole in archive.games.values())),
            (PLAYERS, players_csv(archive.parts)),
            (RESULTS, results_csv(archive.parts)),
        ):
            # A fixed date, so that the same league gives the same bytes.
            packed.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def unpack(data: bytes) -> Archive:
    """Parse the bytes of a league's ZIP file. Raises `ArchiveError` if they can't be parsed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(packed.getinfo(name).file_size for name in (LEAGUE, GAMES)) > MOST_BYTES:
                raise ArchiveError("This file is too large to be a league. Nothing was imported.")
            told = json.loads(packed.read(LEAGUE))
            _check_format(told.get("format"))
            games = [json.loads(line) for line in packed.read(GAMES).splitlines()]
        return Archive(
            told["league"],
            {name: told[name] for name in PARTS},
            {game["number"]: Whole.from_json(game) for game in games},
        )
    except NewerGameError:
        raise ArchiveError(NEWER) from None
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, OSError, zlib.error):
        raise ArchiveError("This file is damaged or isn't a league file. Nothing was imported.") from None
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, RuleViolation) as error:
        raise ArchiveError(DAMAGED) from error


def bring_in(archive: Archive) -> str:
    """Import a whole league, and return its public id. After an error, nothing is imported.

    Raises `ArchiveError` if the league or one of its games is already on this server, or if the data is inconsistent.
    """
    try:
        games = {number: make_ready(whole) for number, whole in archive.games.items()}
        check_parts(archive.parts)
        check_club(archive.parts)
        # Only a league that can be exported again is imported.
        pack(archive)
        hands = [
            hand
            for row in archive.parts["tables"]
            if row["hands"] is not None and row["game_id"] is not None
            for hand in _hands(row["id"], games[row["game_id"]].game)
        ]
        league = _bring_in(archive, games, hands)
    except IntegrityError:
        raise ArchiveError(
            "Part of this league is already here, or the file is damaged. Nothing was imported."
        ) from None
    except (
        *(RowError, LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError, RuleViolation),
        *(DataError, ProgrammingError),  # values that do not fit a column
    ) as error:
        raise ArchiveError(DAMAGED) from error
    _sum_up(league)
    return str(archive.head["public_id"])


@use_case
def _bring_in(archive: Archive, games: Mapping[int, Ready], hands: Sequence[Mapping[str, Any]]) -> int:
    """Save a league with its games and hands, and return its id.

    All data must be prepared beforehand, because in SQLite nobody else can write until this transaction ends.
    """
    with writing() as session:
        public_id = archive.head["public_id"]
        known = session.scalars(select(LeagueRow.name).where(LeagueRow.public_id == public_id)).first()
        if known is not None:
            raise ArchiveError(f"The league “{known}” is already here. Nothing was changed.")

        def seated(people: Mapping[int, int]) -> dict[int, int]:
            ready = [structs.replace(each, whole=of_people(each.whole, people)) for each in games.values()]
            return dict(zip(games, put(session, ready), strict=True))

        parts = with_free_address(session, archive.parts)
        league, tables = write_league(session, archive.head, parts, seated)
        if hands:
            session.execute(_HANDS, [{**hand, "table_id": tables[hand["table_id"]]} for hand in hands])
        return league


@use_case
def _sum_up(league: int) -> None:
    """Add up the results of each closed night of a league, and store the sums unless they are already stored.

    The standings can then be calculated without reading each table. `league` is the row id of the league. Maintenance
    mode doesn't stop it, because the league would be left half imported.
    """
    with writing(in_maintenance=True) as session:
        seasons = select(SeasonRow.id).where(SeasonRow.league_id == league)
        kept = select(TallyRow.night_id)
        which = and_(NightRow.season_id.in_(seasons), NightRow.closed_at.is_not(None), NightRow.id.not_in(kept))
        sum_up(session, which)


def _hands(table: int, game: Game) -> list[dict[str, Any]]:
    """Return the column values of a `HandRow` for each hand of a game.

    `table` becomes the table id of each hand. Return [] if only the final score was entered.
    """
    return [] if game.final is not None else list(hand_rows(table, game))


def of_people(whole: Whole, people: Mapping[int, int]) -> Whole:
    """Return a copy of a game in which the id or number of each person is translated by `people`.

    For an export, `people` maps the ids of people to their numbers in the archive. For an import, it maps the numbers
    to ids. A game that an older version let someone delete is restored, because its table counts.
    """
    return replace(
        whole, deleted_at=None, people=tuple(None if person is None else people[person] for person in whole.people)
    )


def _check_format(told: object) -> None:
    if told == FORMAT:
        return
    (name, _slash, version), (ours, _slash, now) = str(told).partition("/"), FORMAT.partition("/")
    if name == ours and version.isdigit() and int(version) > int(now):
        raise ArchiveError(NEWER)
    raise ArchiveError("This isn't a league file. Nothing was imported.")


def _record(whole: Whole) -> dict[str, object]:
    game = whole.replayed()
    return game_record(game, tuple(whole.names[player] for player in game.players), whole.times)


def _lines(objects: Any) -> str:
    return "".join(json.dumps(each, ensure_ascii=False, sort_keys=True) + "\n" for each in objects)
