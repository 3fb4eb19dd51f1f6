"""A phone in the storm: it sends as the real ones do, loses replies, and sends again under the same id."""

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
"""The part of all replies that the server gave and the phone never saw."""
PATIENCE = 300.0
"""Seconds for which a phone sends a thing again before it is a fault of the server."""
JSON = {"Content-Type": "application/json", "Accept": "application/json"}
STANDING = re.compile(r'data-state="([^"]*)"')
NO_JACK = "none"


@dataclass(frozen=True, slots=True)
class Told:
    """What a phone says of a hand."""

    number: int
    bidder: int
    bid: int
    points: tuple[int | None, ...]
    """The side that took High, Low, Jack and Game; None for a jack that was not out."""

    @property
    def fields(self) -> dict[str, object]:
        """Return the points as the form tells them."""
        names = ("high", "low", "jack", "game")
        return {name: NO_JACK if side is None else side for name, side in zip(names, self.points, strict=True)}

    @property
    def record(self) -> dict[str, object]:
        """Return the hand as the outbox tells it."""
        points = dict(zip(("high", "low", "jack", "game"), self.points, strict=True))
        dealer = (self.number + 2) % 4
        return {"dealer": dealer, "bidder": self.bidder, "bid": self.bid, "points": points}

    @property
    def taken(self) -> tuple[int, int]:
        """Return the points of each side."""
        return self.points.count(0), self.points.count(1)


@dataclass
class Counts:
    """What happened, counted by all phones."""

    sent: int = 0
    lost: int = 0
    broken: int = 0
    """Connections that a killed worker left hanging."""
    busy: int = 0
    """Answers 503: the phone sends again."""
    faults: list[str] = field(default_factory=list)
    """What must never happen."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, number: int = 1) -> None:
        """Count one more."""
        with self.lock:
            setattr(self, name, getattr(self, name) + number)


def dispute_of(number: int) -> str:
    """Return how a board begins to say that two phones disagree on a hand."""
    return f"Two phones disagree on hand {number}."


class StormPhone:
    """A phone at one table, and what it was told of each hand that it sent."""

    def __init__(self, url: str, name: str, chance: random.Random, counts: Counts) -> None:
        self.wire = WirePhone(url)
        self.name = name
        self.chance = chance
        self.counts = counts
        self.game = ""
        self.state: dict[str, Any] = {}
        """The standing of the board as the phone saw it last."""
        self.acknowledged: list[Told] = []
        """Answered by the live page as saved."""
        self.carried: list[Told] = []
        """Answered as saved to the outbox."""
        self.disputed: list[Told] = []
        """Answered by the live page with 409, as a hand that another phone has otherwise."""
        self.kept: list[Told] = []
        """Refused in words, shown on this phone and let go there."""

    def start(self) -> str:
        """Start a game that a hundred hands do not end, and return its path."""
        self.look("/games/new")
        seats = {f"name-{seat}": name for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee"))}
        fields = {"preset": "setback-21", "seating": "4p", "first_dealer": 3, "rule-target": 999}
        self.game = self.send("/games", {"client_id": secrets.token_urlsafe(12), **seats, **fields}).location
        return self.game

    def start_offline(self, hands: Sequence[Told]) -> None:
        """Start such a game without signal, and send it with its first hands."""
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
        """Let another phone score this game too, as Bob's."""
        shown = self.send(f"{self.game}/score-links", {}).body
        found = re.search(r"/score/([A-Za-z0-9_-]+)", shown)
        assert found is not None, shown
        other.look(f"/score/{found[1]}")
        assert other.send("/score", {"secret": found[1], "seat": "1"}).location == self.game
        other.game = self.game

    def refresh(self) -> dict[str, Any]:
        """Look at the board and return where the game stands."""
        shown = self.look(self.game).body
        found = STANDING.search(shown)
        assert found is not None, shown[-2000:]
        self.state = json.loads(html.unescape(found[1]))
        return self.state

    def take_bid(self, told: Told) -> None:
        """Tap the bid of a hand, where none is in play; the other phone may be first."""
        state = self.state or self.refresh()
        if state["number"] == told.number and state["bid"] is None:
            fields = {"version": state["version"], "call": f"{told.bidder}:{told.bid}", **self.tap()}
            self.must(self.send(f"{self.game}/bid", fields), 303, 409)
        self.refresh()

    def save(self, told: Told) -> None:
        """Save a hand whose bid is in play on the page that this phone shows; its bid is the one that stands there."""
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
        """Send hands that were kept without signal, seen last at that version; let go of what cannot be saved.

        `start` is the start of their game, if this phone made it.
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
        """Return the answer to an outbox."""
        headers = JSON | {"X-CSRFToken": self.wire.token}
        return self.again("POST", f"{self.game}/waiting", json.dumps(sent).encode(), headers)

    def tap(self) -> dict[str, str]:
        """Return the id of one tap."""
        return {"client_id": secrets.token_urlsafe(12)}

    def look(self, path: str) -> Answer:
        """Return a page, which must be there; the token of its form is kept."""
        answer = self.again("GET", path)
        self.must(answer, 200)
        found = re.search(r'name="csrf_token" value="([^"]+)"', answer.body)
        self.wire.token = found[1] if found else self.wire.token
        return answer

    def send(self, path: str, fields: Mapping[str, object]) -> Answer:
        """Return the answer to a form."""
        return self.again("POST", path, urlencode({"csrf_token": self.wire.token, **fields}).encode(), HEADERS)

    def must(self, answer: Answer, *statuses: int) -> None:
        """Count an answer with any other status as a fault of the server."""
        if answer.status not in statuses:
            self.counts.faults.append(f"{self.name}: {answer.status} {' '.join(answer.body.split())[-300:]}")

    def again(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Send the same bytes until an answer is seen; an answer that was lost must not have promised more."""
        until = time.monotonic() + PATIENCE
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
            if method == "POST" and self.chance.random() < LOST:
                self.counts.add("lost")
                promised.add(answer.status)
                continue
            if promised & {200, 303} and answer.status not in promised:
                self.counts.faults.append(f"{self.name}: {path} was {promised}, then {answer.status}")
            return answer
