"""The cookie with the leagues that a phone has visited, so that its home page leads back to them without an account.

It holds addresses that anyone may have, newest first, and nothing that tells one phone from another. Shared pages can't
set it, because the server sends the same bytes to everyone. They contain an invisible picture, whose response does.
"""

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
"""What the mark of a club begins with; the slug follows. The mark of a league is its public id."""
TOKEN = re.compile(r"~?[A-Za-z0-9_-]{3,40}")


def visited_here() -> Sequence[str]:
    """Return the marks that this phone has, newest first."""
    told = sent_cookie(COOKIE).split(".")[:MOST]
    return [each for each in dict.fromkeys(told) if TOKEN.fullmatch(each)]


def keep_visited(response: Response, marks: Sequence[str]) -> None:
    """Save the marks on the phone that gets `response`."""
    set_cookie(response, COOKIE, ".".join(list(dict.fromkeys(marks))[:MOST]), LASTS)
