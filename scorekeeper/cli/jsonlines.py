"""Read JSON objects and print one line of JSON for each; the commands `score`, `auction` and `count` use this."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from scorekeeper.rules.violation import RuleViolation

Answer = Callable[[Any], dict[str, Any]]
"""Function that returns the output for one decoded JSON value. Raises `RuleViolation` if the value is wrong."""


def answer_files(files: Iterable[str], answer: Answer) -> int:
    """Print one line of JSON for each object in `files`, and return the exit status.

    `answer` takes a decoded object and returns the output for that object. `files` are paths, and `-` is standard
    input. A `.json` file holds one object, and any other file holds one object per line. All objects are processed,
    even after an error. The status is 1 if any object or file was wrong, else 0.
    """
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                encoding="utf-8", errors="surrogateescape" if stream is sys.stdin else "backslashreplace"
            )
    status = 0
    for text in _texts(files):
        line = _error(text) if isinstance(text, RuleViolation) else _answered(text, answer)
        status |= "error" in line
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    return status


def _answered(text: str, answer: Answer) -> dict[str, Any]:
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return _error(RuleViolation("not_json", "This isn't valid JSON."))
    try:
        return answer(data)
    except RuleViolation as violation:
        return _error(violation)


def _no_constant(name: str) -> None:
    """Raise `ValueError` for NaN and infinity.

    Python's `json` module would accept these numbers, although they aren't valid JSON.
    """
    raise ValueError(name)


def _error(violation: RuleViolation) -> dict[str, Any]:
    error: dict[str, Any] = {"hand": violation.hand, "code": violation.code, "message": violation.message}
    if violation.call is not None:
        error["call"] = violation.call
    return {"error": error}


def _texts(files: Iterable[str]) -> Iterator[str | RuleViolation]:
    """Yield the text of each JSON object, or an error in place of each file that can't be read."""
    for name in files:
        try:
            if name == "-":
                yield from _lines(sys.stdin)
            elif name.endswith(".json"):
                yield Path(name).read_text(encoding="utf-8", errors="surrogateescape")
            else:
                with Path(name).open(encoding="utf-8", errors="surrogateescape") as lines:
                    yield from _lines(lines)
        except OSError as error:
            yield RuleViolation("file", f"{name}: {error.strerror or 'it cannot be read'}.")


def _lines(lines: TextIO) -> Iterator[str]:
    return (line for line in lines if line.strip())
