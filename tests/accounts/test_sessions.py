"""A director's session is a cookie and a database row. These tests check when it works and when it ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts.devices import this_account, this_actor
from scorekeeper.accounts.models import AccountRow, SessionRow
from scorekeeper.accounts.sessions import IDLE, LONGEST
from scorekeeper.db.tokens import hash_of
from scorekeeper.web.extensions import writing

if TYPE_CHECKING:
    from flask import Flask

SECRET = "a-word-that-only-one-browser-has"
DAY = timedelta(days=1)


def signed_in(app: Flask, *, ago: timedelta = DAY, unused: timedelta = timedelta(), ended: bool = False) -> int:
    """Store an account with one session, and return the account's id.

    The session began the time `ago` before now and was last used the time `unused` before now. With `ended`, the
    session is signed out.
    """
    now = datetime.now(UTC)
    with app.app_context(), writing() as session:
        account = AccountRow(name="Rita", folded="rita", made_at=now)
        session.add(account)
        session.flush()
        session.add(
            SessionRow(
                account_id=account.id,
                secret=hash_of(SECRET),
                agent="Firefox",
                made_at=now - ago,
                seen_on=(now - unused).date(),
                ended_at=now if ended else None,
            )
        )
        return account.id


def account_of(app: Flask, cookie: str, name: str = "scorekeeper_account", scheme: str = "http") -> int | None:
    """Return the id of the account that a request is signed in to, or None if the request isn't signed in.

    The request has a cookie with this `name` and the value `cookie`, and uses `scheme`.
    """
    base = f"{scheme}://localhost"
    with app.test_request_context(base_url=base, headers={"Cookie": f"{name}={cookie}"}):
        assert this_actor().account == this_account()
        return this_account()


def test_a_session_is_known_by_its_cookie(app: Flask) -> None:
    account = signed_in(app)
    assert account_of(app, SECRET) == account
    for wrong in ("", "x", "é", SECRET + "x", hash_of(SECRET), "' or 1=1 --", "x" * 3000):
        assert account_of(app, wrong) is None, wrong


def test_on_https_only_the_cookie_of_this_host_counts(app: Flask) -> None:
    """On HTTPS, a session cookie counts only if its name begins with `__Host-`.

    Other hosts and unencrypted pages can't set a cookie with such a name.
    """
    account = signed_in(app)
    assert account_of(app, SECRET, "__Host-scorekeeper_account", "https") == account
    assert account_of(app, SECRET, "scorekeeper_account", "https") is None


@pytest.mark.parametrize(
    ("ago", "unused", "ended", "holds"),
    [
        (DAY, DAY, False, True),
        (DAY, DAY, True, False),
        (IDLE + DAY, IDLE, False, True),
        (IDLE + 2 * DAY, IDLE + DAY, False, False),
        (LONGEST - DAY, DAY, False, True),
        (LONGEST, DAY, False, False),
    ],
)
def test_a_session_ends(app: Flask, ago: timedelta, unused: timedelta, ended: bool, holds: bool) -> None:
    """A session no longer works once it is signed out, was unused for too long, or is too old."""
    account = signed_in(app, ago=ago, unused=unused, ended=ended)
    assert account_of(app, SECRET) == (account if holds else None)
