"""A crawler walks through the whole app, with and without rights, choosing requests and filling in forms."""

from __future__ import annotations

from collections import defaultdict, deque
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from scorekeeper.accounts.devices import COOKIE
from tests.fuzz.crawler.addresses import SECRETS, Routes, built
from tests.fuzz.crawler.answers import has_odd_characters
from tests.fuzz.crawler.asking import Asking
from tests.fuzz.crawler.fault import Fault
from tests.fuzz.crawler.filling import carefully, filled, pressed
from tests.fuzz.crawler.offline_hands import AS_JSON, FORMS, KEPT, kept_hands
from tests.fuzz.crawler.reading import Form, Reader
from tests.fuzz.crawler.world import STRANGERS, TOLD_NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from werkzeug.routing import Rule
    from werkzeug.test import TestResponse

    from tests.fuzz.crawler.world import Actor, World

T = TypeVar("T")

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
"""Words in the addresses of forms that end or delete something. The crawler sends these forms last."""
EARLY = 0.4
"""How strongly `_early` prefers the first items of a list. With a higher number, later items are chosen less often."""
LEARNED_OF = 6
"""One in this many responses is parsed for links and forms. Other responses are parsed only if a caller asks for it.

Parsing takes long.
"""
CODES_KEPT = 6
"""Number of the latest backup codes that are remembered."""
NO_WORD = "abcdefghij"
"""A wrong token, for actors who never got one."""
NUMBERS = ["3", "2", "1"]
"""Values for variable parts of addresses for which there are no known values."""


class Crawler:
    """A crawler that sends one request after another.

    If a method raises `Fault`, `tally.last` has the latest requests.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.routes = Routes(world.app)
        self._asking = Asking(world, self.routes)
        self.tally = self._asking.tally
        self._shapes: dict[str, list[Form]] = defaultdict(list, {key: [form] for key, form in FORMS.items()})
        self._codes: deque[str] = deque(maxlen=CODES_KEPT)
        self._page: tuple[TestResponse, Reader] | None = None

    def close(self) -> None:
        """Stop listening to the log, and close the database connection."""
        self._asking.close()

    def renew(self) -> None:
        """Start new games and nights between two requests.

        The new rows are read at once. Otherwise the crawler would take them for changes made by the next request.
        """
        self.world.renew()
        self._asking.watch.changes()

    def tour(self, *names: str) -> None:
        """Request every page once as each actor, and then post a form to every address as the actor "stranger".

        If `names` are given, only the actors with these names do so. Each actor remembers the pages that it can open.
        """
        for actor in [self.world.actors[name] for name in names] or self.world.actors.values():
            pool = dict(self.world.foreign if actor.name in STRANGERS else self.world.own)
            if actor.name in TOLD_NOTHING:
                pool |= {key: [NO_WORD] for key in SECRETS}
            for rule, method in self.routes.all:
                if method == "GET":
                    self.ask(actor, "GET", built(rule, _newest(rule, pool)), look=True)
        stranger = self.world.actors["stranger"]
        pool = self.world.own | {key: [NO_WORD] for key in SECRETS}
        for rule, method in self.routes.all:
            if method == "POST":
                fields = [("csrf_token", stranger.token), ("client_id", self._tap()), ("version", "3")]
                self.ask(stranger, "POST", built(rule, _newest(rule, pool)), fields)

    def press(self, actor: Actor) -> None:
        """Fill in and send every form on the pages that the actor knows, as people would.

        Forms that end something are sent last. The address of such a form contains a word of `ENDS`.
        """
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
                    action = forms[place].action
                    known = f"{self.routes.endpoint(action, forms[place].method)} {action}"
                    if known in seen or any(word in action for word in ENDS) != late:
                        continue
                    seen.add(known)
                    self._send(actor, forms[place], Random(f"{known} {self.tally.requests}"), [], "none")

    def take(self, step: tuple[int, list[tuple[int, str]], str]) -> None:
        """Send a random request as a random actor. Often, more requests follow from its response.

        A step is (random number, hostile values, oddity). Each hostile value is a pair: the index of a form field, and
        the new value of that field. The oddity, an item of `ODDITIES`, says what is unusual about the request.
        """
        start, slips, odd = step
        # Hypothesis likes to draw the same number often; what is chosen by it should be another one each time.
        choice = Random(f"{start} {self.tally.requests}")
        actor = choice.choice(list(self.world.actors.values()))
        if actor.name == "anonymous":
            actor.phone.delete_cookie(COOKIE)
        kind = choice.random()
        if kind < 0.1:
            self.ask(actor, "GET", self._link(actor, choice), odd=odd, choice=choice)
        elif kind < 0.6:
            forms = self._forms(self.ask(actor, "GET", self._link(actor, choice), look=True))
            if forms:
                self._send(actor, self._new(forms, choice), choice, slips if choice.random() < 0.4 else [], odd)
        elif kind < 0.75:
            shape = self._new([choice.choice(forms) for _endpoint, forms in sorted(self._shapes.items())], choice)
            if actor.name in TOLD_NOTHING and self.routes.by_a_secret(self.routes.endpoint(shape.action, "POST")):
                return
            self._send(actor, shape, choice, slips if choice.random() < 0.3 else [], odd, aim=True)
        else:
            rule, method = choice.choice(self.routes.all)
            path = built(rule, self._ids(rule, choice, slips, actor))
            fields = [
                ("csrf_token", actor.token),
                ("client_id", self._tap()),
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
        """Send a request, remember the links and forms of its response, and return the response.

        Often a redirect is followed, or a preview is confirmed, at most `again` times. `odd`, an item of `ODDITIES`,
        says what is unusual about the request. With `look`, the response is always parsed for links and forms;
        otherwise only sometimes.
        """
        choice = choice or Random(0)
        response, endpoint = self._asking.ask(actor, method, path, list(fields), odd=odd, choice=choice)
        method, status = response.request.method, response.status_code
        self._page = None
        if look or self.tally.requests % LEARNED_OF == 0:
            self._learn(actor, response, endpoint)
        if method == "GET" and status == 200:
            actor.remember(endpoint, path)
        elif method == "GET" and status in {403, 404}:
            actor.forget(endpoint, path)
        if status == 303 and method == "POST" and choice.random() < 0.6:
            forms = self._forms(self.ask(actor, "GET", response.location, look=True))
            if forms and again:
                # One thing leads to another: a bid to its hand, a draw to its tables.
                self._send(actor, choice.choice(forms), choice, [], "none", again=again - 1)
        elif method == "POST" and status in {200, 409} and again and choice.random() < 0.7:
            # What a form does is shown first; then it is meant.
            forms = [form for form in self._forms(response) if form.action == path]
            if forms:
                self._send(actor, forms[0], choice, [], "none", again=again - 1)
        return response

    def _learn(self, actor: Actor, response: TestResponse, endpoint: str) -> None:
        if response.mimetype != "text/html" or "Content-Encoding" in response.headers or response.status_code == 303:
            return
        text = response.get_data(as_text=True)
        page = Reader(response.request.path, text)
        if page.faults and not has_odd_characters(text):
            raise Fault(f"the page is not well formed: {page.faults[:3]}")
        self._page = (response, page)
        by_a_secret = self.routes.by_a_secret
        words = [link for link in page.links + page.handed if by_a_secret(self.routes.endpoint(link, "GET"))]
        if (words or page.codes) and not by_a_secret(endpoint):
            self._asking.shown(actor, response.request.path)
        for link in page.links:
            if link not in words:
                actor.remember(self.routes.endpoint(link, "GET"), link)
        # Give the token to all actors except those who must not learn it, even if it was once theirs.
        for other in self.world.actors.values():
            if other.name not in TOLD_NOTHING:
                for link in words:
                    other.remember(self.routes.endpoint(link, "GET"), link)
        self._codes.extend(page.codes)
        for form in page.forms:
            token = next((each.value for each in form.fields if each.name == "csrf_token"), "")
            actor.token = token or actor.token
            known = self._shapes[self.routes.endpoint(form.action, form.method)]
            known[:] = [*known, form][-4:]

    def _forms(self, response: TestResponse) -> list[Form]:
        """Return the forms of the response that was parsed last. For any other response, return an empty list."""
        return self._page[1].forms if self._page is not None and self._page[0] is response else []

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
        """Fill in a form and send it, and often follow its response with at most `again` more requests.

        If `aim` is true, half of the time the ids in the form's address are replaced, such as by those of another game.
        Each of `slips` is a pair: the index of a form field, and a hostile value for that field. `odd`, an item of
        `ODDITIES`, says what is unusual about the request.
        """
        careful = choice.random() < 0.5
        fill = carefully if careful else filled
        fields: list[tuple[str, Any]] = [pair for each in form.fields for pair in fill(each, choice)]
        action, method = form.action, form.method
        if form.buttons:
            name, value, elsewhere = pressed(form.buttons, choice, careful=careful)
            fields += [(name, value)] if name else []
            action = elsewhere or action
        if aim and choice.random() < 0.5:
            action = self._elsewhere(action, choice, actor)
        fields = [(name, self._known(actor, name, value, action, choice)) for name, value in fields]
        if choice.random() < 0.5:
            tap = f"tap-{choice.getrandbits(40)}"
            fields = [(name, tap if name == "client_id" else value) for name, value in fields]
        open_to = [place for place, (name, _value) in enumerate(fields) if name != "csrf_token"]
        for place, value in slips:
            if open_to:
                at = open_to[place % len(open_to)]
                fields[at] = (fields[at][0], value)
        if method == "GET":
            told = urlencode([(name, value) for name, value in fields if isinstance(value, str)], errors="replace")
            self.ask(actor, "GET", f"{action.partition('?')[0]}?{told}", odd=odd, choice=choice)
        else:
            self.ask(actor, "POST", action, fields, odd=odd, choice=choice, again=again, look=True)

    def _known(self, actor: Actor, name: str, value: Any, action: str, choice: Random) -> Any:
        """Return the value for a form field: a secret or other data that the actor has, or else `value`.

        `name` is the field's name. Only fields for a CSRF token, a backup code or an offline phone's hands get another
        value. `action` is the form's address, from which the game of the hands is taken.
        """
        if name == "csrf_token":
            return actor.token
        if name == "code" and self._codes and actor.name not in TOLD_NOTHING and choice.random() < 0.8:
            return choice.choice(self._codes)
        if name in {KEPT, AS_JSON} and choice.random() < 0.9:
            _games, _slash, rest = action.removeprefix("/").partition("/")
            return kept_hands(rest.partition("/")[0] or choice.choice(self.world.own["game_id"]), choice)
        return value

    def _new(self, forms: list[Form], choice: Random) -> Form:
        """Return a random form. Half the time, choose among the forms that have succeeded least often."""
        shuffled = choice.sample(forms, len(forms))
        return shuffled[0] if choice.random() < 0.5 else _early(sorted(shuffled, key=self._times), choice)

    def _times(self, form: Form) -> int:
        """Return how often a form with the same endpoint and method succeeded."""
        return self.tally.went[self.routes.endpoint(form.action, form.method), form.method]

    def _link(self, actor: Actor, choice: Random) -> str:
        """Return the address of a random page that the actor knows.

        Half the time, choose among the kinds of pages that were opened least often.
        """
        kinds = choice.sample(sorted(actor.links), len(actor.links))
        if not kinds:
            return "/"
        if choice.random() < 0.5:
            kinds.sort(key=lambda kind: self.tally.went[kind, "GET"])
        return choice.choice(actor.links[_early(kinds, choice)])

    def _elsewhere(self, address: str, choice: Random, actor: Actor) -> str:
        """Return `address` with other ids, for example those of another game or league."""
        rule = self.routes.rule(address, "POST")
        return address if rule is None else built(rule, self._ids(rule, choice, [], actor))

    def _ids(self, rule: Rule, choice: Random, slips: list[tuple[int, str]], actor: Actor) -> dict[str, str]:
        pool, other = choice.sample([self.world.own, self.world.foreign], 2)
        told = {}
        for name in rule.arguments:
            kind = choice.random()
            if name in SECRETS and actor.name in TOLD_NOTHING:
                told[name] = NO_WORD
            elif kind < 0.75:
                told[name] = choice.choice(pool.get(name, NUMBERS))
            elif kind < 0.85:
                told[name] = choice.choice(other.get(name, NUMBERS))
            else:
                told[name] = (
                    choice.choice(("bcdfghjkmn", "0", "-1", "99999999999999999999", *(v for _n, v in slips))) or "x"
                )
        return told

    def _tap(self) -> str:
        return f"tap-by-hand-{self.tally.requests}"


def _newest(rule: Rule, pool: Mapping[str, list[str]]) -> dict[str, str]:
    """Return a value for each variable part of a route's address: the last one in `pool`, which is the newest."""
    return {name: pool.get(name, NUMBERS)[-1] for name in rule.arguments}


def _early(ordered: Sequence[T], choice: Random) -> T:
    """Return a random item, usually one of the first few."""
    return ordered[min(int(choice.expovariate(EARLY)), len(ordered) - 1)]
