"""Check our table of the OWASP ASVS requirements: no requirement is missing, and the tests and files it names exist."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TABLE = HERE / "asvs.md"
VERDICTS = ("met", "not applicable", "not met")

REQUIREMENTS = {"1": 70, "2": 183}
"""Number of requirements in version 5.0.0, by level."""

ROW = re.compile(r"\| (\d+\.\d+\.\d+) \| ([123]) \| (.+?) \| ([a-z ]+) \| (.+) \|")
NAMED = re.compile(r"`((?:tests|scorekeeper|static|templates|\.ci)/[^\s`]+|uv\.lock|pyproject\.toml)`")
SECTION = re.compile(r"\*([^*]+)\* below")


class Row(NamedTuple):
    """A requirement in the table: its text, whether the app meets it, and why."""

    id: str
    level: str
    asks: str
    verdict: str
    why: str


def rows() -> list[Row]:
    """Return the rows of the table."""
    return [Row(*found.groups()) for line in TABLE.read_text().splitlines() if (found := ROW.fullmatch(line))]


def words_of(why: str) -> str:
    """Return the explanation `why` of a row of the table, without the names of tests and files."""
    return NAMED.sub("", why).strip(" ,.:;")


def test_every_requirement_of_the_first_two_levels_is_there_once() -> None:
    """The table lists each requirement of the first two ASVS levels exactly once, in the order of the standard."""
    ids = [tuple(map(int, row.id.split("."))) for row in rows()]
    assert ids == sorted(set(ids))
    assert Counter(row.level for row in rows()) == REQUIREMENTS


def test_what_is_said_of_a_requirement_can_be_looked_up() -> None:
    """If the table says that a requirement is met, the row names a test, file or section that exists.

    For any other requirement, the row gives a reason.
    """
    faults = {row.id: fault for row in rows() if (fault := fault_of(row))}
    assert faults == {}


def fault_of(row: Row) -> str:
    """Return what is wrong with a row of the table, or "" if nothing is wrong."""
    names, sections = NAMED.findall(row.why), SECTION.findall(row.why)
    gone = [name for name in names if not exists(name)]
    gone += [section for section in sections if f"\n## {section}\n" not in TABLE.read_text()]
    if gone:
        return f"there is no {gone}"
    if row.verdict == "met":
        return "" if names or sections else "nothing shows it"
    if row.verdict == "not applicable":
        return "" if len(words_of(row.why)) >= len("No WebRTC") else "no reason"
    missing = re.search(r"Missing: .{20,}|differs in .{20,}", row.why)
    return "" if row.verdict == "not met" and missing else "it is not said what is missing, and why"


def test_the_sections_name_what_exists() -> None:
    for name in NAMED.findall(TABLE.read_text().partition("# What the standard wants written down")[2]):
        assert exists(name), name


def test_the_sums_are_right() -> None:
    """The table and SECURITY.md state the right numbers of requirements that are met, don't apply, or aren't met."""
    found = Counter(row.verdict for row in rows())
    met, apart, missing = (found[verdict] for verdict in VERDICTS)
    print(f"ASVS 5.0 levels 1 and 2: {met} met, {apart} not applicable, {missing} not met")
    told = f"{met} are met, {apart} do not apply, {missing} are not met"
    for file in (TABLE, ROOT / ".github" / "SECURITY.md"):
        assert told in " ".join(file.read_text().split()), f"{file.name} does not say: {told}"


def exists(name: str) -> bool:
    """Return whether the file or folder `name` exists.

    If the name has a part after `::`, return whether the file also defines that part.
    """
    file, _, inside = name.partition("::")
    path = ROOT / file
    return path.exists() and (not inside or inside in names_in(path))


@cache
def names_in(path: Path) -> frozenset[str]:
    """Return the names of functions, classes, values and imports at the top level of a module."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.ImportFrom):
            found |= {each.asname or each.name for each in node.names}
    return frozenset(found)
