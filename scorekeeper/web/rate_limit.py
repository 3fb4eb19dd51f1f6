"""Limit how often something may be done: codes, sign-ins, new games, hands. All processes count together.

Call `spend`, or put `limited` on the view; anyone above a limit gets 429 with the time to wait. Clients are stored as
hashes, and only as long as they count.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
import time
from collections import deque
from dataclasses import dataclass
from functools import wraps
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from cachetools import LRUCache
from flask import current_app, request
from limits import RateLimitItemPerSecond
from limits.strategies import MovingWindowRateLimiter
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from scorekeeper.i18n.catalog import N_, _, ngettext
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit_store import FILE, BookStorage, open_file
from scorekeeper.web.request_log import network, refused_because

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

P = ParamSpec("P")
R = TypeVar("R")

MINUTE, HOUR = 60, 3600
HOUSE = re.compile(r"(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.")
"""Prefixes of IPv4 addresses that exist only inside a house."""
MOST_HERE = 4096
"""Number of clients, mostly phones at games, whose last minute a process remembers."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of `amount` uses in any `seconds` seconds, for each client."""

    name: str
    amount: int
    seconds: int
    says: str
    """The message above the limit."""
    vital: bool = True
    """Whether to refuse if the count is unavailable; otherwise let it through: a counter must never cost a hand."""
    free: int = 0
    """How many more each process allows before it asks the shared count, so that normal use costs nothing."""


CODE_BY_ADDRESS = Limit("code-address", 5, MINUTE, N_("Too many codes tried from here."))
"""For `asker()`."""
CODE_BY_NETWORK = Limit("code-network", 20, MINUTE, N_("Too many codes tried from this network."))
"""For `surroundings()`."""
CODE_BY_GAME = Limit("code-game", 20, HOUR, N_("Too many codes tried for that game."))
"""For the game that a code belongs to, whether or not it exists."""
CODE_FIRST = Limit("code-first", 3, HOUR, CODE_BY_GAME.says)
"""For `surroundings()`: the first so many don't count for the game, so that strangers can't keep the right code out."""
SIGN_IN = Limit("sign-in", 10, MINUTE, N_("Too many sign-in attempts from here."))
"""For `asker()`."""
PASSWORDS_BY_NETWORK = Limit("passwords-network", 30, MINUTE, N_("Too many sign-in attempts from this network."))
"""For `surroundings()`: sign-ins, sign-ups and invitations from devices that the account doesn't know."""
PASSWORDS = Limit("passwords", 60, MINUTE, N_("Too many people are trying to sign in."))
"""For all of these together: 60 passwords take some seconds of each minute."""
SIGN_IN_KNOWN = Limit("sign-in-known", 60, HOUR, N_("Too many sign-in attempts with that name."))
"""For an account, from devices that it knows; right and wrong attempts count, and nothing clears it."""
SIGN_IN_BY_NAME = Limit("sign-in-name", 20, HOUR, N_("Too many sign-in attempts with that name."))
"""For the name as typed, whether or not it exists; `forgive` clears it after a sign-in."""
SIGN_UP = Limit("sign-up", 10, HOUR, N_("Too many accounts created from here."))
"""For `asker()`."""
NEW_GAMES = Limit("new-games", 60, MINUTE, N_("Too many games started from here."), vital=False)
"""For `asker()`: a hall shares one address, and all its tables start at once."""
NEW_GAMES_BY_HOUR = Limit("new-games-hour", 600, HOUR, N_("Too many games started from here."), vital=False)
"""For `asker()`."""
NEW_RULES = Limit("new-rules", 60, HOUR, N_("Too many house rules saved from here."), vital=False)
"""For `asker()`: a phone can save thirty, and a program can pretend to be a new phone each time."""
PEOPLE = Limit("people", 120, HOUR, N_("Too many changes to players from here."), vital=False)
"""For `asker()`: people of home tables; a photo takes up to half a second."""
PHOTOS = Limit("photos", 120, HOUR, N_("Too many photos sent from here."), vital=False)
"""For `asker()`: photos on hands. Each takes up to a megabyte, so a program would fill the disk with anything more."""
NEW_LEAGUES = Limit("new-leagues", 20, HOUR, N_("Too many leagues created from here."), vital=False)
"""For `asker()`."""
MESSAGES = Limit("messages", 120, HOUR, N_("Too many messages from here."))
"""For `asker()`: webhooks, mail addresses, tests and messages released by hand."""
MAIL_TO = Limit("mail-to", 3, HOUR, N_("Too many emails to that address."))
"""For a mail address, whichever league asks: nobody's mailbox may be filled through us."""
ANSWERS = Limit("answers", 60, HOUR, N_("Too many answers sent."), vital=False)
"""For the person whose personal link it is."""
LEAGUE_FILES = Limit("league-files", 10, HOUR, N_("Too many league files imported from here."), vital=False)
"""For `asker()`: each is kept for an hour."""
LEAGUE_IMPORTS = Limit("league-imports", 20, HOUR, LEAGUE_FILES.says, vital=False)
"""For `asker()`: each takes up to some minutes. More than files, because it may be tried again after another import."""
TABLES = Limit("tables", 120, HOUR, N_("Too many lists imported from here."), vital=False)
"""For `asker()`: previews and imports of players and results; an Excel file takes up to some seconds to read."""
COSTLY = Limit("costly", 60, MINUTE, N_("Too many files requested from here."), vital=False)
"""For `asker()`: archives, spreadsheets, pictures and long game logs, which are slow to make."""
TABLE_FILES = Limit("table-files", 20, HOUR, COSTLY.says, vital=False)
"""For `asker()`: exports of home tables, each of which replays all games of the table."""
PAGES = Limit("pages", 120, MINUTE, N_("Too many pages requested from here."), vital=False, free=30)
"""For `surroundings()`: pages of open clubs that the server has to make because nobody asked for them before."""
HANDS = Limit("hands", 90, MINUTE, N_("That's faster than anyone can play."), vital=False, free=30)
"""For a phone at a game that it may score, since a hall shares one address; otherwise for `asker()`."""


class Limiter:
    """The counts of one application."""

    def __init__(self, storage: BookStorage, key: str) -> None:
        """Count in `storage`; `key` makes the hashes impossible to trace back."""
        self._key = key.encode()
        self._moving = MovingWindowRateLimiter(storage)
        self._here: LRUCache[tuple[str, str], deque[float]] = LRUCache(MOST_HERE)
        self._lock = Lock()
        self.storage = storage

    def wait(self, limit: Limit, who: str) -> int:
        """Count one use by `who` and return 0; above the limit, return the seconds to wait, at least 1."""
        if limit.free and self._is_free(limit, who):
            return 0
        item = _item(limit)
        if self._moving.hit(item, self._hash(who)):
            return 0
        return max(1, math.ceil(self._moving.get_window_stats(item, self._hash(who)).reset_time - time.time()))

    def knows(self, limit: Limit, who: str) -> bool:
        """Return whether this process remembers letting `who` through under `limit` recently.

        Does not ask the shared store.
        """
        return (limit.name, who) in self._here

    def forget(self, limit: Limit, who: str) -> None:
        """Clear the count of `who`."""
        self._moving.clear(_item(limit), self._hash(who))

    def _is_free(self, limit: Limit, who: str) -> bool:
        now = time.monotonic()
        with self._lock:
            times = self._here.setdefault((limit.name, who), deque(maxlen=limit.free))
            if len(times) == limit.free and now - times[0] < limit.seconds:
                return False
            times.append(now)
            return True

    def _hash(self, who: str) -> str:
        return hmac.new(self._key, who.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]


def _item(limit: Limit) -> RateLimitItemPerSecond:
    return RateLimitItemPerSecond(limit.amount, limit.seconds, limit.name)


def connect(app: Flask) -> None:
    """Count for `app`, in a file of its instance folder or in PostgreSQL; do nothing if `LIMITS` is off."""
    if not app.config["LIMITS"]:
        return
    with app.app_context():
        engine = db.engine
    folder: Path = app.config["INSTANCE"]
    storage = BookStorage(open_file(folder / FILE) if engine.dialect.name == "sqlite" else engine)
    app.extensions["limiter"] = Limiter(storage, app.config["SECRET_KEY"])


def asker() -> str:
    """Return the client's address; for IPv6 its /64 network, which belongs to one home."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(getattr(address, "ipv4_mapped", None) or address)


def surroundings() -> str:
    """Return the network around `asker()`: a /48 of IPv6, a /24 of IPv4.

    A customer gets a /48 and could ask from 65,536 networks in it; a /24 is the smallest block that is routed by
    itself. In a house each address counts alone: nobody there has many.
    """
    here = asker()
    return here if HOUSE.match(here) else network(here) or here


def count(limit: Limit, who: str) -> int:
    """Count one use by `who` and return 0; above the limit, return the seconds to wait, at least 1.

    If counting fails, raises `SQLAlchemyError` for vital limits and returns 0 for others.
    """
    limiter: Limiter | None = current_app.extensions.get("limiter")
    if limiter is None:
        return 0
    try:
        return limiter.wait(limit, who)
    except SQLAlchemyError as error:
        if limit.vital:
            raise
        current_app.logger.warning("Not counted: %s", limit.name, exc_info=error)
        return 0


def knows(limit: Limit, who: str) -> bool:
    """Return whether this process recently counted a use by `who` that was allowed.

    Also True if nothing is limited.
    """
    limiter: Limiter | None = current_app.extensions.get("limiter")
    return limiter is None or limiter.knows(limit, who)


def spend(limit: Limit, who: str) -> None:
    """Count one use by `who`; above the limit, abort with 429 and the time to wait.

    Call it before the check that it protects, so that two simultaneous attempts count as two.
    """
    seconds = count(limit, who)
    if seconds:
        refused_because(f"too often: {limit.name}")
        raise TooManyRequests(description=f"{_(limit.says)} {how_long(seconds)}", retry_after=seconds)


def forgive(limit: Limit, who: str) -> None:
    """Clear the count of `who`, after they proved genuine."""
    limiter: Limiter | None = current_app.extensions.get("limiter")
    if limiter is not None:
        limiter.forget(limit, who)


def limited(*limits: Limit, by: Callable[[], str] = asker) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for a view: each POST counts once in each of `limits`, for the client that `by` returns."""

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def counted(*args: P.args, **kwargs: P.kwargs) -> R:
            if request.method == "POST":
                for limit in limits:
                    spend(limit, by())
            return view(*args, **kwargs)

        return counted

    return decorate


def costly(view: Callable[P, R]) -> Callable[P, R]:
    """Decorate a view: each request counts once in `COSTLY`."""

    @wraps(view)
    def counted(*args: P.args, **kwargs: P.kwargs) -> R:
        spend(COSTLY, asker())
        return view(*args, **kwargs)

    return counted


def one_at_a_time(view: Callable[P, R]) -> Callable[P, R]:
    """Decorate a view that is slow or needs much memory: answer 503 while this process answers another request to it.

    A request that waited would keep a thread, and hands need threads, too.
    """
    lock = Lock()

    @wraps(view)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        if not lock.acquire(blocking=False):
            refused_because("busy")
            raise ServiceUnavailable(retry_after=1)
        try:
            return view(*args, **kwargs)
        finally:
            lock.release()

    return alone


def how_long(seconds: int) -> str:
    """Return the sentence with the time to wait."""
    if seconds <= MINUTE:
        return ngettext("Try again in %(num)s second.", "Try again in %(num)s seconds.", seconds)
    minutes = math.ceil(seconds / MINUTE)
    return ngettext("Try again in %(num)s minute.", "Try again in %(num)s minutes.", minutes)
