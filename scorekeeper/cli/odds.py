"""`scorekeeper odds`: print the win probabilities of games, hand by hand, as one JSON line for each record."""

import json
from pathlib import Path
from typing import Any

import click

from scorekeeper.cli.score import answer_files
from scorekeeper.config import OperatorError
from scorekeeper.insight.model import Model, prior_model, read_model
from scorekeeper.insight.odds import SimulatedOdds, odds_for, odds_line, reach_of
from scorekeeper.insight.win_odds import WinOdds
from scorekeeper.rules.record import read_record
from scorekeeper.rules.table import Table


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--model",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="MODEL",
    help="JSON file with the probability of each hand. [default: hands of simulated games]",
)
@click.pass_context
def odds(context: click.Context, files: tuple[str, ...], model: Path | None) -> None:
    """Tell how likely each side was to win, before and after every hand of game records.

    FILE is a `.json` with one record, a `.jsonl` with one per line, or `-` for standard input. Prints one line of JSON
    for each record. The exit status is 1 if any record was wrong, or if the odds can't be calculated yet for the game
    of a record.
    """
    given = None if model is None else _read(model)
    solved: dict[Table, tuple[Model, WinOdds | SimulatedOdds, int, int]] = {}

    def answer(data: Any) -> dict[str, Any]:
        record = read_record(data)
        least, most = reach_of(record)
        known = solved.get(record.table)
        if known is None or least < known[2] or known[3] < most:
            chances = prior_model(record.table) if given is None else read_model(record.table, given)
            known = solved[record.table] = (chances, odds_for(record.table, chances, least, most), least, most)
        return odds_line(record, known[0], known[1])

    context.exit(answer_files(files, answer))


def _read(model: Path) -> Any:
    """Return the JSON value in the file `model`. Raises `OperatorError` if it can't be read."""
    try:
        return json.loads(model.read_text(encoding="utf-8"))
    except OSError as error:
        raise OperatorError(f"{model}: {error.strerror or 'it cannot be read'}.") from error
    except (ValueError, RecursionError) as error:
        raise OperatorError(f"{model}: This isn't valid JSON.") from error
