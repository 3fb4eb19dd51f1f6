"""JSON objects in, one JSON line each out: what `score`, `auction` and `count` share."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from scorekeeper.rules.violation import RuleViolation

Answer = Callable[[Any], dict[str, Any]]
"""From a decoded JSON value to the line that answers it; raises `RuleViolation` where it is wrong."""


def answer_files(files: Iterable[str], answer: Answer) -> int:
    """Print one line for each object in `files` and return the exit status.

    `.json` holds one object, everything else one a line; `-` is standard input. The status
    is 1 where any object or file was wrong, after all of them were done.
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
    """Refuse NaN and the infinities, which Python reads and JSON does not know."""
    raise ValueError(name)


def _error(violation: RuleViolation) -> dict[str, Any]:
    error: dict[str, Any] = {"hand": violation.hand, "code": violation.code, "message": violation.message}
    if violation.call is not None:
        error["call"] = violation.call
    return {"error": error}


def _texts(files: Iterable[str]) -> Iterator[str | RuleViolation]:
    """Each object's text; for a file that cannot be read, why."""
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
