"""Programs that read tables find the same cells and the same types in every file of the sample league.

The versions are DuckDB 2.0.1, pandas 3.1.1 and polars 2.1.0 (with fastexcel 0.21.0), which .ci/full installs, and
Debian's LibreOffice, once in each of four languages.
"""

from __future__ import annotations

import csv
import io
import subprocess
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from openpyxl import load_workbook
from sqlalchemy import select

from scorekeeper.leagues.core.models import NightRow, SeasonRow
from scorekeeper.leagues.transfer.archive import bring_in
from scorekeeper.leagues.transfer.demo import SEASONS, demo_archive
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.slow

Cell = float | date | str | None
LANGUAGES = {"en": 1033, "de": 1031, "es": 3082, "fr": 1036}
"""LibreOffice's number of each language."""
POINT_IS_NO_DECIMAL = ("de", "es", "fr")
"""Languages in which LibreOffice takes 22.67 in a CSV file for text. Their readers need the workbook."""


def typed(cell: str) -> Cell:
    """Return what a cell of one of our CSV files means."""
    if not cell:
        return None
    with suppress(ValueError):
        return float(cell)
    with suppress(ValueError):
        return date.fromisoformat(cell)
    return cell


def plain(cell: object) -> Cell:
    """Return a cell as a reader gave it: empty cells as None, times at midnight as dates, numbers as floats."""
    if cell is None or cell == "" or cell != cell:  # NaN and NaT
        return None
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date | str):
        return cell
    return float(cell)  # type: ignore[arg-type]


@pytest.fixture
def files(app: Flask, client: Phone, tmp_path: Path) -> list[Path]:
    """All tables of the sample league, as a browser downloads them."""
    with app.app_context():
        bring_in(
            demo_archive(datetime(2026, 11, 17, 20, 30, tzinfo=UTC), seasons=(structs.replace(SEASONS[-1], nights=3),))
        )
        season = db.session().scalars(select(SeasonRow.public_id)).one()
        nights = db.session().scalars(select(NightRow.public_id).where(NightRow.closed_at.is_not(None))).all()
    paths = [f"/seasons/{season}/{who}" for who in ("partners.csv", "people.csv", "people.xlsx", "people/nights.csv")]
    for night in nights:
        paths += [f"/nights/{night}/results.xlsx"]
        paths += [f"/nights/{night}/results/{part}.csv" for part in ("people", "honors")]
    made = []
    for path in paths:
        response = client.get(path)
        if response.status_code == 404:
            continue
        made.append(tmp_path / path[1:].replace("/", "-"))
        made[-1].write_bytes(response.data)
    assert len(made) > 6
    return made


def rows_of(file: Path) -> dict[str, list[list[Cell]]]:
    """Return the rows of each sheet, without headings, as our own reader sees them; a CSV file is one sheet."""
    if file.suffix == ".csv":
        rows = csv.reader(io.StringIO(file.read_text("utf-8-sig")))
        return {"": [[typed(cell) for cell in row] for row in [*rows][1:]]}
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
            frame = pandas.read_csv(file, parse_dates=["Date"] if ",Date," in file.read_text("utf-8") else False)
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
                if kind == ".csv" and language in POINT_IS_NO_DECIMAL:
                    found = [
                        [typed(cell) if isinstance(cell, str) and "." in cell else cell for cell in row]
                        for row in found
                    ]
                assert found == expected, (file.name, name)
                cells += sum(map(len, expected))
    assert cells > 1_000
