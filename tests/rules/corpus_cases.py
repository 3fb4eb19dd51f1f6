"""The worked cases of `tests/rules/corpus`: one JSON object a line, in the format of the game record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "corpus"
FILES = ("cases.jsonl", "own.jsonl")


def cases() -> list[dict[str, Any]]:
    """Return every case of every file, in order."""
    return [json.loads(line) for name in FILES for line in (FOLDER / name).read_text("utf-8").splitlines()]
