"""The arrows between the rooms go one way: the contracts of `pyproject.toml`."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import render_template_string
from sqlalchemy import text

from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from flask import Flask

ROOT = Path(__file__).resolve().parent.parent


CONTRACTS = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"


def test_contracts_are_kept() -> None:
    """Asked in a process of its own: import-linter turns off every log that is there."""
    answer = subprocess.run(
        [sys.executable, "-c", CONTRACTS], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "0 broken" in answer.stdout


def test_every_use_case_is_done_again_where_another_write_was_first() -> None:
    """On PostgreSQL two writes can meet: whatever opens a transaction to write is `@use_case`, or part of one."""
    writers, bare = 0, []
    for path in (ROOT / "scorekeeper").rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and any(map(_opens_a_transaction, ast.walk(function))):
                writers += 1
                if not {"use_case", "contextlib.contextmanager"} & set(map(ast.unparse, function.decorator_list)):
                    bare.append(f"{path.name}: {function.name}")
    assert writers > 10
    assert bare == []


def _opens_a_transaction(node: ast.AST) -> bool:
    """`writing()`, or a context manager of ours that holds it and is no use case by itself."""
    return isinstance(node, ast.With) and any(
        ast.unparse(item.context_expr).startswith(("writing()", "at_desk(")) for item in node.items
    )


def test_the_map_names_every_package_in_the_order_of_the_contract() -> None:
    """ARCHITECTURE.md says who may import whom exactly as the contracts of pyproject.toml check it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    by_container = {tuple(each["containers"]): each["layers"] for each in contracts if each["type"] == "layers"}
    drawn = (ROOT / "scorekeeper" / "ARCHITECTURE.md").read_text()
    table = re.findall(r"^\| `(\w+)` \|", drawn, re.MULTILINE)
    assert table == by_container["scorekeeper",]
    lines = {line.strip("`").replace(", ", " | ") for line in re.findall(r"^`\w+ > .*`$", drawn, re.MULTILINE)}
    assert lines == {" > ".join(by_container[f"scorekeeper.{name}",]) for name in ("games", "leagues")}


def test_the_map_and_the_recipes_name_only_what_is_there() -> None:
    for place in ("scorekeeper/ARCHITECTURE.md", "scorekeeper/RECIPES.md", "tests/README.md"):
        known = {
            path.name
            for folder in ("scorekeeper", "static", "templates", "tests")
            for path in (ROOT / folder).rglob("*")
        }
        named = {
            name.rpartition("/")[2]
            for name in re.findall(r"[\w./]+\.(?:py|js|html|txt|md)\b", (ROOT / place).read_text())
        }
        assert named, place
        assert named - known - {"CHANGELOG.md"} == set(), place


def test_no_two_classes_share_a_name() -> None:
    named: dict[str, list[str]] = {}
    for path in (ROOT / "scorekeeper").rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                named.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert len(named) > 200
    assert {name: where for name, where in named.items() if len(where) > 1} == {}


def test_a_template_that_asks_the_database_fails_its_test(app: Flask) -> None:
    """The guard of `conftest.app` is awake: what a page shows comes with its page model."""
    app.add_template_global(lambda: db.session.execute(text("SELECT 1")).scalar(), "ask")
    with app.test_request_context("/"), pytest.raises(AssertionError, match="queried the database"):
        render_template_string("{{ ask() }}")


def test_only_forms_read_what_was_sent() -> None:
    """In the packages that have form classes for everything; each package that follows is named here."""
    for package in ("accounts", "web", "games", "leagues/members", "leagues/people"):
        for path in (ROOT / "scorekeeper" / package).rglob("*.py"):
            of_forms = "forms" in path.parts or path.name == "forms.py"
            if not of_forms and path.name != "start.py":
                assert "request.form" not in path.read_text(), path
