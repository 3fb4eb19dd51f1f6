"""Goes through all of it, with right and without, and looks at each answer and at what became of the score book."""

from __future__ import annotations

import io
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
from tests.fuzz.crawler.reading import Field, Form, Reader
from tests.fuzz.crawler.rows import Watch, home_of, nights_of
from tests.fuzz.crawler.slips import METHODS, ODD_HEADERS, TYPES
from tests.fuzz.crawler.world import STRANGERS
from tests.fuzz.samples import PEOPLE, RESULTS
from tests.page_checks import check_headers, check_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from werkzeug.routing import Rule
    from werkzeug.test import TestResponse

    from tests.fuzz.crawler.rows import Book, Change
    from tests.fuzz.crawler.world import Actor, World

LEAKS = re.compile(
    r"Traceback \(most recent|File \"/|sqlalchemy\.|sqlite3\.|psycopg\.|site-packages|\.py\b:\d"
    r"|\bSELECT [\w.\", ]+ FROM |\bINSERT INTO \w+ \(|\bUPDATE \w+ SET \w"
)
"""What tells how it was made, or where it stands."""
TYPES_OF_ANSWERS = frozenset(
    (
        "text/html", "application/json", "text/css", "text/javascript", "image/svg+xml", "image/png", "text/csv",
        "application/zip", "application/manifest+json", "text/plain", "font/woff2", "application/x-x509-ca-cert",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    )
)  # fmt: skip
NOTED_ANYWAY = frozenset(("account_event",))
"""Tables in which a refusal is written down."""
BY_A_SECRET = frozenset(("games.let_in", "games.recover", "leagues.accept", "leagues.accept_anew"))
"""Where a word that somebody was given brings a right, besides the addresses that hold one."""
SECRETS = frozenset(("word", "secret"))
"""What they are called in an address."""
TOLD_NOTHING = frozenset(("anonymous", "stranger"))
"""Who was never given such a word."""
SIGNING_IN = frozenset(("accounts.sign_in", "accounts.sign_up", "accounts.open_by_code", "accounts.open_by_link"))
PLAUSIBLE = {
    "name": ("Ann", "Zed", "Ida"), "names": ("Kim\nLou", "Max"), "reason": ("a slip of the pen",),
    "username": ("Owner", "Helper", "Nobody"), "current_password": ("four sleepy badgers", "wrong wrong wrong"),
    "new_password": ("four sleepy badgers", "another long sentence"), "totals": ("21 9",), "day": ("2027-01-05",),
    "text": (PEOPLE[0], RESULTS[0], '{"format": "scorekeeper-game/1"}'), "cents": ("5", "2.50"), "bidder": ("0", "1"),
}  # fmt: skip
IN_PART = frozenset(("leagues.enter_results",))
"""Where the page says that what was right is saved, and only the rest is refused: the scores of a whole round."""
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


class Fault(Exception):
    """An answer, or what became of the score book, that must not be."""


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
            sent = _body(fields, odd, choice)
        account, before = self._account(actor), dict(self.watch.book)
        try:
            response = FlaskClient.open(actor.phone, path, method=method, headers=headers, buffered=True, **sent)
        except (UnicodeError, ValueError) as error:
            raise Fault(f"{method} {path}: {error!r}") from error
        self.last.append(
            Asked(actor.name, method, path, f"{headers or ''} {odd} {_told(fields)}", response.status_code)
        )
        self.statuses[response.status_code] += 1
        if method == "POST":
            self.posts[response.status_code] += 1
        self.by[actor.name] += 1
        endpoint = self._noted(path, method, response.status_code)
        self._answer(response, method, endpoint)
        changes = self.watch.changes()
        if changes:
            self._judge(changes, before, actor, account, method, endpoint, response)
        if odd in {"token", "token of another"} and method == "POST" and response.status_code in {200, 302, 303}:
            raise Fault("a form without its token was taken")
        self._page = None
        # Reading a page takes as long as making it.
        if look or self.requests % 6 == 0:
            self._learn(actor, response)
        if response.status_code == 303 and method == "POST" and choice.random() < 0.6:
            self.ask(actor, "GET", response.location)
        elif method == "POST" and response.status_code in {200, 409} and again and choice.random() < 0.7:
            # What a form does is shown first; then it is meant.
            forms = [form for form in self._forms(response) if form.action == path]
            if forms:
                self._send(actor, forms[0], choice, [], "none", again=again - 1)
        return response

    def _answer(self, response: TestResponse, method: str, endpoint: str) -> None:
        status = response.status_code
        if status >= 500:
            raise Fault(f"{response.status}: {self.errors[-1:]}")
        if self.errors:
            raise Fault(f"in the log: {self.errors}")
        try:
            check_headers(response)
        except AssertionError as error:
            raise Fault(f"headers: {error}") from error
        if response.data and response.mimetype not in TYPES_OF_ANSWERS:
            raise Fault(f"a strange type: {response.content_type}")
        if (
            not response.data
            or "Content-Encoding" in response.headers
            or not str(response.mimetype).startswith(("text/", "application/json", "image/svg"))
        ):
            return
        text = response.get_data(as_text=True)
        found = None if endpoint == "static" else LEAKS.search(text)
        if found is not None or self.instance in text:
            raise Fault(f"it tells too much: {found and text[max(0, found.start() - 80) : found.end() + 80]}")
        if response.mimetype != "text/html" or 300 <= status < 400:
            return
        known = (endpoint, status)
        if known not in self.looked or self.requests % 40 == 0:
            self.looked.add(known)
            try:
                check_page(text)
            except Exception as error:
                if not _odd_characters(text):
                    raise Fault(f"the page: {error!r}") from error

    def _judge(
        self,
        changes: list[Change],
        before: Book,
        actor: Actor,
        account: int | None,
        method: str,
        endpoint: str,
        response: TestResponse,
    ) -> None:
        self.changed += 1
        told = "; ".join(map(str, changes[:4]))
        if method != "POST":
            changes = [each for each in changes if not _only_seen(each)]
            if changes:
                raise Fault(f"{method} changed something: {told}")
        if response.status_code >= 400:
            kept = (response.status_code == 409 and response.is_json) or endpoint in IN_PART
            changes = [each for each in changes if each.table not in NOTED_ANYWAY and not _challenge(each)]
            if changes and not kept:
                raise Fault(f"refused with {response.status_code}, and yet: {told}")
        for change in changes:
            if not self._may(before, change, actor, account, endpoint):
                raise Fault(f"without right: {change}")

    def _may(self, before: Book, change: Change, actor: Actor, account: int | None, endpoint: str) -> bool:
        home = home_of(self.watch.book | before, change) or home_of(self.watch.book, change)
        if home is None:
            return True
        kind, which = home
        device = self._device(actor)
        if actor.name not in TOLD_NOTHING and self._by_a_secret(endpoint):
            return True
        if kind == "device":
            return bool(which == device)
        if kind == "account":
            fresh = which not in before["account"]
            return which == account or fresh or change.table in NOTED_ANYWAY or endpoint in SIGNING_IN
        if kind == "game":
            return which not in before["game"] or self._may_score(before, which, device, account)
        if which not in before["league"]:
            return True
        return self._in_league(before, which, device, account) or any(
            table["game_id"] is not None and self._scores(before, table["game_id"], device)
            for table in before["league_table"].values()
            if table["night_id"] in set(nights_of(before, which))
        )

    def _by_a_secret(self, endpoint: str) -> bool:
        return endpoint in BY_A_SECRET or any(
            SECRETS & rule.arguments for rule, _method in self.rules if rule.endpoint == endpoint
        )

    def _may_score(self, before: Book, game: int, device: str, account: int | None) -> bool:
        if self._scores(before, game, device):
            return True
        for table in before["league_table"].values():
            if table["game_id"] == game:
                league = before["season"][before["night"][table["night_id"]]["season_id"]]["league_id"]
                return self._in_league(before, league, device, account)
        return False

    def _scores(self, before: Book, game: int, device: str) -> bool:
        return before["game"][game]["device"] == device or any(
            row["game_id"] == game and row["device"] == device and row["revoked_at"] is None
            for row in before["scorer"].values()
        )

    def _in_league(self, before: Book, league: int, device: str, account: int | None) -> bool:
        return before["league"][league]["device"] == device or any(
            row["league_id"] == league and row["account_id"] == account for row in before["league_role"].values()
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
        if page.faults and not _odd_characters(text):
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
        fields: list[tuple[str, Any]] = [pair for each in form.fields for pair in _filled(each, choice)]
        action, method = form.action, form.method
        if form.buttons:
            name, value, elsewhere = choice.choice(form.buttons)
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


def _filled(told: Field, choice: Random) -> list[tuple[str, Any]]:
    """What a browser sends for a field in which somebody chose or wrote something."""
    name, kind, value = told.name, told.kind, told.value
    if kind == "hidden":
        return [(name, value)]
    if kind == "radio":
        return [(name, choice.choice(told.choices))] if choice.random() < 0.7 else [(name, value)] if told.on else []
    if kind == "checkbox":
        return [(name, value)] if choice.random() < 0.5 or (told.on and choice.random() < 0.5) else []
    if kind == "select":
        return [(name, choice.choice(told.choices) if told.choices and choice.random() < 0.5 else value)]
    if kind == "file":
        return (
            [(name, (io.BytesIO(choice.choice((*PEOPLE, *RESULTS)).encode()), "table.csv"))]
            if choice.random() < 0.3
            else []
        )
    if value and choice.random() < 0.6:
        return [(name, value)]
    if kind == "number":
        low, high = (int(each) if each.lstrip("-").isdigit() else std for each, std in ((told.low, 0), (told.high, 10)))
        return [(name, str(choice.randint(low, max(low, min(high, low + 30)))))]
    stem = name.rstrip("0123456789-")
    return [(name, choice.choice(PLAUSIBLE.get(stem, ("1", "Ann", "", "12", "3.50", "2027-02-01"))))]


def _body(fields: list[tuple[str, Any]], odd: str, choice: Random) -> dict[str, Any]:
    """How the fields are sent."""
    if odd == "body":
        return {
            "data": choice.randbytes(60),
            "content_type": choice.choice((*TYPES, "application/x-www-form-urlencoded")),
        }
    if odd == "type":
        return {
            "data": urlencode([(n, v) for n, v in fields if isinstance(v, str)]),
            "content_type": choice.choice(TYPES),
        }
    data: dict[str, list[Any]] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    if any(not isinstance(value, str) for _name, value in fields):
        return {"data": data, "content_type": "multipart/form-data"}
    return {"data": urlencode(fields, errors="replace"), "content_type": "application/x-www-form-urlencoded"}


def _told(fields: list[tuple[str, Any]]) -> str:
    return str(
        [(name, value if isinstance(value, str) else "a file") for name, value in fields if name != "csrf_token"]
    )


def _odd_characters(text: str) -> bool:
    """Whether a page shows a character back that stands in no page: what a strict reader refuses, not a browser."""
    return any(
        (ord(char) < 32 and char not in "\t\n\r\f") or ord(char) & 0xFFFE == 0xFFFE or 0x7F <= ord(char) < 0xA0
        for char in text
    )


def _only_seen(change: Change) -> bool:
    """Whether only the day was noted on which somebody who is signed in was seen last."""
    return change.table == "account_session" and change.before is not None and change.after is not None


def _challenge(change: Change) -> bool:
    return change.table == "account_session" and change.after is not None and change.before is not None
