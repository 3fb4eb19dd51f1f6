"""The sizes of the scripts for offline play are limited. The data for it is limited in `test_offline_start`."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from scorekeeper.config import asset_folder
from scorekeeper.web.assets import SHELL, VENDORED, WORKER, lean

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.looks

LIVE = ("js/submit-once.js", "js/share.js", "js/games/board.js", "js/games/preview.js", "js/games/wake-lock.js")
LATER = ("offline", "updates", "first-hint", "moments", "prepare")
"""Names of scripts in `js/games` that the board loads only after the player can already use it."""
FIRST = 8_000
BACKGROUND = 15_000
EVENING = 56_000
IMPORTED = re.compile(r'^import (?:[^"]* from )?"(\./|\.\./)([^"]+)"', re.MULTILINE)


def weight(names: Iterable[str]) -> int:
    """Return the total size in bytes of these files of `static`, each compressed as the server sends it."""
    texts = ((name, (asset_folder("static") / name).read_text(encoding="utf-8")) for name in names)
    return sum(len(gzip.compress((text if name.startswith(VENDORED) else lean(text)).encode())) for name, text in texts)


def with_imports(names: Iterable[str]) -> set[str]:
    """Return the names of these scripts and of all scripts that they import, directly or indirectly."""
    found, todo = set[str](), list(names)
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        text = (asset_folder("static") / name).read_text(encoding="utf-8")
        folder = name.rsplit("/", 1)[0]
        above = folder.rsplit("/", 1)[0]
        todo += [f"{folder if up == './' else above}/{path}" for up, path in IMPORTED.findall(text)]
    return found


def test_code_without_a_signal() -> None:
    live = with_imports(LIVE)
    background = with_imports(f"js/games/{name}.js" for name in LATER) - live
    pages = {name for name in SHELL if name.startswith("js/")} - live
    evening = pages | background | set(WORKER)
    weights = {"first": weight(live), "background": weight(background), "evening": weight(evening)}
    print(weights)
    assert weights["first"] <= FIRST
    assert weights["background"] <= BACKGROUND
    assert weights["evening"] <= EVENING
