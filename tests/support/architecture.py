"""What the program's source must keep to, looked for without running it: each function returns sentences of faults."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SENT = {"form", "values", "files"}
"""Attributes of a request that hold what was sent."""
READING = {"views", "queries", "presenters", "pages", "forms", "logic"}
"""Layers that only read: folders or modules of that name, and modules that end so, as `league_views`."""
WRITES = {"add", "add_all", "delete", "flush", "commit", "merge"}
"""Methods of a session that change the database."""
STATEMENTS = {"insert", "update", "delete"}
TRANSACTIONS = ("writing()", "at_desk(")
CONTRACTS = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"

Fault = tuple[ast.AST, str]


def read_requests(package: Path, except_in: frozenset[str] = frozenset()) -> list[str]:
    """Return where what was sent is read by other modules than forms, save in the packages and modules `except_in`."""
    return [
        fault
        for path, fault in _faults(package, _reads_of_requests)
        if "forms" not in _words(path) and not any(f"{path}/".startswith(f"{name}/") for name in except_in)
    ]


def _reads_of_requests(tree: ast.Module) -> Iterator[Fault]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SENT and ast.unparse(node.value) == "request":
            yield (
                node,
                f"reads request.{node.attr}. Give the page a form class in the `forms` module of its package "
                "(`web.forms.AppForm`) and let the view read its fields: RECIPES.md, “Add a page”.",
            )


def written_by_readers(package: Path) -> list[str]:
    """Return where a layer that only reads changes the database."""
    return [fault for path, fault in _faults(package, _writes) if READING & _words(path)]


def _writes(tree: ast.Module) -> Iterator[Fault]:
    advice = "Move the write to a service: one function, one transaction, `@use_case` and `writing()`."
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            taken = {each.name for each in node.names}
            known = {"writing", "use_case"} | (STATEMENTS if (node.module or "").startswith("sqlalchemy") else set())
            for name in sorted(taken & known):
                yield node, f"imports {name}. {advice}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
            owner = ast.unparse(node.func.value)
            if owner.removesuffix("()").endswith("session"):
                yield node, f"calls {owner}.{node.func.attr}(). {advice}"


def bare_transactions(package: Path) -> list[str]:
    """Return the functions that open a transaction to write and are neither a use case nor part of one."""
    return [fault for _path, fault in _faults(package, _not_done_again)]


def _not_done_again(tree: ast.Module) -> Iterator[Fault]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or not any(map(_opens_a_transaction, ast.walk(function))):
            continue
        if not {"use_case", "contextlib.contextmanager"} & set(map(ast.unparse, function.decorator_list)):
            yield (
                function,
                f"{function.name} opens a transaction and is not done again where another write was first, as happens "
                "on PostgreSQL. Put `@use_case` of `db.retry` over it.",
            )


def _opens_a_transaction(node: ast.AST) -> bool:
    """`writing()`, or a context manager of ours that holds it and is no use case by itself."""
    return isinstance(node, ast.With) and any(
        ast.unparse(item.context_expr).startswith(TRANSACTIONS) for item in node.items
    )


def broken_contracts(root: Path) -> str:
    """Return what import-linter says of the checkout `root`, and what to do; nothing where all contracts are kept.

    It is asked in a process of its own, for it turns off every log that is there.
    """
    answer = subprocess.run(
        [sys.executable, "-c", CONTRACTS], cwd=root, capture_output=True, text=True, timeout=120, check=False
    )
    if answer.returncode == 0 and "0 broken" in answer.stdout:
        return ""
    return (
        f"{answer.stdout}{answer.stderr}\n"
        "“Packages” in scorekeeper/ARCHITECTURE.md says who may import whom. An import that goes up: move what is "
        "needed down, or hand it over as an argument; a game asks a league through games/store/hooks.py. A new package "
        "or layer: give it a place in the layers of [tool.importlinter] in pyproject.toml and in ARCHITECTURE.md."
    )


def _faults(package: Path, find: Callable[[ast.Module], Iterator[Fault]]) -> Iterator[tuple[str, str]]:
    """Yield the path of each module from `package` on, and each fault in it with its place."""
    for file in sorted(package.rglob("*.py")):
        path = file.relative_to(package).as_posix()
        for node, fault in find(ast.parse(file.read_text("utf-8"))):
            yield path, f"{path}:{getattr(node, 'lineno', 1)}: {fault}"


def _words(path: str) -> set[str]:
    """Return the names of the folders of a module, its own, and the last word of its own."""
    *folders, module = path.removesuffix(".py").split("/")
    return {*folders, module, module.rpartition("_")[2]}
