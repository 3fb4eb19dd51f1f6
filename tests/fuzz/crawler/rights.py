"""Say which changes a request may make, by the sender and the previous data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tests.fuzz.crawler.fault import Fault
from tests.fuzz.crawler.rows import company_of, find_home, games_of, home_of, nights_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug.test import TestResponse

    from tests.fuzz.crawler.rows import Book, Change

NOTED_ANYWAY = frozenset(("account_event",))
"""Tables that record a refused request."""
SIGNING_IN = frozenset(("accounts.sign_in", "accounts.sign_up", "accounts.open_by_code", "accounts.open_by_link"))
IN_PART = frozenset(("leagues.enter_results",))
"""Where the page says that what was right is saved, and only the rest is refused: the scores of a whole round."""
TAKES_NAMES_OUT = "leagues.make_anonymous"
"""What also reaches the games that were played on from those of the league, with the same people at the table."""
SEEN = "seen_on"
"""What any request may leave in a session: the day on which somebody was seen last."""


class Asker(NamedTuple):
    """The sender of a request."""

    device: str
    """Hash of its word."""
    account: int | None
    """The director who was signed in."""
    told: bool
    """This one has a word that brings a right here."""
    starts: str = ""
    """Public id of the game that this very form starts, or started before."""


class Answered(NamedTuple):
    """What was asked, and what came of it."""

    endpoint: str
    method: str
    response: TestResponse


def judge(changes: Sequence[Change], before: Book, now: Book, asker: Asker, answered: Answered) -> None:
    """Raise `Fault` for a change by a look, by what was refused, or without right."""
    told = "; ".join(map(str, changes[:4]))
    changes = [each for each in changes if not _was_seen(each)]
    if changes and answered.method != "POST":
        raise Fault(f"{answered.method} changed something: {told}")
    status, endpoint = answered.response.status_code, answered.endpoint
    if status >= 400:
        # What a phone sends that was long apart is kept beside the game: the answer says so.
        kept = (status == 409 and answered.response.is_json) or endpoint in IN_PART
        changes = [each for each in changes if each.table not in NOTED_ANYWAY]
        if changes and not kept:
            raise Fault(f"refused with {status}, and yet: {told}")
    for change in changes:
        if not _may(before, now, change, asker, endpoint):
            raise Fault(f"without right: {change}")


def judge_shown(book: Book, address: str, asker: Asker) -> None:
    """Raise `Fault` for a word that brings a right on a page of a game or a league that is not theirs."""
    kind, _slash, rest = address.strip("/").partition("/")
    home = find_home(book, kind, rest.partition("/")[0])
    if home is None:
        return
    right = _may_score if home[0] == "game" else _in_league
    if not right(book, home[1], asker):
        raise Fault(f"{address} shows a word of theirs to somebody else")


def _may(before: Book, now: Book, change: Change, asker: Asker, endpoint: str) -> bool:
    home = home_of(now | before, change) or home_of(now, change)
    if home is None or asker.told or _was_used(change):
        return True
    kind, which = home
    if kind == "device":
        return bool(which == asker.device)
    if kind == "account":
        fresh = which not in before["account"]
        return which == asker.account or fresh or change.table in NOTED_ANYWAY or endpoint in SIGNING_IN
    if kind == "home":
        # A phone that only scores one of its games brings it back to the table by a rematch, and names to its people.
        own = [game for game, row in before["game"].items() if row["home_table_id"] == which]
        known = which in before["home_table"]
        return not known or bool(_phones(before, which, asker)) or any(_may_score(before, game, asker) for game in own)
    if change.table == "player":
        games = games_of(before, change.row["id"])
        if any(_may_score(before, game, asker) for game in games):
            return True
    if kind == "game":
        games = company_of(before, which) if endpoint == TAKES_NAMES_OUT and _is_a_name(change) else {which}
        return which not in before["game"] or any(_may_score(before, game, asker) for game in games)
    if which not in before["league"]:
        return True
    return _in_league(before, which, asker) or any(
        table["game_id"] is not None and _scores(before, table["game_id"], asker)
        for table in before["league_table"].values()
        if table["night_id"] in set(nights_of(before, which))
    )


def _may_score(before: Book, game: int, asker: Asker) -> bool:
    if _scores(before, game, asker):
        return True
    for table in before["league_table"].values():
        if table["game_id"] == game:
            league = before["season"][before["night"][table["night_id"]]["season_id"]]["league_id"]
            return _in_league(before, league, asker)
    return False


def _scores(before: Book, game: int, asker: Asker) -> bool:
    row = before["game"][game]
    let_in = [
        each["revoked_at"] is None
        for each in before["scorer"].values()
        if each["game_id"] == game and each["device"] == asker.device
    ]
    if row["device"] == asker.device or any(let_in):
        return True
    # The phone with the very form that started a game is the one that sent it: its cookie was lost with the answer.
    if asker.starts == row["public_id"] and not row["elsewhere"]:
        return True
    # A phone that was removed from the game doesn't come back by its place at the table.
    return not let_in and any(each["may_score"] for each in _phones(before, row["home_table_id"], asker))


def _phones(before: Book, table: int | None, asker: Asker) -> list[Mapping[str, Any]]:
    """Return the rows of the sender at a home table: one at most."""
    return [
        row
        for row in before["home_phone"].values()
        if row["table_id"] == table and row["device"] == asker.device and row["left_at"] is None
    ]


def _in_league(before: Book, league: int, asker: Asker) -> bool:
    return before["league"][league]["device"] == asker.device or any(
        row["league_id"] == league and row["account_id"] == asker.account for row in before["league_role"].values()
    )


def _is_a_name(change: Change) -> bool:
    return (change.table, change.keys) in {("player", frozenset(("name",))), ("game", frozenset(("renamed",)))}


def _was_seen(change: Change) -> bool:
    return change.table == "account_session" and change.keys == {SEEN}


def _was_used(change: Change) -> bool:
    """Return whether a home table became the one that its phone used last, as by another phone's rematch there."""
    return change.table == "home_phone" and change.keys == {"used_at"}
