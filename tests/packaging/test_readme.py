"""The README and OPERATING.md are right about settings and commands, and no link between documents is broken."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from scorekeeper import __version__
from scorekeeper.cli.serve import serve
from scorekeeper.variables import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
OPERATING = (ROOT / "scorekeeper" / "server" / "OPERATING.md").read_text()
LONGEST = 150
"""Most lines of the README."""

if not (ROOT / "pyproject.toml").is_file():
    pytest.skip("not a checkout", allow_module_level=True)


def rows(heading: str) -> list[list[str]]:
    """Return the cells of each row of the table in OPERATING.md whose first column is called `heading`."""
    table = OPERATING.split(f"| {heading} |")[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_every_variable_is_in_the_table() -> None:
    expected = [[f"`{setting.name}`", setting.default, setting.meaning] for setting in SETTINGS]
    wanted = "\n".join(f"| {' | '.join(cells)} |" for cells in expected)
    assert rows("Variable of the environment") == expected, f"the table must be:\n{wanted}"


def test_every_variable_that_is_read_is_documented() -> None:
    read = set(re.findall(r'environ(?:\.get\(|\[)"([A-Z_]+)"', (ROOT / "scorekeeper" / "config.py").read_text()))
    assert read - {"LOCALAPPDATA", "XDG_DATA_HOME"} == {setting.name for setting in SETTINGS}


def test_every_option_is_in_the_table_with_its_default() -> None:
    documented = {row[0].strip("`").split()[0]: row[1].strip("`") for row in rows("Option of `scorekeeper`")}
    options = [option for option in serve.params if isinstance(option, click.Option)]
    assert set(documented) == {option.opts[0] for option in options}
    for option in options:
        if isinstance(option.type, click.IntRange):
            assert documented[option.opts[0]] == str(option.default)


def test_the_readme_has_each_command_once() -> None:
    """The README has one command that runs the tests and one that starts the server.

    `.ci/run` reads the command for the tests from the README.
    """
    assert len(re.findall(r"^python3 -m venv .*pytest$", README, re.MULTILINE)) == 1
    assert len(re.findall(r"^python3 -m venv .*scorekeeper$", README, re.MULTILINE)) == 1


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= LONGEST


def test_links_between_documents_lead_somewhere() -> None:
    documents = [ROOT / "README.md", *(ROOT / ".github").glob("*.md"), *(ROOT / "scorekeeper").rglob("*.md")]
    assert len(documents) > 8
    for document in documents:
        text = document.read_text()
        headings = {
            re.sub(r"[^\w -]", "", line.lstrip("# ")).lower().replace(" ", "-")
            for line in text.splitlines()
            if "#" in line
        }
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if target.startswith("#"):
                assert target[1:] in headings, f"{document.name}: {target}"
            elif not target.startswith("https://"):
                assert (document.parent / target.split("#")[0]).exists(), f"{document.name}: {target}"


def test_the_changelog_has_this_version() -> None:
    assert re.search(
        rf"^## \[{re.escape(__version__)}\] - 20\d\d-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
