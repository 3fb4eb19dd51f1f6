"""XLSX files that would take long to read, which are refused before their sheets are parsed."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from openpyxl import Workbook

from scorekeeper.leagues.transfer.spreadsheet import sheets_of, text_of
from scorekeeper.leagues.transfer.workbook import MOST_SHEETS, MOST_TAGS, MOST_UNPACKED
from scorekeeper.rules.phrase import RuleViolation

NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
BOOK, SHEET, TYPES = "xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"
LINKS, OTHER_BOOK, OTHER_LINKS = "xl/_rels/workbook.xml.rels", "xl/book.xml", "xl/_rels/book.xml.rels"
ONE_SHEET = re.compile(r"<sheet [^>]*/>")

Parts = dict[str, str]


def _parts(sheets: int = 1) -> Parts:
    book = Workbook()
    for _ in range(sheets - 1):
        book.create_sheet()
    for line in (("Name", "Nickname"), ("Ann Baker", "Ann")):
        book.worksheets[-1].append(line)
    file = io.BytesIO()
    book.save(file)
    with zipfile.ZipFile(file) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def _packed(parts: Parts) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return file.getvalue()


def _sheet(rows: str) -> Parts:
    return {SHEET: f'<worksheet xmlns="{NAMESPACE}"><sheetData>{rows}</sheetData></worksheet>'}


def _one_part_for_all(parts: Parts) -> Parts:
    return {BOOK: ONE_SHEET.sub(lambda one: one[0] * 2, parts[BOOK])}


def _elsewhere(parts: Parts) -> Parts:
    """Return the parts of an XLSX file with a hostile workbook at an unusual path.

    At the usual path, the file has a harmless workbook.
    """
    return {
        TYPES: parts[TYPES].replace(f"/{BOOK}", f"/{OTHER_BOOK}"),
        OTHER_BOOK: _one_part_for_all(parts)[BOOK],
        OTHER_LINKS: parts[LINKS],
    }


def _two_links_to_one_part(parts: Parts) -> Parts:
    links = re.sub(r"<Relationship [^>]*sheet1.xml[^>]*>", lambda one: one[0] + _renamed(one[0]), parts[LINKS])
    book = ONE_SHEET.sub(lambda one: one[0] + re.sub(r'id="\w+"', 'id="again"', one[0]), parts[BOOK])
    return {BOOK: book, LINKS: links}


def _renamed(link: str) -> str:
    return re.sub(r'Id="\w+"', 'Id="again"', link).replace('"/xl/worksheets', '"./worksheets')


HOSTILE: dict[str, tuple[Callable[[Parts], Parts], str]] = {
    "one part for all sheets": (_one_part_for_all, "sheet_large"),
    "the workbook elsewhere": (_elsewhere, "sheet_large"),
    "two links to one part": (_two_links_to_one_part, "sheet_large"),
    "rows without end": (lambda _parts: _sheet('<row r="1"/>' * (MOST_TAGS + 1)), "sheet_large"),
    "short tags": (lambda _parts: {"xl/any.bin": "<a>" * (MOST_TAGS + 1)}, "sheet_large"),
    "blanks": (lambda _parts: {"xl/any.bin": " " * (MOST_UNPACKED + 1)}, "sheet_large"),
    "entities": (lambda parts: {SHEET: f'<!DOCTYPE worksheet [<!ENTITY a "a">]>{parts[SHEET]}'}, "sheet_broken"),
}


@pytest.mark.parametrize(("change", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_workbook_is_refused(change: Callable[[Parts], Parts], code: str) -> None:
    parts = _parts()
    with pytest.raises(RuleViolation) as refused:
        text_of(_packed(parts | change(parts)))
    assert refused.value.code == code


def test_number_of_sheets_is_limited() -> None:
    assert text_of(_packed(_parts(MOST_SHEETS))).startswith("Name,Nickname")
    with pytest.raises(RuleViolation) as refused:
        text_of(_packed(_parts(MOST_SHEETS + 1)))
    assert refused.value.code == "sheet_large"


def test_number_of_typed_sheets_is_limited() -> None:
    """A text may look like that of a workbook, and each sheet would be read."""
    sheets = [f"sheet={number}\nname,x\nA,1\n" for number in range(MOST_SHEETS + 1)]
    assert len(sheets_of("".join(sheets[1:]))) == MOST_SHEETS
    with pytest.raises(RuleViolation) as refused:
        sheets_of("".join(sheets))
    assert refused.value.code == "sheet_large"
