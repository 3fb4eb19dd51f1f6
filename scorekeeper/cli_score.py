"""`scorekeeper score`: game records in, one JSON line each out (the record format's own rules)."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import click

from scorekeeper.rules.explain import why_over
from scorekeeper.rules.record import Record, read_record
from scorekeeper.rules.scoring import new_tally
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.wording import say, side_names


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def score(context: click.Context, files: tuple[str, ...]) -> None:
    """Score game records: totals after every hand, the winner, and why.

    FILE is a `.json` with one record, a `.jsonl` with one a line, or `-` for standard
    input. One line of JSON is printed for each record. Exit status 1 where any was wrong.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    context.exit(score_files(files, sys.stdout))


def score_files(files: tuple[str, ...], out: TextIO) -> int:
    """Write one line for each record in `files` and return the exit status.

    `.json` holds one record, everything else one a line; `-` is standard input. The
    status is 1 where any record or file was wrong, after all of them were done.
    """
    status = 0
    for text, problem in _texts(files):
        line = problem or score_record(text)
        status |= "error" in line
        out.write(json.dumps(line, ensure_ascii=False, separators=(", ", ": ")) + "\n")
    return status


def score_record(text: str) -> dict[str, Any]:
    """Return the line for one record: its totals, or its error."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return _error(RuleViolation("not_json", "This is not JSON."))
    try:
        return score_line(read_record(data))
    except RuleViolation as violation:
        return _error(violation)


def score_line(record: Record) -> dict[str, Any]:
    """Return what the command prints for a record: totals after every hand, each hand's change, the end."""
    outcome = record.tally.outcome
    reason = None
    if outcome is not None:
        sides = side_names(record.table, record.names)
        before = record.totals[-2] if len(record.totals) > 1 else new_tally(record.table).totals
        hand = record.hands[-1] if record.hands else None
        reason = say(why_over(record.table, outcome, before, record.tally, hand), sides)
    return {
        "totals": record.totals if record.final is None else [record.final],
        "hands": [{"delta": scored.delta, "made": scored.made} for scored in record.scored],
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "reason": reason,
    }


def _error(violation: RuleViolation) -> dict[str, Any]:
    error: dict[str, Any] = {"hand": violation.hand, "code": violation.code, "message": violation.message}
    if violation.call is not None:
        error["call"] = violation.call
    return {"error": error}


def _texts(files: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Each record's text; or, for a file that cannot be read, the line that says so."""
    for name in files:
        try:
            if name == "-":
                if isinstance(sys.stdin, io.TextIOWrapper):
                    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
                yield from _lines(sys.stdin)
            elif name.endswith(".json"):
                yield Path(name).read_bytes().decode("utf-8", "surrogateescape"), None
            else:
                with Path(name).open(encoding="utf-8", errors="surrogateescape") as lines:
                    yield from _lines(lines)
        except OSError as error:
            reason = error.strerror or "it cannot be read"
            yield "", _error(RuleViolation("file", f"{name}: {reason}."))


def _lines(lines: TextIO) -> Iterator[tuple[str, None]]:
    for line in lines:
        if line.strip():
            yield line, None
