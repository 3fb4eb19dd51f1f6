"""The app follows the rules of its architecture, and the check of each rule finds code that breaks the rule."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import render_template_string
from sqlalchemy import create_engine, text

from scorekeeper.web.extensions import db
from tests.support import architecture

if TYPE_CHECKING:
    from flask import Flask

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "scorekeeper"
NOT_YET: frozenset[str] = frozenset()
"""Packages and modules that still read forms without a form class; nothing may be added."""


def test_contracts_are_kept() -> None:
    assert architecture.broken_contracts(ROOT) == ""


def test_only_forms_read_what_was_sent() -> None:
    """Only modules of forms read input from the browser, except for the packages in `NOT_YET`."""
    assert architecture.read_requests(SOURCE, except_in=NOT_YET) == []


def test_only_services_write() -> None:
    assert architecture.written_by_readers(SOURCE) == []


def test_every_use_case_is_done_again_where_another_write_was_first() -> None:
    """Each function that opens a write transaction has the decorator `@use_case`.

    The decorator calls the function again after a conflict of two writes, which can happen on PostgreSQL. A function
    that is called only by a use case doesn't need the decorator.
    """
    assert architecture.bare_transactions(SOURCE) == []


def test_no_error_is_made_once_for_all() -> None:
    assert architecture.shared_errors(SOURCE) == []


VIEW = "from flask import request\n\n\ndef show() -> str:\n    return request.{}['name']\n"
WRITE = "from scorekeeper.web.extensions import {}\n\n\ndef save(row: object) -> None:\n    {}\n"


@pytest.mark.parametrize("where", ["games/views/play.py", "leagues/people/views.py", "accounts/service.py"])
@pytest.mark.parametrize("what", ["form", "values", "files"])
def test_a_view_that_reads_the_request_is_found(tmp_path: Path, where: str, what: str) -> None:
    (fault,) = architecture.read_requests(with_module(tmp_path, where, VIEW.format(what)))
    assert fault.startswith(f"{where}:5: reads request.{what}. Give the page a form class")


def test_a_form_class_may_read_the_request(tmp_path: Path) -> None:
    for where in ("web/forms.py", "games/forms/hand.py"):
        assert architecture.read_requests(with_module(tmp_path, where, VIEW.format("form"))) == []


@pytest.mark.parametrize(
    ("where", "source", "fault"),
    [
        ("games/views/play.py", WRITE.format("db", "db.session.add(row)"), "calls db.session.add()"),
        ("games/presenters/board.py", WRITE.format("db", "db.session().delete(row)"), "calls db.session().delete()"),
        ("leagues/people/queries.py", WRITE.format("writing", "..."), "imports writing"),
        ("leagues/seasons/league_views.py", "from sqlalchemy import select, update", "imports update"),
        ("games/services/scoring.py", WRITE.format("writing", "session.add(row)"), None),
        ("leagues/people/queries.py", "from scorekeeper.db.database import use_case", "imports use_case"),
    ],
)
def test_a_write_outside_a_service_is_found(tmp_path: Path, where: str, source: str, fault: str | None) -> None:
    """A module in a layer that may only read is reported if its imports or calls show that it writes.

    Other ways to write are found only when the app runs, by `refuse_stray_writes`.
    """
    found = architecture.written_by_readers(with_module(tmp_path, where, source))
    assert [fault] * bool(fault) == [each.partition(": ")[2].partition(". ")[0] for each in found]


def test_a_use_case_that_is_not_done_again_is_found(tmp_path: Path) -> None:
    source = "def save() -> None:\n    with writing() as session:\n        session.add(1)\n"
    (fault,) = architecture.bare_transactions(with_module(tmp_path, "games/services/sharing.py", source))
    assert "Put `@use_case`" in fault
    done = with_module(tmp_path, "games/services/sharing.py", f"@use_case\n{source}")
    assert architecture.bare_transactions(done) == []


def test_an_error_that_is_made_once_for_all_is_found(tmp_path: Path) -> None:
    source = "OFF = RuleViolation('off', 'It is off.')\n"
    (fault,) = architecture.shared_errors(with_module(tmp_path, "games/services/sharing.py", source))
    assert "makes an error once" in fault


BROKEN = [
    (
        "games/store/models.py",
        "import scorekeeper.games.views.play",
        "scorekeeper.games.store is not allowed to import scorekeeper.games.views",
    ),
    (
        "web/errors.py",
        "import scorekeeper.games.queries",
        "scorekeeper.web is not allowed to import scorekeeper.games",
    ),
    ("rules/scoring.py", "import flask", "scorekeeper.rules is not allowed to import flask"),
    ("games/services/scoring.py", "import flask", "scorekeeper.games.services is not allowed to import flask"),
    ("games/views/play.py", "import sqlalchemy", "scorekeeper.games.views is not allowed to import sqlalchemy"),
    ("calendar/__init__.py", "", "not listed as layers:\n\n- scorekeeper.calendar"),
    ("leagues/tenants/service.py", "", "not listed as layers:\n\n- scorekeeper.leagues.tenants"),
    ("games/helpers.py", "", "not listed as layers:\n\n- scorekeeper.games.helpers"),
]
"""Modules that break a contract, as (path, source, what the report says)."""


def test_an_import_that_goes_up_and_a_module_without_a_place_are_found(tmp_path: Path) -> None:
    """A module that imports from a higher layer, or that is in no layer, breaks a contract.

    The report about the broken contracts also mentions pyproject.toml and ARCHITECTURE.md. All other modules in this
    test are empty.
    """
    for file in SOURCE.rglob("*.py"):
        with_module(tmp_path, file.relative_to(SOURCE).as_posix(), "")
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"), "utf-8")
    assert architecture.broken_contracts(tmp_path) == ""
    for where, source, _says in BROKEN:
        with_module(tmp_path, where, source)
    broken = architecture.broken_contracts(tmp_path)
    for _where, _source, says in BROKEN:
        assert says in broken, says
    assert "in pyproject.toml and in ARCHITECTURE.md" in broken


def with_module(root: Path, path: str, source: str) -> Path:
    """Write a module at `path` in the package `scorekeeper` below `root`, and return the package's folder."""
    package = root / "scorekeeper"
    file = package / path
    file.parent.mkdir(parents=True, exist_ok=True)
    for folder in (file.parent, *file.parent.relative_to(root).parents):
        init = root / folder / "__init__.py"
        if root / folder != root and not init.exists():
            init.touch()
    file.write_text(source, "utf-8")
    return package


def test_a_unit_test_that_asks_the_database_fails() -> None:
    """If a test without the fixture `app` sends a query to a database, an error is raised by `conftest.no_database`."""
    with (
        pytest.raises(AssertionError, match="a unit test asked the database: SELECT 1"),
        create_engine("sqlite://").connect() as connection,
    ):
        connection.execute(text("SELECT 1"))


def test_the_map_names_every_package_in_the_order_of_the_contract() -> None:
    """ARCHITECTURE.md lists the packages and layers in the same order as the contracts in pyproject.toml."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    by_container = {tuple(each["containers"]): each["layers"] for each in contracts if each["type"] == "layers"}
    drawn = (ROOT / "scorekeeper" / "ARCHITECTURE.md").read_text()
    table = re.findall(r"^\| `(\w+)` \|", drawn, re.MULTILINE)
    assert table == by_container["scorekeeper",]
    lines = {line.strip("`").replace(", ", " | ") for line in re.findall(r"^`\w+ > .*`$", drawn, re.MULTILINE)}
    assert lines == {" > ".join(by_container[f"scorekeeper.{name}",]) for name in ("games", "leagues")}


def test_the_map_and_the_recipes_name_only_what_is_there() -> None:
    for place in (
        "scorekeeper/ARCHITECTURE.md",
        "scorekeeper/DECISIONS.md",
        "scorekeeper/RECIPES.md",
        "tests/README.md",
    ):
        known = {
            path.name
            for folder in ("scorekeeper", "static", "templates", "tests")
            for path in (ROOT / folder).rglob("*")
        }
        named = {
            name.rpartition("/")[2]
            for name in re.findall(r"[\w./-]+\.(?:py|js|html|txt|md)\b", (ROOT / place).read_text())
        }
        assert named, place
        assert named - known - {"CHANGELOG.md"} == set(), place


def test_no_two_classes_share_a_name() -> None:
    named: dict[str, list[str]] = {}
    for path in (ROOT / "scorekeeper").rglob("*.py"):
        for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE):
            named.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert len(named) > 200
    assert {name: where for name, where in named.items() if len(where) > 1} == {}


@pytest.mark.new_app
def test_a_template_that_asks_the_database_fails_its_test(app: Flask) -> None:
    """If a template sends a query to the database, the test fails because of `conftest.no_queries_from_templates`."""
    app.add_template_global(lambda: db.session.execute(text("SELECT 1")).scalar(), "ask")
    with app.test_request_context("/"), pytest.raises(AssertionError, match="queried the database"):
        render_template_string("{{ ask() }}")
