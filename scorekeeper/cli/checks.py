"""`scorekeeper auction` and `scorekeeper count`: check auctions and count cards."""

from __future__ import annotations

from typing import Any

import click

from scorekeeper.cli.jsonlines import answer_files
from scorekeeper.rules.bidding import Auction, hear_call, open_auction
from scorekeeper.rules.cards import count_cards
from scorekeeper.rules.hands import read_captured
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import read_rules, read_sides
from scorekeeper.rules.table import set_table
from scorekeeper.rules.violation import RuleViolation

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
