"""`scorekeeper score`: score game records and print one JSON line for each."""

from __future__ import annotations

from typing import Any

import click

from scorekeeper.cli.jsonlines import answer_files
from scorekeeper.i18n.sentences import say, side_names
from scorekeeper.rules.explain import why_over
from scorekeeper.rules.record import UNDECIDED, Record, read_record
from scorekeeper.rules.scoring import new_tally


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def score(context: click.Context, files: tuple[str, ...]) -> None:
    """Score game records: totals after every hand, the winner, and why.

    FILE is a `.json` with one record, a `.jsonl` with one per line, or `-` for standard input. Prints one line of JSON
    for each record. The exit status is 1 if any record was wrong.
    """
    context.exit(answer_files(files, lambda data: score_line(read_record(data))))


def score_line(record: Record) -> dict[str, Any]:
    """Return the JSON output for a game record: all totals, each hand's points, the winner, and why the game ended."""
    outcome = record.outcome
    reason = None
    if outcome is not None and outcome.rule == f"final.{UNDECIDED}":
        reason = UNDECIDED
    elif outcome is not None:
        before = record.totals[-2] if len(record.totals) > 1 else new_tally(record.table).totals
        hand = record.hands[-1] if record.hands else None
        sides = side_names(record.table.sides, record.names)
        reason = say(why_over(record.table, outcome, before, record.tally, hand), sides)
    return {
        "totals": record.totals if record.final is None else [record.final],
        "hands": [{"delta": scored.delta, "made": scored.made} for scored in record.scored],
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "reason": reason,
    }
