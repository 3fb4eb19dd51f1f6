"""The worked cases in the files of `tests/rules/corpus`, which have one JSON object per line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "corpus"
FILES = ("cases.jsonl", "own.jsonl")


def cases() -> list[dict[str, Any]]:
    """Return the worked cases of all files in the corpus, in the order of the files and of their lines."""
    return [json.loads(line) for name in FILES for line in (FOLDER / name).read_text("utf-8").splitlines()]
