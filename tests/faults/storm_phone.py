"""A phone in a storm sends what a real phone sends, loses replies, and repeats requests under the same id."""

from __future__ import annotations

import html
import http.client
import json
import re
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from scorekeeper.db.tokens import ALPHABET, ID_LENGTH
from tests.support.wire_phone import HEADERS, Answer, WirePhone

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

LOST = 0.3
"""Share of the server's replies that the phone never sees."""
PATIENCE = 300.0
"""Seconds after which a request that gets no reply counts as a fault of the server."""
LINKS = 3
"""Most score links to try. A link works once, even if the server is killed before it replies to the phone."""
PROXY = (502, 504)
"""Statuses with which a proxy replies if its server is gone."""
JSON = {"Content-Type": "application/json", "Accept": "application/json"}
STANDING = re.compile(r'data-state="([^"]*)"')
NO_JACK = "none"


@dataclass(frozen=True, slots=True)
class Told:
    """A hand as a phone enters it; `number` counts from 1, and `bidder` is the bidder's seat, from 0."""

    number: int
    bidder: int
    bid: int
    points: tuple[int | None, ...]
    """Index of the side that took High, Low, Jack and Game, in that order; None for a jack that wasn't dealt."""

    @property
    def fields(self) -> dict[str, object]:
        """The winners of the points, as fields of the points form."""
        names = ("high", "low", "jack", "game")
        return {name: NO_JACK if side is None else side for name, side in zip(names, self.points, strict=True)}

    @property
    def record(self) -> dict[str, object]:
        """The hand in the format in which a phone sends it from its outbox."""
        points = dict(zip(("high", "low", "jack", "game"), self.points, strict=True))
        dealer = (self.number + 2) % 4
        return {"dealer": dealer, "bidder": self.bidder, "bid": self.bid, "points": points}

    @property
    def taken(self) -> tuple[int, int]:
        """How many points each side took, as (points of side 0, points of side 1)."""
        return self.points.count(0), self.points.count(1)


@dataclass
class Counts:
    """Numbers of requests and replies of all phones together, and sentences about faults."""

    sent: int = 0
    lost: int = 0
    broken: int = 0
    """Requests whose connection broke, or to which a proxy replied that the server is gone."""
    busy: int = 0
    """Replies with status 503, after which the phone sends again."""
    longest: float = 0.0
    """Longest time in seconds until a form got a reply, including the time for sending the form again."""
    faults: list[str] = field(default_factory=list)
    """Sentences about replies that must never happen."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, number: int = 1) -> None:
        """Add `number` to the count in the attribute called `name`."""
        with self.lock:
            setattr(self, name, getattr(self, name) + number)

    def took(self, seconds: float) -> None:
        """Store `seconds` in `longest` if it is the longest time so far."""
        with self.lock:
            self.longest = max(self.longest, seconds)


def dispute_of(number: int) -> str:
    """Return the sentence with which a board says that two phones disagree on hand `number`."""
    return f"Two phones disagree on hand {number}."


class StormPhone:
    """A phone at one table, with lists of the hands that it sent: one list for each kind of reply."""

    def __init__(self, url: str, name: str, chance: random.Random, counts: Counts) -> None:
        self.wire = WirePhone(url)
        self.name = name
        self.chance = chance
        self.counts = counts
        self.game = ""
        self.state: dict[str, Any] = {}
        """State of the game on the board, as the phone saw it last."""
        self.acknowledged: list[Told] = []
        """Hands that this phone sent with the board's form and that the server saved."""
        self.carried: list[Told] = []
        """Hands that this phone sent from its outbox and that the server saved."""
        self.disputed: list[Told] = []
        """Hands sent with the board's form that got the reply 409, because the other phone entered another result."""
        self.kept: list[Told] = []
        """Hands that the server refused with a message; this phone doesn't send them again."""

    def start(self) -> str:
        """Start a game with a target too high to reach, and return its path."""
        self.look("/games/new")
        seats = {f"name-{seat}": name for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee"))}
        fields = {"preset": "setback-21", "seating": "4p", "first_dealer": 3, "rule-target": 999}
        self.game = self.send("/games", {"client_id": secrets.token_urlsafe(12), **seats, **fields}).location
        return self.game

    def start_offline(self, hands: Sequence[Told]) -> None:
        """Start a game offline with a target too high to reach, and send the game together with its first hands.

        Half the time, the phone first sends the game without hands.
        """
        self.look("/games/new")
        game = "".join(self.chance.choice(ALPHABET) for _ in range(ID_LENGTH))
        self.game = f"/games/{game}"
        record = {
            "format": "scorekeeper-game/1",
            "ruleset": {"preset": "setback-21", "options": {"target": 999}},
            "players": ["Ann", "Bob", "Cid", "Dee"],
            "sides": [[0, 2], [1, 3]],
            "first_dealer": 3,
        }
        start = {"id": secrets.token_urlsafe(12), "at": int(time.time() * 1000), "record": record}
        # First the game alone, as if its hands came later: it may arrive with them, before them or both.
        if self.chance.random() < 0.5:
            self.must(self._carry({"version": 1, "hands": [], "start": start}), 200)
        self.send_outbox(hands, 1, start)

    def let_in(self, other: StormPhone) -> None:
        """Let the phone `other` score this game as Bob's phone, with a score link.

        A link works once. If the reply is lost after the link was used, try another link, and fail after `LINKS` links.
        """
        for _ in range(LINKS):
            shown = self.send(f"{self.game}/score-links", {}).body
            found = re.search(r"/score/([A-Za-z0-9_-]+)", shown)
            assert found is not None, shown
            other.look(f"/score/{found[1]}")
            if other.send("/score", {"secret": found[1], "seat": "1"}).location == self.game:
                other.game = self.game
                return
        raise AssertionError(f"{other.name} was not let in")

    def refresh(self) -> dict[str, Any]:
        """Load the board and return the game's state."""
        shown = self.look(self.game).body
        found = STANDING.search(shown)
        assert found is not None, shown[-2000:]
        self.state = json.loads(html.unescape(found[1]))
        return self.state

    def take_bid(self, told: Told) -> None:
        """Enter the bid of a hand, unless the other phone already entered one. Then load the board."""
        state = self.state or self.refresh()
        if state["number"] == told.number and state["bid"] is None:
            fields = {"version": state["version"], "call": f"{told.bidder}:{told.bid}", **self.tap()}
            self.must(self.send(f"{self.game}/bid", fields), 303, 409)
        self.refresh()

    def save(self, told: Told) -> None:
        """Save a hand with the bid that the board shows. Do nothing if no bid is in play.

        The reply decides to which of the phone's lists the hand is added.
        """
        state = self.state
        if state["number"] != told.number or state["bid"] is None:
            return
        meant = Told(told.number, state["bid"]["bidder"], state["bid"]["bid"], told.points)
        fields = {"mode": "points", "version": state["version"], **meant.fields}
        said = json.loads(self.look(f"{self.game}/preview?{urlencode(fields)}").body)
        if not said["ok"]:
            return  # the bid was taken back meanwhile: the page says so
        seen = {"seen": said["seen"], "sure": said["seen"], "number": told.number}
        answer = self.send(f"{self.game}/hands", {**fields, **seen, **self.tap()})
        self.must(answer, 303, 409)
        if answer.status == 303:
            self.acknowledged.append(meant)
        elif dispute_of(meant.number) in answer.body:
            self.disputed.append(meant)
        else:
            self.kept.append(meant)

    def send_outbox(self, hands: Sequence[Told], version: int, start: Mapping[str, object] | None = None) -> None:
        """Send hands that were entered offline, by a phone that last saw `version` of the game.

        Hands that the server saves are added to the list `carried`. Hands that the server refuses are added to the list
        `kept`. If this phone started the game offline, `start` has the data of the game's start.
        """
        waiting = [{"id": secrets.token_urlsafe(12), "number": told.number, "hand": told.record} for told in hands]
        begins = {"start": start} if start else {}
        answer = self._carry({"version": version, "hands": waiting, **begins})
        said = json.loads(answer.body) if answer.body.startswith("{") else {}
        self.must(answer, 200, 409)
        if answer.status == 200 and said.get("saved") == [each["id"] for each in waiting]:
            self.carried.extend(hands)
        elif not said.get("trouble"):
            self.counts.faults.append(f"{self.name}: an outbox was answered {answer.status} {answer.body[:200]}")
        else:
            self.kept.extend(hands)

    def _carry(self, sent: Mapping[str, object]) -> Answer:
        """Send an outbox as JSON, and return the reply."""
        headers = JSON | {"X-CSRFToken": self.wire.token}
        return self.again("POST", f"{self.game}/waiting", json.dumps(sent).encode(), headers)

    def tap(self) -> dict[str, str]:
        """Return a form field with a new request id."""
        return {"client_id": secrets.token_urlsafe(12)}

    def look(self, path: str) -> Answer:
        """Load a page, store the CSRF token of its form, and return the reply.

        A status other than 200 counts as a fault.
        """
        answer = self.again("GET", path)
        self.must(answer, 200)
        found = re.search(r'name="csrf_token" value="([^"]+)"', answer.body)
        self.wire.token = found[1] if found else self.wire.token
        return answer

    def send(self, path: str, fields: Mapping[str, object]) -> Answer:
        """Send a form and return the reply."""
        return self.again("POST", path, urlencode({"csrf_token": self.wire.token, **fields}).encode(), HEADERS)

    def must(self, answer: Answer, *statuses: int) -> None:
        """Count a reply as a fault of the server unless it has one of these statuses."""
        if answer.status not in statuses:
            self.counts.faults.append(f"{self.name}: {answer.status} {' '.join(answer.body.split())[-300:]}")

    def again(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Repeat a request until the phone gets a reply, and return that reply.

        Some replies are treated as lost. If such a reply said that the request succeeded, but the last reply doesn't
        say so, a fault is counted.
        """
        begun = time.monotonic()
        until = begun + PATIENCE
        promised: set[int] = set()
        while True:
            self.counts.add("sent")
            try:
                answer = self.wire.ask(method, path, body, headers)
            except (OSError, http.client.HTTPException):
                self.wire.close()
                self.counts.add("broken")
                assert time.monotonic() < until, f"{self.name}: no answer for {PATIENCE} s"
                time.sleep(self.chance.uniform(0.005, 0.1))
                continue
            if answer.status == 503:
                self.counts.add("busy")
                assert time.monotonic() < until, f"{self.name}: busy for {PATIENCE} s"
                time.sleep(self.chance.uniform(0.05, 0.3))
                continue
            if answer.status in PROXY:
                self.counts.add("broken")
                assert time.monotonic() < until, f"{self.name}: {answer.status} for {PATIENCE} s"
                time.sleep(self.chance.uniform(0.05, 0.3))
                continue
            if method == "POST":
                self.counts.took(time.monotonic() - begun)
            if method == "POST" and self.chance.random() < LOST:
                self.counts.add("lost")
                promised.add(answer.status)
                continue
            if promised & {200, 303} and answer.status not in promised:
                self.counts.faults.append(f"{self.name}: {path} was {promised}, then {answer.status}")
            return answer
