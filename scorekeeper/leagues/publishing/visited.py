"""The cookie with the leagues that a phone has visited, so that the home page can link to them without an account."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from scorekeeper.web.cookies import sent_cookie, set_cookie

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

COOKIE = "scorekeeper_visited"
LASTS = timedelta(days=400)
MOST = 10
CLUB = "~"
"""In the cookie, this character comes before the slug of a club. A league is saved as its public id."""
TOKEN = re.compile(r"~?[A-Za-z0-9_-]{3,40}")


def visited_here() -> Sequence[str]:
    """Return the leagues and clubs that this phone has visited, newest first, from the phone's cookie.

    Each one is given by its mark: the public id of a league, or `CLUB` followed by the slug of a club.
    """
    told = sent_cookie(COOKIE).split(".")[:MOST]
    return [each for each in dict.fromkeys(told) if TOKEN.fullmatch(each)]


def keep_visited(response: Response, marks: Sequence[str]) -> None:
    """Save visited leagues and clubs in the cookie of the phone that gets `response`.

    `marks` identify the leagues and clubs as in `visited_here`, newest first.
    """
    set_cookie(response, COOKIE, ".".join(list(dict.fromkeys(marks))[:MOST]), LASTS)
