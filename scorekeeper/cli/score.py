"""Read JSON objects and print one line of JSON for each; the commands `score`, `auction` and `count` use this.

`scorekeeper score`: score game records and print one JSON line for each.

`scorekeeper auction` and `scorekeeper count`: check auctions and count cards.
"""

import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import click
from msgspec import MsgspecError
from msgspec import json as fast_json

from scorekeeper.i18n.sentences import say, side_names
from scorekeeper.rules.bidding import Auction, hear_call, open_auction
from scorekeeper.rules.cards import count_cards
from scorekeeper.rules.explain import why_over
from scorekeeper.rules.hands import read_captured
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import UNDECIDED, Record, read_record, read_rules, read_sides
from scorekeeper.rules.scoring import new_tally
from scorekeeper.rules.table import set_table

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
        sys.stdout.write(_json(line) + "\n")
    return status


def _answered(text: str, answer: Answer) -> dict[str, Any]:
    try:
        data = _decoded(text)
    except (ValueError, RecursionError):
        return _error(RuleViolation("not_json", "This isn't valid JSON."))
    try:
        return answer(data)
    except RuleViolation as violation:
        return _error(violation)


def _decoded(text: str) -> Any:
    """Return the value of a JSON text. Raises `ValueError` or `RecursionError` if the text is wrong.

    msgspec is much faster than Python's `json` module, but refuses numbers and characters that the module accepts.
    """
    try:
        return fast_json.decode(text)
    except (MsgspecError, ValueError, RecursionError):
        return json.loads(text, parse_constant=_no_constant)


def _json(line: Mapping[str, Any]) -> str:
    """Return `line` as JSON, as Python's `json` module writes it. That module is slow, but writes any character."""
    try:
        return fast_json.format(fast_json.encode(line, enc_hook=str), indent=0).decode()
    except (OverflowError, UnicodeEncodeError):
        return json.dumps(line, ensure_ascii=False)


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


FILES = click.argument("files", nargs=-1, metavar="[FILE...]")


@click.command()
@FILES
@click.pass_context
def auction(context: click.Context, files: tuple[str, ...]) -> None:
    """Check auctions in JSON: `{"ruleset", "players", "dealer", "calls"}`, one per line.

    Prints `{"legal", "bidder", "bid", "illegal_at", "closed"}` for each auction. An auction is legal if no call is
    illegal and the bidding is over. FILE is the same as for `score`. Without FILE, standard input is read.
    """
    context.exit(answer_files(files or ("-",), auction_line))


@click.command()
@FILES
@click.pass_context
def count(context: click.Context, files: tuple[str, ...]) -> None:
    """Count the cards that each side took, in JSON: `{"ruleset", "sides", "trump", "captured"}`, one per line.

    Prints `{"card_points", "game", "points"}` for each line. "card_points" has the points of each side
    toward Game. "game" is the side that takes Game. "points" has the side that takes each point that the cards decide.
    FILE is the same as for `score`. Without FILE, standard input is read.
    """
    context.exit(answer_files(files or ("-",), count_line))


def auction_line(data: object) -> dict[str, Any]:
    """Return the output of `scorekeeper auction` for one decoded line of input.

    Raises `RuleViolation` if the line is invalid.
    """
    fields = _fields(data)
    players, dealer, calls = fields.get("players"), fields.get("dealer"), fields.get("calls")
    if type(players) is not int:
        raise RuleViolation("players_shape", "The number of players must be a whole number.", field="players")
    table = set_table(read_rules(fields.get("ruleset")), players)
    if type(dealer) is not int or not 0 <= dealer < players:
        raise RuleViolation(
            "seat", Phrase("The dealer must be a seat from 0 to %(last)s.", last=players - 1), field="dealer"
        )
    if not isinstance(calls, list):
        raise RuleViolation("calls_shape", "The calls must be a list.", field="calls")
    heard = open_auction(table, dealer)
    illegal_at = None
    for index, call in enumerate(calls):
        try:
            heard = hear_call(table, heard, call)
        except RuleViolation:
            illegal_at = index
            break
    return _judged(heard, illegal_at)


def count_line(data: object) -> dict[str, Any]:
    """Return the output of `scorekeeper count` for one decoded line of input.

    Raises `RuleViolation` if the line is invalid or the cards are impossible.
    """
    fields = _fields(data)
    sides = read_sides(fields.get("sides"))
    table = set_table(read_rules(fields.get("ruleset")), sum(map(len, sides)), sides)
    trump = fields.get("trump")
    counted = count_cards(table, trump if isinstance(trump, str) else "", read_captured(fields.get("captured")))
    return {
        "card_points": counted.card_points,
        "game": counted.points.get("game"),
        "points": dict(counted.points),
    }


def _judged(heard: Auction, illegal_at: int | None) -> dict[str, Any]:
    legal = heard.closed and illegal_at is None
    return {
        "legal": legal,
        "bidder": heard.bidder if legal else None,
        "bid": heard.bid if legal else None,
        "illegal_at": illegal_at,
        "closed": heard.closed,
    }


def _fields(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise RuleViolation("shape", "Each line must be a JSON object.")
    return data
