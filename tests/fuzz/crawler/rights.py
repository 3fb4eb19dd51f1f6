"""Decide which changes a request may make, based on its sender and on the data before the request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tests.fuzz.crawler.fault import Fault
from tests.fuzz.crawler.rows import company_of, find_home, games_of, home_of, nights_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug.test import TestResponse

    from tests.fuzz.crawler.rows import Book, Change

NOTED_ANYWAY = frozenset(("account_event",))
"""Tables that record refused requests."""
SIGNING_IN = frozenset(("accounts.sign_in", "accounts.sign_up", "accounts.open_by_code", "accounts.open_by_link"))
IN_PART = frozenset(("leagues.enter_results",))
"""Endpoints that save the valid part of a form and refuse the rest, such as the scores of a round."""
TAKES_NAMES_OUT = "leagues.make_anonymous"
"""Endpoint that removes a person's name from a league, and also from connected games, such as rematches."""
CHANGES_GAMES = "games.change_table_games"
"""Endpoint with which a phone hides, shows, deletes and restores games of its home table."""
SEEN = "seen_on"
"""Column of a session that any request may change: the last day on which it was used."""


class Asker(NamedTuple):
    """The sender of a request, and the sender's rights."""

    device: str
    """Hash of the device's token."""
    account: int | None
    """Id of the account that is signed in on the device, or None if none is."""
    told: bool
    """True if the request may contain a secret token that allows the change; then the sender's rights don't matter."""
    starts: str = ""
    """Public id of the game that this form starts, or has started before."""


class Answered(NamedTuple):
    """A request and its response."""

    endpoint: str
    method: str
    response: TestResponse


def judge(changes: Sequence[Change], before: Book, now: Book, asker: Asker, answered: Answered) -> None:
    """Raise `Fault` if a request changed something that it may not change.

    A GET may change nothing, and neither may a refused request. Any other request needs a sender with the right.
    """
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
    """Raise `Fault` if `asker` has no rights in the game or league of the page at `address`.

    The function is called for pages that show a secret token.
    """
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
        if which in before["game"] and endpoint == CHANGES_GAMES and _may_change_at_table(before, which, change, asker):
            return True
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


def _may_change_at_table(before: Book, game: int, change: Change, asker: Asker) -> bool:
    """Return whether the sender's phone may make this change to a game of its home table.

    It may hide games from which it was removed, too, and the table's main phone may delete them.
    """
    phones = [each for each in _phones(before, before["game"][game]["home_table_id"], asker) if each["may_score"]]
    return any(each["keeper"] or "deleted_at" not in change.keys for each in phones)


def _phones(before: Book, table: int | None, asker: Asker) -> list[Mapping[str, Any]]:
    """Return the database row of the sender's phone at the home table `table`, in a list.

    The list is empty if the phone isn't at that table.
    """
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
    """Return whether a change only updates the time at which a phone last used its home table.

    When another phone at that table starts a rematch, this time changes too.
    """
    return change.table == "home_phone" and change.keys == {"used_at"}
