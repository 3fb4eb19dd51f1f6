"""Make the program newer by a few migrations, so that a database of this version is an older one."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from scorekeeper.config import PACKAGE
from scorekeeper.db import outages
from scorekeeper.ops import boot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{below}"
branch_labels = None
depends_on = None
EXPANDS = {expands}


def upgrade() -> None:
    op.create_table("umbrella_{revision}", sa.Column("id", sa.Integer(), primary_key=True))
"""


def add_migration(package: Path, *, expands: bool) -> str:
    """Add a migration that makes a table to the copy of the program in `package`, and return its revision."""
    below = max((package / "migrations" / "versions").glob("[0-9]*.py")).name[:4]
    revision = f"{int(below) + 1:04d}"
    text = MIGRATION.format(revision=revision, below=below, expands=expands)
    (package / "migrations" / "versions" / f"{revision}_umbrella.py").write_text(text)
    return revision


@contextmanager
def newer_version(folder: Path, *, expands: Iterable[bool] = (False,)) -> Iterator[str]:
    """Let this process be a newer version of the program inside the block, and yield the revision that it needs.

    Its migrations are copied to `folder`, and one is added for each of `expands`, which says whether it only adds to
    the tables.
    """
    shutil.copytree(PACKAGE / "migrations", folder / "migrations", ignore=shutil.ignore_patterns("__pycache__"))
    revisions = [add_migration(folder, expands=each) for each in expands]
    cached = (outages.newest_revision, outages.known_revisions)
    try:
        with pytest.MonkeyPatch.context() as patch:
            for module in (outages, boot):
                patch.setattr(module, "PACKAGE", folder)
            for each in cached:
                each.cache_clear()
            yield revisions[-1]
    finally:
        for each in cached:
            each.cache_clear()
