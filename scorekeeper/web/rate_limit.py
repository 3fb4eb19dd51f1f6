"""Limit how often clients may do something, such as sign in or save a hand. All server processes count together.

Call `spend`, or decorate the view with `limited`; a client above a limit gets 429 with the time to wait. Clients are
stored as hashes, and only as long as they count. Most limits are per client (`asker`) or per network (`surroundings`).
"""

import hashlib
import hmac
import math
import re
import time
from collections import deque
from collections.abc import Callable
from functools import wraps
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from threading import Lock
from typing import ParamSpec, TypeVar

from cachetools import LRUCache
from flask import Flask, current_app, request
from limits import RateLimitItemPerSecond
from limits.strategies import MovingWindowRateLimiter
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from scorekeeper.i18n.catalog import N_, _, ngettext
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit_store import FILE, BookStorage, open_file
from scorekeeper.web.request_log import network, refused_because

P = ParamSpec("P")
R = TypeVar("R")

MINUTE, HOUR = 60, 3600
HOUSE = re.compile(r"(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.")
"""Pattern of the start of IPv4 addresses that exist only inside a local network."""
MOST_HERE = 4096
"""Maximum number of clients whose recent uses a process keeps in memory. Most clients are phones that score a game."""


class Limit(Struct, frozen=True):
    """A limit on how often each client may do something: `amount` times in any period of `seconds` seconds."""

    name: str
    amount: int
    seconds: int
    says: str
    """Message for a client above the limit, in English."""
    vital: bool = True
    """Whether to refuse the request if the database of counts fails.

    If False, the request is let through, so that no hand is lost.
    """
    free: int = 0
    """How many uses per client each process allows in `seconds` seconds without asking the shared database.

    These uses don't count toward `amount`, so normal use costs nothing.
    """


CODE_BY_ADDRESS = Limit("code-address", 5, MINUTE, N_("Too many codes tried from here."))
"""Attempts to enter a backup code or a printed code, per client (`asker`)."""
CODE_BY_NETWORK = Limit("code-network", 20, MINUTE, N_("Too many codes tried from this network."))
"""Attempts to enter a backup code, a printed code or the code on a table's card, per network (`surroundings`)."""
CODE_BY_GAME = Limit("code-game", 20, HOUR, N_("Too many codes tried for that game."))
"""Attempts to enter a backup code, per game that the code is for, whether or not that game exists."""
CODE_FIRST = Limit("code-first", 3, HOUR, CODE_BY_GAME.says)
"""The first attempts of each network (`surroundings`) to enter a backup code. They don't count toward `CODE_BY_GAME`.

So strangers who use up `CODE_BY_GAME` for a game can't keep its owner out.
"""
SIGN_IN = Limit("sign-in", 10, MINUTE, N_("Too many sign-in attempts from here."))
"""Attempts to sign in on devices where nobody has signed in to the account before, per client (`asker`)."""
PASSWORDS_BY_NETWORK = Limit("passwords-network", 30, MINUTE, N_("Too many sign-in attempts from this network."))
"""Passwords sent by devices where nobody has signed in to the account before, per network (`surroundings`).

They are sent to sign in, to sign up, or to accept an invitation.
"""
PASSWORDS = Limit("passwords", 60, MINUTE, N_("Too many people are trying to sign in."))
"""All passwords that `PASSWORDS_BY_NETWORK` counts, from all networks together; checking 60 takes some seconds."""
SIGN_IN_KNOWN = Limit("sign-in-known", 60, HOUR, N_("Too many sign-in attempts with that name."))
"""Attempts to sign in on devices where someone has signed in to the account before, and to change the password.

They are counted per account. Right passwords count too, and nothing resets the count.
"""
SIGN_IN_BY_NAME = Limit("sign-in-name", 20, HOUR, N_("Too many sign-in attempts with that name."))
"""Attempts to sign in with a name, whether or not an account has that name; a successful sign-in resets the count.

Each device on which the director signed in before has a separate count.
"""
SIGN_UP = Limit("sign-up", 10, HOUR, N_("Too many accounts created from here."))
"""New accounts, per client (`asker`)."""
NEW_GAMES = Limit("new-games", 60, MINUTE, N_("Too many games started from here."), vital=False)
"""New games, per client (`asker`). All phones in a hall have one address, and all tables start at the same time."""
NEW_GAMES_BY_HOUR = Limit("new-games-hour", 600, HOUR, N_("Too many games started from here."), vital=False)
"""New games in an hour, per client (`asker`)."""
NEW_RULES = Limit("new-rules", 60, HOUR, N_("Too many house rules saved from here."), vital=False)
"""Saved house rules, per client (`asker`): a phone can save thirty, but a program can pretend to be many phones."""
PEOPLE = Limit("people", 120, HOUR, N_("Too many changes to players from here."), vital=False)
"""Changes to people of home tables, per client (`asker`); saving a photo takes up to half a second."""
PHOTOS = Limit("photos", 120, HOUR, N_("Too many photos sent from here."), vital=False)
"""Photos on hands, per client (`asker`). Each takes up to a megabyte, so a program could otherwise fill the disk."""
NEW_LEAGUES = Limit("new-leagues", 20, HOUR, N_("Too many leagues created from here."), vital=False)
"""New leagues, per client (`asker`)."""
ANSWERS = Limit("answers", 60, HOUR, N_("Too many answers sent."), vital=False)
"""Answers to the question whether a person will come to a night, on the page of their personal link, per person."""
FORM_ANSWERS = Limit("form-answers", 300, HOUR, "", vital=False, free=10)
"""Pages that answer a form and are stored for Back and reload, per client (`asker`).

Above it, a page is sent but not stored, so that no client can push out the pages of all others.
"""
LEAGUE_FILES = Limit("league-files", 10, HOUR, N_("Too many league files imported from here."), vital=False)
"""Uploaded league files, per client (`asker`); each is kept for an hour."""
LEAGUE_IMPORTS = Limit("league-imports", 20, HOUR, LEAGUE_FILES.says, vital=False)
"""Imports of uploaded league files, per client (`asker`); each can take some minutes.

Higher than `LEAGUE_FILES`, because the import of one file may have to be tried again while another import runs.
"""
NEW_ODDS = Limit("new-odds", 6, MINUTE, N_("Too many win probabilities calculated at the moment."), vital=False)
"""Rulesets whose win probabilities a process calculates for the first time, from all clients and processes together.

Each takes up to 5 seconds of a core, in which everything else in that process is slower.
"""
TABLES = Limit("tables", 120, HOUR, N_("Too many lists imported from here."), vital=False)
"""Previews and imports of players and results, per client (`asker`); an Excel file can take a few seconds.

Each process reads only one at a time (`one_at_a_time`), so that phones can go on saving hands."""
COSTLY = Limit("costly", 60, MINUTE, N_("Too many files requested from here."), vital=False)
"""Archives, spreadsheets, pictures and long game logs, which are slow to make, per client (`asker`)."""
TABLE_FILES = Limit("table-files", 20, HOUR, COSTLY.says, vital=False)
"""Exports of home tables, per client (`asker`); each replays all games of the table."""
PAGES = Limit("pages", 120, MINUTE, N_("Too many pages requested from here."), vital=False, free=30)
"""Pages of open clubs (leagues with public pages) that aren't in the cache, per network (`surroundings`)."""
HANDS = Limit("hands", 90, MINUTE, N_("That's faster than anyone can play."), vital=False, free=30)
"""Hands and other changes of a game, per phone if it may score that game, otherwise per client (`asker`).

All phones in a hall have the same address, so they would use up a limit per client together.
"""


class Limiter:
    """Counts how often clients do things that have a limit, for one application."""

    def __init__(self, storage: BookStorage, key: str) -> None:
        """Keep the counts in the database `storage`.

        Clients are stored only as hashes, which are made with the secret `key`.
        """
        self._key = key.encode()
        self._moving = MovingWindowRateLimiter(storage)
        self._here: LRUCache[tuple[str, str], deque[float]] = LRUCache(MOST_HERE)
        self._lock = Lock()
        self.storage = storage

    def wait(self, limit: Limit, who: str) -> int:
        """Count one use by the client `who` and return 0.

        If the limit is reached, return the seconds to wait, at least 1.
        """
        if limit.free and self._is_free(limit, who):
            return 0
        item = _item(limit)
        if self._moving.hit(item, self._hash(who)):
            return 0
        return max(1, math.ceil(self._moving.get_window_stats(item, self._hash(who)).reset_time - time.time()))

    def knows(self, limit: Limit, who: str) -> bool:
        """Return whether this process recently allowed the client `who` a use under `limit`.

        The database isn't queried.
        """
        return (limit.name, who) in self._here

    def forget(self, limit: Limit, who: str) -> None:
        """Reset the count of the client `who` under `limit`."""
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
    """Set up rate limits for `app`, unless they are off.

    The counts are in a file of the instance folder or in PostgreSQL.
    """
    if not app.config["LIMITS"]:
        return
    with app.app_context():
        engine = db.engine
    folder: Path = app.config["INSTANCE"]
    storage = BookStorage(open_file(folder / FILE) if engine.dialect.name == "sqlite" else engine)
    app.extensions["limiter"] = Limiter(storage, app.config["SECRET_KEY"])


def asker() -> str:
    """Return the client's IP address. For IPv6, return its /64 network, since a home has a whole /64.

    The result is "unknown" if the request has no address.
    """
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(getattr(address, "ipv4_mapped", None) or address)


def surroundings() -> str:
    """Return the network around the client: the /48 of an IPv6 address, or the /24 of an IPv4 address.

    One customer can get a whole /48 with 65,536 networks in it. A /24 is the smallest block that is routed by itself. A
    private address is returned unchanged, since nobody on a home network has many addresses.
    """
    here = asker()
    return here if HOUSE.match(here) else network(here) or here


def count(limit: Limit, who: str) -> int:
    """Count one use by the client `who` and return 0. If the limit is reached, return the seconds to wait, at least 1.

    The result is 0 if rate limits are off. If the database fails, `SQLAlchemyError` is raised for a vital limit, and 0
    is returned for any other.
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
    """Return whether this process recently allowed the client `who` a use under `limit`.

    The result is also True if rate limits are off.
    """
    limiter: Limiter | None = current_app.extensions.get("limiter")
    return limiter is None or limiter.knows(limit, who)


def spend(limit: Limit, who: str) -> None:
    """Count one use by the client `who`. If the limit is reached, abort with 429 and the time to wait.

    Call this function before the check that the limit protects, so that two simultaneous attempts count as two.
    """
    seconds = count(limit, who)
    if seconds:
        refused_because(f"too often: {limit.name}")
        raise TooManyRequests(description=f"{_(limit.says)} {how_long(seconds)}", retry_after=seconds)


def forgive(limit: Limit, who: str) -> None:
    """Reset the count of the client `who` under `limit`, because the client proved to be genuine."""
    limiter: Limiter | None = current_app.extensions.get("limiter")
    if limiter is not None:
        limiter.forget(limit, who)


def limited(*limits: Limit, by: Callable[[], str] = asker) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for views that counts each POST once in each of `limits`.

    `by()` returns the client to count.
    """

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
    """Decorate a view so that each request for the view counts once in the limit `COSTLY`."""

    @wraps(view)
    def counted(*args: P.args, **kwargs: P.kwargs) -> R:
        spend(COSTLY, asker())
        return view(*args, **kwargs)

    return counted


def one_at_a_time(view: Callable[P, R]) -> Callable[P, R]:
    """Decorate a view so that it answers 503 while this process handles another request for the same view.

    Use this decorator for views that are slow or need much memory. If a request waited instead, it would occupy a
    thread that is needed for saving hands.
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
    """Return a sentence that says how long to wait, like "Try again in 20 seconds.", in the reader's language."""
    if seconds <= MINUTE:
        return ngettext("Try again in %(num)s second.", "Try again in %(num)s seconds.", seconds)
    minutes = math.ceil(seconds / MINUTE)
    return ngettext("Try again in %(num)s minute.", "Try again in %(num)s minutes.", minutes)
