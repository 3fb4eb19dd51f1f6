"""Check the source of the app against the rules of its architecture, without running the app.

Most functions return a list of sentences, one for each fault.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SENT = {"form", "values", "files"}
"""Attributes of Flask's `request` that contain input from the browser."""
READING = {"views", "queries", "presenters", "pages", "forms", "logic"}
"""Names of layers that may read the database but not change it.

A layer's name is the name of a folder or a module, or the last word of a module's name, as in `league_views`.
"""
WRITES = {"add", "add_all", "delete", "flush", "commit", "merge"}
"""Methods of a database session that change the database."""
STATEMENTS = {"insert", "update", "delete"}
REPEATED = ("use_case", "keyed_use_case")
"""Decorators that run a function as one transaction, and run it again after a conflict."""
TRANSACTIONS = ("writing()", "at_desk(")
WRITING = r"\bwriting\b|use_case\b|\b(?:insert|update|delete)\b|session"
"""Matches each source that `_writes` can find a fault in."""
CONTRACTS = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"

Fault = tuple[ast.AST, str]


def read_requests(package: Path, except_in: frozenset[str] = frozenset()) -> list[str]:
    """Return each place in `package` where a module that may not read input from the browser does so.

    Modules of forms may read such input, and so may the modules and packages in `except_in`, which are named by their
    paths relative to `package`.
    """
    return [
        fault
        for path, fault in _faults(package, _reads_of_requests, rf"\brequest\s*\.\s*(?:{'|'.join(SENT)})\b")
        if "forms" not in _words(path) and not any(f"{path}/".startswith(f"{name}/") for name in except_in)
    ]


def _reads_of_requests(tree: ast.Module) -> Iterator[Fault]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SENT and _is_request(node.value):
            yield (
                node,
                f"reads request.{node.attr}. Give the page a form class in the `forms` module of its package "
                "(`web.forms.AppForm`) and let the view read its fields: RECIPES.md, “Add a page”.",
            )


def _is_request(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "request"


def written_by_readers(package: Path) -> list[str]:
    """Return each place in `package` where a module changes the database although its layer may only read."""
    return [fault for path, fault in _faults(package, _writes, WRITING) if READING & _words(path)]


def _writes(tree: ast.Module) -> Iterator[Fault]:
    advice = "Move the write to a service: one function, one transaction, `@use_case` and `writing()`."
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            taken = {each.name for each in node.names}
            known = {"writing", *REPEATED} | (STATEMENTS if (node.module or "").startswith("sqlalchemy") else set())
            for name in sorted(taken & known):
                yield node, f"imports {name}. {advice}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
            owner = ast.unparse(node.func.value)
            if owner.removesuffix("()").endswith("session"):
                yield node, f"calls {owner}.{node.func.attr}(). {advice}"


def bare_transactions(package: Path) -> list[str]:
    """Return each function in `package` that opens a write transaction but isn't a use case or part of a use case.

    A use case has the decorator `@use_case`.
    """
    return [fault for _path, fault in _faults(package, _not_done_again, r"\bwriting\(|\bat_desk\(")]


def _not_done_again(tree: ast.Module) -> Iterator[Fault]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or not any(map(_opens_a_transaction, ast.walk(function))):
            continue
        if not {*REPEATED, "contextlib.contextmanager"} & set(map(ast.unparse, function.decorator_list)):
            yield (
                function,
                f"{function.name} opens a transaction and is not done again where another write was first, as happens "
                "on PostgreSQL. Put `@use_case` of `db.retry` over it.",
            )


def _opens_a_transaction(node: ast.AST) -> bool:
    """Return whether `node` opens a transaction by `writing()` or another name in `TRANSACTIONS`."""
    return isinstance(node, ast.With) and any(
        ast.unparse(item.context_expr).startswith(TRANSACTIONS) for item in node.items
    )


def shared_errors(package: Path) -> list[str]:
    """Return each place in `package` where a module makes an error once, to raise it again and again."""
    return [fault for _path, fault in _faults(package, _errors_made_once, r"(?:Violation|Error)\(")]


def _errors_made_once(tree: ast.Module) -> Iterator[Fault]:
    for node in tree.body:
        made = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(made, ast.Call) and ast.unparse(made.func).endswith(("Violation", "Error")):
            yield node, "makes an error once. Each raise adds to its traceback, which keeps all that was in use alive."


def broken_contracts(root: Path) -> str:
    """Return what import-linter reports about the checkout `root`, with advice, or "" if no contract is broken.

    import-linter runs in a separate process, because it turns off all logs of its process.
    """
    answer = subprocess.run(
        [sys.executable, "-c", CONTRACTS], cwd=root, capture_output=True, text=True, timeout=120, check=False
    )
    if answer.returncode == 0 and "0 broken" in answer.stdout:
        return ""
    return (
        f"{answer.stdout}{answer.stderr}\n"
        "“Packages” in scorekeeper/ARCHITECTURE.md says who may import whom. An import that goes up: move what is "
        "needed down, or hand it over as an argument; a game asks a league through store/access.py. A new package "
        "or layer: give it a place in the layers of [tool.importlinter] in pyproject.toml and in ARCHITECTURE.md."
    )


def _faults(package: Path, find: Callable[[ast.Module], Iterator[Fault]], needs: str) -> Iterator[tuple[str, str]]:
    """Yield a pair for each fault that `find` yields.

    Only sources in which the regular expression `needs` is found are parsed, because parsing takes long; no other
    source can have such a fault.

    The pair has the path of the module, relative to `package`, and a message with the path, the line number and the
    fault.
    """
    for file in sorted(package.rglob("*.py")):
        path, source = file.relative_to(package).as_posix(), file.read_text("utf-8")
        for node, fault in find(ast.parse(source)) if re.search(needs, source) else ():
            yield path, f"{path}:{getattr(node, 'lineno', 1)}: {fault}"


def _words(path: str) -> set[str]:
    """Return the names of the folders and the module in `path`, and the part of the module's name after its last "_".

    The suffix ".py" is left out.
    """
    *folders, module = path.removesuffix(".py").split("/")
    return {*folders, module, module.rpartition("_")[2]}
