"""The `scorekeeper` command: its help, its subcommands and errors, and the modules that it doesn't import."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from scorekeeper import __version__
from scorekeeper.cli.app import COMMANDS, main
from scorekeeper.ops.inspection import OTHER_VERSION
from scorekeeper.web.extensions import db
from tests.support.server import environment

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert f"main {name}" in result.output
    assert name in CliRunner().invoke(main, ["--help"]).output


def test_the_help_names_the_options_that_let_phones_in() -> None:
    told = " ".join(CliRunner().invoke(main, ["--help"]).output.split())
    assert all(option in told for option in ("--lan", "--port", "--tls", "scorekeeper serve --help"))


def test_without_a_command_options_are_those_of_serve() -> None:
    result = CliRunner().invoke(main, ["--port", "99999"])
    assert result.exit_code == 2
    assert "serve" in result.output
    assert "'--port'" in result.output


def test_an_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(main, ["deal"])
    assert result.exit_code == 2
    assert "No such command 'deal'" in result.output


def test_version() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"scorekeeper, version {__version__}\n"


def test_scoring_loads_neither_flask_nor_sqlalchemy() -> None:
    script = (
        "import sys, scorekeeper.cli.app as cli\n"
        "cli.main.get_command(None, 'score')\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'flask', 'sqlalchemy', 'jinja2', 'alembic'}))"
    )
    words = [sys.executable, "-c", script]
    ended = subprocess.run(words, env=environment(), check=True, capture_output=True, text=True, timeout=60)
    assert ended.stdout == "[]\n"


@pytest.mark.slow
def test_a_start_loads_only_what_every_page_needs() -> None:
    """A start loads nothing for spreadsheets, calendars, photos, chances, encrypted answers and migrations."""
    script = (
        "import sys, scorekeeper.cli.serve, scorekeeper.games.routes, scorekeeper.leagues.routes\n"
        "rare = {'openpyxl', 'icalendar', 'PIL', 'numpy', 'cryptography', 'alembic'}\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'flask', *rare}))"
    )
    words = [sys.executable, "-c", script]
    ended = subprocess.run(words, env=environment(), check=True, capture_output=True, text=True, timeout=120)
    assert ended.stdout == "['flask']\n"


@pytest.mark.slow
def test_the_migrations_make_what_the_models_say(tmp_path: Path) -> None:
    for word in ("upgrade", "check"):
        ended = subprocess.run(
            [sys.executable, "-m", "scorekeeper", "db", "--instance", str(tmp_path), word],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    with (tmp_path / "scorekeeper.db").open("rb") as file:
        assert file.read(15) == b"SQLite format 3"


@pytest.mark.slow
def test_a_difference_between_models_and_migrations_is_found(tmp_path: Path) -> None:
    script = (
        "import sys, sqlalchemy as sa\n"
        "from scorekeeper.db.database import Base\n"
        "sa.Table('forgotten', Base.metadata, sa.Column('id', sa.Integer, primary_key=True))\n"
        "from scorekeeper.cli.app import main\n"
        "main(sys.argv[1:])"
    )
    ended = [
        subprocess.run(
            [sys.executable, "-c", script, "db", "--instance", str(tmp_path), word],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        for word in ("upgrade", "check")
    ]
    assert [one.returncode for one in ended] == [0, 1]
    assert "forgotten" in ended[1].stderr


@pytest.mark.sqlite
def test_a_database_of_an_unknown_version_is_not_upgraded(app: Flask, tmp_path: Path) -> None:
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0031'"))
    refused = CliRunner().invoke(main, ["db", "--instance", str(tmp_path), "upgrade"])
    assert refused.exit_code == 1
    assert refused.output == f"Error: {OTHER_VERSION.format(place=tmp_path / 'scorekeeper.db')}\n"


def test_no_command_takes_a_migration_back() -> None:
    refused = CliRunner().invoke(main, ["db", "downgrade"])
    assert (refused.exit_code, "No such command 'downgrade'" in refused.output) == (2, True)
