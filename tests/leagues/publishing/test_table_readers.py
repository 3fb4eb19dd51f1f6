"""Programs that read tables find the same cells and the same types in every file of the sample league.

The versions are DuckDB 2.0.1, pandas 3.1.1 and polars 2.1.0 (with fastexcel 0.21.0), which .ci/full installs, and
Debian's LibreOffice, once in each of four languages.
"""

from __future__ import annotations

import csv
import io
import subprocess
from contextlib import suppress
from datetime import UTC, date, datetime, time
from itertools import product
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from msgspec import structs
from openpyxl import load_workbook
from sqlalchemy import select

from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import NightRow, PersonRow, SeasonRow
from scorekeeper.leagues.members.service import handover_path
from scorekeeper.leagues.money.service import settle_again
from scorekeeper.leagues.nights.service import open_night
from scorekeeper.leagues.transfer.archive import bring_in
from scorekeeper.leagues.transfer.demo import SEASONS, demo_archive
from scorekeeper.web.extensions import db
from tests.leagues.teams.team_season import TeamSeason

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.slow

Cell = float | date | str | None
ENDINGS = (".csv", ".xlsx", ".zip")
LANGUAGES = {"en": 1033, "de": 1031, "es": 3082, "fr": 1036}
"""LibreOffice's number of each language."""
POINT_IS_NO_DECIMAL = ("de", "es", "fr")
"""Languages in which LibreOffice takes 22.67 in a CSV file for text. Their readers need the workbook."""


def typed(cell: str) -> Cell:
    """Return what a cell of one of our CSV files means."""
    if not cell:
        return None
    for read in (float, date.fromisoformat, datetime.fromisoformat):
        with suppress(ValueError):
            return read(cell)
    return cell


def lines_of(file: Path) -> list[list[Cell]]:
    """Return what the lines of one of our CSV files mean, without headings. All cells of a column are of one kind."""
    head, *lines = csv.reader(io.StringIO(file.read_text("utf-8-sig"), newline=""))
    columns = [[typed(cell) for cell in column] for column in zip(*lines, strict=True)]
    for name, column in zip(head, columns, strict=bool(lines)):
        assert len({type(cell) for cell in column} - {type(None)}) <= 1, (file.name, name)
    return [list(line) for line in zip(*columns, strict=True)]


def plain(cell: object) -> Cell:
    """Return a cell as a reader gave it: empty cells as None, times at midnight as dates, numbers as floats."""
    if cell is None or cell == "" or cell != cell:  # NaN and NaT
        return None
    if isinstance(cell, bool):  # DuckDB
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        if cell.time() == time():
            return cell.date()
        return cell if cell.tzinfo is None else cell.astimezone(UTC)
    if isinstance(cell, date | str):
        return cell
    return float(cell)  # type: ignore[arg-type]


@pytest.fixture
def files(app: Flask, client: Phone, tmp_path: Path) -> list[Path]:
    """All tables that can be downloaded: of the sample league, of a season of teams, and in archives."""
    with app.app_context():
        teams = TeamSeason(app, client, "Ape", "Bee", "Cat", "Dog")
        teams.play(open_night(season=teams.season, day=date(2026, 9, 1), **teams.by), "A")
        seasons = tuple(structs.replace(season, nights=3) for season in SEASONS)
        league = bring_in(demo_archive(datetime(2026, 11, 17, 20, 30, tzinfo=UTC), seasons=seasons))
        settle_again(league=league)
        direct = handover_path(db.session(), league, str(app.secret_key))
        ids = {
            "league_id": [league],
            "season_id": db.session().scalars(select(SeasonRow.public_id)).all(),
            "night_id": db.session().scalars(select(NightRow.public_id).where(NightRow.closed_at.is_not(None))).all(),
            "game_id": db.session().scalars(select(GameRow.public_id).limit(3)).all(),
            "person_id": db.session().scalars(select(PersonRow.public_id).where(PersonRow.name == "Ann Mercer")).all(),
            "who": ["people", "partners"],
            "part": ["people", "partners", "matches", "forfeits", "honors"],
        }
    client.submit(client.see(direct), direct)
    made = []
    for rule in app.url_map.iter_rules():
        if not rule.rule.endswith(ENDINGS):
            continue
        found = []
        for chosen in product(*(ids[name] for name in sorted(rule.arguments))):
            values = dict(zip(sorted(rule.arguments), chosen, strict=True))
            path = app.url_map.bind("localhost").build(rule.endpoint, values)
            response = client.get(path)
            if response.status_code == 404:  # no such ranking, or a season without teams
                continue
            found += kept(tmp_path / path[1:].replace("/", "-"), response.data)
        assert found, rule.rule
        made += found
    assert len(made) > 50
    return made


def kept(file: Path, data: bytes) -> list[Path]:
    """Save a download, and return the files with rows: of an archive, the tables in it."""
    if file.suffix != ".zip":
        file.write_bytes(data)
        return [file]
    made = []
    with ZipFile(io.BytesIO(data)) as packed:
        for name in packed.namelist():
            if name.endswith(".csv") and packed.read(name).count(b"\n") > 1:
                made.append(file.with_name(f"{file.stem}-{name}"))
                made[-1].write_bytes(packed.read(name))
    return made


def rows_of(file: Path) -> dict[str, list[list[Cell]]]:
    """Return the rows of each sheet, without headings, as our own reader sees them; a CSV file is one sheet."""
    if file.suffix == ".csv":
        return {"": lines_of(file)}
    book = load_workbook(file)
    return {sheet.title: [[plain(cell) for cell in row] for row in [*sheet.values][1:]] for sheet in book.worksheets}


def same(file: Path, sheet: str, read: Iterable[Iterable[object]]) -> int:
    expected, found = rows_of(file)[sheet], [[plain(cell) for cell in row] for row in read]
    assert found == expected, (file.name, sheet)
    return sum(map(len, expected))


def test_duckdb(files: list[Path]) -> None:
    duckdb = pytest.importorskip("duckdb")
    cells = sum(same(file, "", duckdb.read_csv(str(file)).fetchall()) for file in files if file.suffix == ".csv")
    assert cells > 500


def test_pandas(files: list[Path]) -> None:
    pandas = pytest.importorskip("pandas")
    texts = {"Dropped nights": str}  # "1", or "1 4"
    cells = 0
    for file in files:
        if file.suffix == ".csv":
            columns = enumerate(zip(*rows_of(file)[""], strict=True))
            dates = [at for at, column in columns if any(isinstance(cell, date) for cell in column)]
            frame = pandas.read_csv(file, parse_dates=dates)
            cells += same(file, "", frame.values.tolist())
        else:
            for sheet, frame in pandas.read_excel(file, sheet_name=None, dtype=texts).items():
                cells += same(file, sheet, frame.values.tolist())
    assert cells > 1_000


def test_polars(files: list[Path]) -> None:
    polars = pytest.importorskip("polars")
    cells = 0
    for file in files:
        if file.suffix == ".csv":
            cells += same(file, "", polars.read_csv(file, try_parse_dates=True).rows())
        else:
            for sheet, frame in polars.read_excel(file, sheet_id=0).items():
                cells += same(file, sheet, frame.rows())
    assert cells > 1_000


def read_by_hand(cell: Cell, language: str) -> Cell:
    """Return the cell as a person reads it, if it is text in LibreOffice: 22.67, or a time that ends in Z or +00:00."""
    if isinstance(cell, str) and (language in POINT_IS_NO_DECIMAL or cell.endswith(("Z", "+00:00"))):
        return typed(cell)
    return cell


@pytest.mark.parametrize("language", LANGUAGES)
def test_libreoffice(files: list[Path], tmp_path: Path, language: str) -> None:
    """A CSV file is opened as its import dialog proposes: UTF-8, commas, the language of the user."""
    options = f"44,34,76,1,,{LANGUAGES[language]},false,false"
    cells = 0
    for kind, how in ((".csv", [f"--infilter=Text - txt - csv (StarCalc):{options}"]), (".xlsx", [])):
        chosen = [file for file in files if file.suffix == kind]
        out = tmp_path / kind[1:]
        command = ["soffice", "--headless", f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", *how]
        subprocess.run([*command, "--convert-to", "xlsx", "--outdir", out, *chosen], check=True, capture_output=True)
        for file in chosen:
            book = load_workbook(out / f"{file.stem}.xlsx")
            for sheet, (name, expected) in zip(book.worksheets, rows_of(file).items(), strict=True):
                found = [[plain(cell) for cell in row] for row in [*sheet.values][1:]]
                if kind == ".csv":
                    found = [[read_by_hand(cell, language) for cell in row] for row in found]
                assert found == expected, (file.name, name)
                cells += sum(map(len, expected))
    assert cells > 1_000
