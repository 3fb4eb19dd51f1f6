"""Send requests, and check each response and the change to the database."""

from __future__ import annotations

import logging
from collections import Counter, deque
from typing import TYPE_CHECKING, Any, NamedTuple

from flask.testing import FlaskClient

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.db.tokens import derived_id, hash_of
from tests.fuzz.crawler.answers import check_answer, has_odd_characters, is_text
from tests.fuzz.crawler.fault import Fault
from tests.fuzz.crawler.filling import body, told
from tests.fuzz.crawler.rights import Answered, Asker, judge, judge_shown
from tests.fuzz.crawler.rows import Watch
from tests.fuzz.crawler.slips import METHODS, ODD_HEADERS
from tests.fuzz.crawler.world import TOLD_NOTHING
from tests.support.directors import COOKIE as ACCOUNT_COOKIE
from tests.support.page_checks import check_page

if TYPE_CHECKING:
    from random import Random

    from werkzeug.test import TestResponse

    from tests.fuzz.crawler.addresses import Routes
    from tests.fuzz.crawler.filling import Pairs
    from tests.fuzz.crawler.world import Actor, World

SEEN_LAST = 40
ONE_PAGE_OF = 40
"""Of pages of the same kind, the first is checked, and later ones only at every 40th request of the crawler."""


class Asked(NamedTuple):
    """A request that was sent, and the status of its response.

    `str` returns a text from which a person can repeat the request, unless its form data is so long that it is cut off.
    """

    who: str
    method: str
    path: str
    sent: str
    status: int

    def __str__(self) -> str:
        return f"{self.status} {self.who}: {self.method} {self.path} {self.sent[:600]}"


class Tally:
    """Counts of the requests and responses, and the latest requests."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.posts: Counter[int] = Counter()
        self.by: Counter[str] = Counter()
        self.went: Counter[tuple[str, str]] = Counter()
        """Number of requests with a status below 400, by (endpoint, method); `refused` counts the other requests."""
        self.refused: Counter[tuple[str, str]] = Counter()
        self.changed = 0
        self.last: deque[Asked] = deque(maxlen=SEEN_LAST)

    @property
    def requests(self) -> int:
        """Number of requests sent."""
        return sum(self.statuses.values())

    def add(self, asked: Asked, endpoint: str, methods: list[str]) -> None:
        """Count a request, under `endpoint` and each of the `methods`."""
        self.last.append(asked)
        self.statuses[asked.status] += 1
        self.by[asked.who] += 1
        if asked.method == "POST":
            self.posts[asked.status] += 1
        for each in methods:
            (self.refused if asked.status >= 400 else self.went)[endpoint, each] += 1


class Asking:
    """A client that sends requests, and checks each response and the changes in the database."""

    def __init__(self, world: World, routes: Routes) -> None:
        self.tally = Tally()
        self.watch = Watch(world.app)
        self._world = world
        self._routes = routes
        self._looked: set[tuple[str, int]] = set()
        self._errors: list[str] = []
        self._instance = str(world.app.config.get("INSTANCE", world.app.instance_path))
        self._handler = _Listener(self._errors)
        for logger in (logging.getLogger(), world.app.logger):
            logger.addHandler(self._handler)

    def close(self) -> None:
        """Stop listening to the log, and close the database connection."""
        for logger in (logging.getLogger(), self._world.app.logger):
            logger.removeHandler(self._handler)
        self.watch.close()

    def ask(
        self, actor: Actor, method: str, path: str, fields: Pairs, *, odd: str, choice: Random
    ) -> tuple[TestResponse, str]:
        """Send a request as `actor`, and return (response, endpoint).

        Raise `Fault` if the response or a change to the database is wrong. `odd` is an item of `ODDITIES` and says what
        is unusual about the request.
        """
        headers: dict[str, str] = dict(choice.choice(ODD_HEADERS)) if odd == "header" else {}
        method = choice.choice(METHODS) if odd == "method" else method
        fields = self._spoiled(actor, fields, odd, choice)
        sent: dict[str, Any] = {} if method in {"GET", "HEAD"} else body(fields, odd, choice)
        headers |= sent.pop("headers", {})
        account, before = self._account(actor), dict(self.watch.book)
        try:
            response = FlaskClient.open(actor.phone, path, method=method, headers=headers, buffered=True, **sent)
        except (UnicodeError, ValueError) as error:
            raise Fault(f"{method} {path}: {error!r}") from error
        endpoint, methods = self._routes.asked(path, method)
        sent_so = f"{headers or ''} {odd} {told(fields)}"
        self.tally.add(Asked(actor.name, method, path, sent_so, response.status_code), endpoint, methods)
        try:
            check_answer(response, endpoint, self._instance)
        except Fault as fault:
            raise Fault(f"{fault} {self._errors[-1:]}") from fault
        self._read(response, endpoint)
        changes = self.watch.changes()
        if changes:
            self.tally.changed += 1
            by_word = actor.name not in TOLD_NOTHING and self._routes.by_a_secret(endpoint)
            asker = Asker(_device(actor), account, told=by_word, starts=_starts(path, fields))
            judge(changes, before, self.watch.book, asker, Answered(endpoint, method, response))
        if odd in {"token", "token of another"} and method == "POST" and response.status_code in {200, 302, 303}:
            raise Fault("a form without its token was taken")
        return response, endpoint

    def shown(self, actor: Actor, address: str) -> None:
        """Raise `Fault` if `actor` has no rights in the game or league of the page at `address`.

        The method is called for pages that show a secret token.
        """
        judge_shown(self.watch.book, address, Asker(_device(actor), self._account(actor), told=False))

    def _spoiled(self, actor: Actor, fields: Pairs, odd: str, choice: Random) -> Pairs:
        if odd == "token":
            return [(name, value) for name, value in fields if name != "csrf_token"]
        if odd == "token of another":
            other = choice.choice(list(self._world.others(actor)))
            return [(name, other.token if name == "csrf_token" else value) for name, value in fields]
        if odd == "twice":
            return fields * 2
        if odd == "fewer" and fields:
            gone = choice.randrange(len(fields))
            return fields[:gone] + fields[gone + 1 :]
        return fields

    def _read(self, response: TestResponse, endpoint: str) -> None:
        """Raise `Fault` if the app logged an error, or if the response is an invalid page.

        Of pages with the same endpoint and status, the first is checked, and later ones only sometimes.
        """
        if self._errors:
            raise Fault(f"in the log: {self._errors}")
        status = response.status_code
        if response.mimetype != "text/html" or 300 <= status < 400 or not is_text(response):
            return
        if (endpoint, status) not in self._looked or self.tally.requests % ONE_PAGE_OF == 0:
            self._looked.add((endpoint, status))
            text = response.get_data(as_text=True)
            try:
                check_page(text)
            except Exception as error:
                if not has_odd_characters(text):
                    raise Fault(f"the page: {error!r}") from error

    def _account(self, actor: Actor) -> int | None:
        cookie = actor.phone.get_cookie(ACCOUNT_COOKIE)
        secret = "" if cookie is None else hash_of(cookie.value)
        rows = self.watch.book["account_session"].values()
        return next((row["account_id"] for row in rows if row["secret"] == secret and row["ended_at"] is None), None)


def _device(actor: Actor) -> str:
    cookie = actor.phone.get_cookie(COOKIE)
    return "" if cookie is None else hash_of(cookie.value)


class _Listener(logging.Handler):
    """A log handler that appends errors to a list."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        """Append the message and the traceback to the list."""
        self.errors.append(logging.Formatter().format(record)[-3_000:])


def _starts(path: str, fields: Pairs) -> str:
    """Return the public id of the game that a form with these fields would start at `path`."""
    told = sorted(f"{name}={value}" for name, value in fields if name != "csrf_token")
    return derived_id("\n".join((path.partition("?")[0], *told)))
