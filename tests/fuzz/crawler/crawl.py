"""Goes through all of it, with right and without, and looks at each answer and at what became of the score book."""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict, deque
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlencode

from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.accounts.secret_words import hash_of
from tests.accounts.directors import COOKIE as ACCOUNT_COOKIE
from tests.fuzz.crawler.answers import check_answer, has_odd_characters, is_text
from tests.fuzz.crawler.fault import Fault
from tests.fuzz.crawler.filling import body, carefully, filled, pressed, told
from tests.fuzz.crawler.reading import Form, Reader
from tests.fuzz.crawler.rights import Answered, Asker, judge
from tests.fuzz.crawler.rows import Watch
from tests.fuzz.crawler.slips import METHODS, ODD_HEADERS
from tests.fuzz.crawler.world import STRANGERS
from tests.page_checks import check_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from werkzeug.routing import Rule
    from werkzeug.test import TestResponse

    from tests.fuzz.crawler.world import Actor, World

BY_A_SECRET = frozenset(("games.let_in", "games.recover", "leagues.accept", "leagues.accept_anew"))
"""Where a word that somebody was given brings a right, besides the addresses that hold one."""
SECRETS = frozenset(("word", "secret"))
"""What they are called in an address."""
TOLD_NOTHING = frozenset(("anonymous", "stranger"))
"""Who was never given such a word."""
ENDS = (
    "deletion",
    "closing",
    "sign-out",
    "abandonment",
    "concession",
    "sessions",
    "anonymous",
    "merge",
    "void",
    "roles",
)
"""Words in the addresses of forms after which there is less to see."""
SEEN_LAST = 40
NUMBERS = ["3", "2", "1"]
"""What stands in an address whose place nobody has told us more of."""


class Asked(NamedTuple):
    """A request, as it can be repeated."""

    who: str
    method: str
    path: str
    sent: str
    status: int

    def __str__(self) -> str:
        return f"{self.status} {self.who}: {self.method} {self.path} {self.sent[:600]}"


class Crawler:
    """Takes one step after another; raises `Fault`, with the requests that led to it."""

    def __init__(self, world: World, log: logging.Handler | None = None) -> None:
        self.world = world
        self.app = world.app
        self.watch = Watch(world.app)
        self.urls = world.app.url_map.bind("localhost")
        self.rules = [
            (rule, method) for rule in world.app.url_map.iter_rules() for method in sorted(rule.methods or ())
        ]
        self.rules = [(rule, method) for rule, method in self.rules if method in {"GET", "POST"}]
        self.went: Counter[tuple[str, str]] = Counter()
        self.refused: Counter[tuple[str, str]] = Counter()
        self.statuses: Counter[int] = Counter()
        self.posts: Counter[int] = Counter()
        self.by: Counter[str] = Counter()
        self.changed = 0
        self.last: deque[Asked] = deque(maxlen=SEEN_LAST)
        self.shapes: dict[str, list[Form]] = defaultdict(list)
        self.looked: set[tuple[str, int]] = set()
        self.errors: list[str] = []
        self.instance = str(world.app.config.get("INSTANCE", world.app.instance_path))
        self._handler = _Listener(self.errors)
        logging.getLogger().addHandler(self._handler)
        self.app.logger.addHandler(self._handler)
        self._page: tuple[TestResponse, Reader] | None = None

    @property
    def requests(self) -> int:
        """Return how many were sent."""
        return sum(self.statuses.values())

    def close(self) -> None:
        """Stop listening."""
        logging.getLogger().removeHandler(self._handler)
        self.app.logger.removeHandler(self._handler)
        self.watch.close()

    def tour(self) -> None:
        """Open every address once with ids of each kind, by everybody: what can be seen is known from then on."""
        for actor in self.world.actors.values():
            pool = dict(self.world.foreign if actor.name in STRANGERS else self.world.own)
            if actor.name in TOLD_NOTHING:
                pool |= {key: ["abcdefghij"] for key in SECRETS}
            for rule, method in self.rules:
                if method == "GET":
                    self.ask(
                        actor,
                        "GET",
                        self._built(rule, {name: pool.get(name, NUMBERS)[-1] for name in rule.arguments}),
                        look=True,
                    )

    def press(self, actor: Actor) -> None:
        """Send every form that the actor is shown, as people would fill it in; what ends something comes last."""
        seen: set[str] = set()
        for late in (False, True):
            for endpoint in sorted(actor.links):
                path = actor.links[endpoint][-1]
                if any(word in path for word in ENDS):
                    continue
                for place in range(60):
                    forms = self._forms(self.ask(actor, "GET", path, look=True))
                    if place >= len(forms):
                        break
                    known = f"{self._endpoint(forms[place].action, forms[place].method)} {forms[place].action}"
                    if known in seen or any(word in forms[place].action for word in ENDS) != late:
                        continue
                    seen.add(known)
                    self._send(actor, forms[place], Random(f"{known} {self.requests}"), [], "none")

    def take(self, step: tuple[int, list[tuple[int, str]], str]) -> None:
        """Send one request of those that somebody could, and follow where it leads."""
        start, slips, odd = step
        # Hypothesis likes to draw the same number often; what is chosen by it should be another one each time.
        choice = Random(f"{start} {self.requests}")
        actor = choice.choice(list(self.world.actors.values()))
        if actor.name == "anonymous":
            actor.phone.delete_cookie(COOKIE)
        kind = choice.random()
        if kind < 0.1:
            self.ask(actor, "GET", _some_link(actor, choice), odd=odd, choice=choice)
        elif kind < 0.6:
            forms = self._forms(self.ask(actor, "GET", _some_link(actor, choice), look=True))
            if forms:
                self._send(actor, choice.choice(forms), choice, slips if choice.random() < 0.4 else [], odd)
        elif kind < 0.75 and self.shapes:
            endpoint = choice.choice(sorted(self.shapes))
            if actor.name in TOLD_NOTHING and self._by_a_secret(endpoint):
                return
            shape = choice.choice(self.shapes[endpoint])
            self._send(actor, shape, choice, slips if choice.random() < 0.3 else [], odd, aim=True)
        else:
            rule, method = choice.choice(self.rules)
            path = self._built(rule, self._ids(rule, choice, slips, actor))
            fields = [
                ("csrf_token", actor.token),
                ("client_id", f"tap-{start}-{self.requests}"),
                ("version", str(choice.randrange(9))),
            ]
            self.ask(actor, method, path, fields if method == "POST" else [], odd=odd, choice=choice)

    def ask(
        self,
        actor: Actor,
        method: str,
        path: str,
        fields: Iterable[tuple[str, Any]] = (),
        *,
        odd: str = "none",
        choice: Random | None = None,
        again: int = 2,
        look: bool = False,
    ) -> TestResponse:
        """Send a request, hold its answer to what every answer owes, and the score book to what it may have become."""
        choice = choice or Random(0)
        fields = list(fields)
        sent: dict[str, Any] = {}
        headers: dict[str, str] = {}
        if odd == "header":
            headers = dict(choice.choice(ODD_HEADERS))
        elif odd == "method":
            method = choice.choice(METHODS)
        elif odd == "token":
            fields = [(name, value) for name, value in fields if name != "csrf_token"]
        elif odd == "token of another":
            other = choice.choice(list(self.world.others(actor)))
            fields = [(name, other.token if name == "csrf_token" else value) for name, value in fields]
        elif odd == "twice":
            fields *= 2
        elif odd == "fewer" and fields:
            fields.pop(choice.randrange(len(fields)))
        if method not in {"GET", "HEAD"}:
            sent = body(fields, odd, choice)
        account, before = self._account(actor), dict(self.watch.book)
        try:
            response = FlaskClient.open(actor.phone, path, method=method, headers=headers, buffered=True, **sent)
        except (UnicodeError, ValueError) as error:
            raise Fault(f"{method} {path}: {error!r}") from error
        self.last.append(Asked(actor.name, method, path, f"{headers or ''} {odd} {told(fields)}", response.status_code))
        self.statuses[response.status_code] += 1
        if method == "POST":
            self.posts[response.status_code] += 1
        self.by[actor.name] += 1
        endpoint = self._noted(path, method, response.status_code)
        try:
            check_answer(response, endpoint, self.instance)
        except Fault as fault:
            raise Fault(f"{fault} {self.errors[-1:]}") from fault
        self._read(response, endpoint)
        changes = self.watch.changes()
        if changes:
            self.changed += 1
            by_word = actor.name not in TOLD_NOTHING and self._by_a_secret(endpoint)
            asker = Asker(self._device(actor), account, by_word)
            judge(changes, before, self.watch.book, asker, Answered(endpoint, method, response))
        if odd in {"token", "token of another"} and method == "POST" and response.status_code in {200, 302, 303}:
            raise Fault("a form without its token was taken")
        self._page = None
        # Reading a page takes as long as making it.
        if look or self.requests % 6 == 0:
            self._learn(actor, response)
        if response.status_code == 303 and method == "POST" and choice.random() < 0.6:
            forms = self._forms(self.ask(actor, "GET", response.location, look=True))
            if forms and again:
                # One thing leads to another: a bid to its hand, a draw to its tables.
                self._send(actor, choice.choice(forms), choice, [], "none", again=again - 1)
        elif method == "POST" and response.status_code in {200, 409} and again and choice.random() < 0.7:
            # What a form does is shown first; then it is meant.
            forms = [form for form in self._forms(response) if form.action == path]
            if forms:
                self._send(actor, forms[0], choice, [], "none", again=again - 1)
        return response

    def _read(self, response: TestResponse, endpoint: str) -> None:
        """Raise `Fault` for a page that is none; of each kind the first is read, and then one of many."""
        if self.errors:
            raise Fault(f"in the log: {self.errors}")
        status = response.status_code
        if response.mimetype != "text/html" or 300 <= status < 400 or not is_text(response):
            return
        if (endpoint, status) not in self.looked or self.requests % 40 == 0:
            self.looked.add((endpoint, status))
            text = response.get_data(as_text=True)
            try:
                check_page(text)
            except Exception as error:
                if not has_odd_characters(text):
                    raise Fault(f"the page: {error!r}") from error

    def _by_a_secret(self, endpoint: str) -> bool:
        return endpoint in BY_A_SECRET or any(
            SECRETS & rule.arguments for rule, _method in self.rules if rule.endpoint == endpoint
        )

    def _device(self, actor: Actor) -> str:
        cookie = actor.phone.get_cookie(COOKIE)
        return "" if cookie is None else hash_of(cookie.value)

    def _account(self, actor: Actor) -> int | None:
        cookie = actor.phone.get_cookie(ACCOUNT_COOKIE)
        secret = "" if cookie is None else hash_of(cookie.value)
        rows = self.watch.book["account_session"].values()
        return next((row["account_id"] for row in rows if row["secret"] == secret and row["ended_at"] is None), None)

    def _noted(self, path: str, method: str, status: int) -> str:
        """Count the answer for its route and return its endpoint."""
        where = path.partition("?")[0]
        try:
            rule, _values = self.urls.match(where, method, return_rule=True)
            methods = [method]
        except MethodNotAllowed as error:
            methods = [each for each in error.valid_methods or () if each in {"GET", "POST"}]
            known = next((each for each in methods if self._endpoint(where, each)), "")
            if not known:
                return ""
            rule, _values = self.urls.match(where, known, return_rule=True)
        except HTTPException:
            return ""
        for each in methods:
            (self.refused if status >= 400 else self.went)[rule.rule, each] += 1
        return str(rule.endpoint)

    def _learn(self, actor: Actor, response: TestResponse) -> None:
        if response.mimetype != "text/html" or "Content-Encoding" in response.headers or response.status_code == 303:
            return
        text = response.get_data(as_text=True)
        page = Reader(response.request.path, text)
        if page.faults and not has_odd_characters(text):
            raise Fault(f"the page is not well formed: {page.faults[:3]}")
        self._page = (response, page)
        for link in page.links:
            actor.remember(self._endpoint(link, "GET"), link)
        for form in page.forms:
            token = next((each.value for each in form.fields if each.name == "csrf_token"), "")
            actor.token = token or actor.token
            endpoint = self._endpoint(form.action, form.method)
            self.shapes[endpoint] = [*self.shapes[endpoint], form][-4:]

    def _forms(self, response: TestResponse) -> list[Form]:
        """The forms of the page that was read last, if it is this one."""
        return self._page[1].forms if self._page is not None and self._page[0] is response else []

    def _endpoint(self, path: str, method: str) -> str:
        try:
            return str(self.urls.match(path.partition("?")[0], method)[0])
        except HTTPException:
            return ""

    def _send(
        self,
        actor: Actor,
        form: Form,
        choice: Random,
        slips: list[tuple[int, str]],
        odd: str,
        *,
        aim: bool = False,
        again: int = 2,
    ) -> None:
        """Fill a form in; `aim`: one that somebody else was shown, as if it were this one's."""
        careful = choice.random() < 0.5
        fill = carefully if careful else filled
        fields: list[tuple[str, Any]] = [pair for each in form.fields for pair in fill(each, choice)]
        action, method = form.action, form.method
        if form.buttons:
            name, value, elsewhere = pressed(form.buttons, choice, careful=careful)
            fields += [(name, value)] if name else []
            action = elsewhere or action
        fields = [(name, actor.token if name == "csrf_token" else value) for name, value in fields]
        if choice.random() < 0.5:
            tap = f"tap-{choice.getrandbits(40)}"
            fields = [(name, tap if name == "client_id" else value) for name, value in fields]
        open_to = [place for place, (name, _value) in enumerate(fields) if name != "csrf_token"]
        for place, value in slips:
            if open_to:
                at = open_to[place % len(open_to)]
                fields[at] = (fields[at][0], value)
        if aim and choice.random() < 0.5:
            action = self._elsewhere(action, choice, actor)
        if method == "GET":
            told = urlencode([(name, value) for name, value in fields if isinstance(value, str)], errors="replace")
            self.ask(actor, "GET", f"{action.partition('?')[0]}?{told}", odd=odd, choice=choice)
        else:
            self.ask(actor, "POST", action, fields, odd=odd, choice=choice, again=again, look=True)

    def _elsewhere(self, path: str, choice: Random, actor: Actor) -> str:
        """The same address of another game or league."""
        try:
            rule, _values = self.urls.match(path.partition("?")[0], "POST", return_rule=True)
        except HTTPException:
            return path
        return self._built(rule, self._ids(rule, choice, [], actor))

    def _ids(self, rule: Rule, choice: Random, slips: list[tuple[int, str]], actor: Actor) -> dict[str, str]:
        pools = [self.world.own, self.world.foreign]
        pool, other = choice.sample(pools, 2)
        told = {}
        for name in rule.arguments:
            kind = choice.random()
            if name in SECRETS and actor.name in TOLD_NOTHING:
                told[name] = "abcdefghij"
            elif kind < 0.75:
                told[name] = choice.choice(pool.get(name, NUMBERS))
            elif kind < 0.85:
                told[name] = choice.choice(other.get(name, NUMBERS))
            else:
                told[name] = (
                    choice.choice(("bcdfghjkmn", "0", "-1", "99999999999999999999", *(v for _n, v in slips))) or "x"
                )
        return told

    def _built(self, rule: Rule, values: dict[str, str]) -> str:
        def put(match: re.Match[str]) -> str:
            name = match[1].rpartition(":")[2]
            return quote(values[name], safe="/" if name == "filename" else "", errors="replace")

        return re.sub(r"<([^>]+)>", put, rule.rule)


def _some_link(actor: Actor, choice: Random) -> str:
    """A page of any kind that the actor knows: each kind as often as another."""
    kinds = sorted(actor.links)
    return choice.choice(actor.links[choice.choice(kinds)]) if kinds else "/"


class _Listener(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message and the trace."""
        self.errors.append(logging.Formatter().format(record)[-3_000:])
