"""The arrows between the rooms go one way: the contracts of `pyproject.toml`."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

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
