"""Send requests to a real server as a phone without JavaScript does, with its cookies."""

from __future__ import annotations

import http.client
import json
import re
import secrets
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CSRF = re.compile(r'name="csrf_token" value="([^"]+)"')
HEADERS = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a request; `location` is the address of a redirect, or "" if the response isn't a redirect."""

    status: int
    body: str
    location: str


class WirePhone:
    """A phone with cookies and one connection to a server.

    Its methods raise `OSError` or `HTTPException` if the connection fails.
    """

    def __init__(self, url: str) -> None:
        self.cookies: dict[str, str] = {}
        self.token = ""
        self.reach(url)

    def reach(self, url: str) -> None:
        """Connect to the server at `url` and keep the cookies, for example after the server was restarted."""
        parts = urlsplit(url)
        self.connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def get(self, path: str) -> Answer:
        """Return the response to a GET request, and remember the form token on its page for the next `post`."""
        answer = self.ask("GET", path)
        found = CSRF.search(answer.body)
        if found is not None:
            self.token = found[1]
        return answer

    def post(self, path: str, **fields: object) -> Answer:
        """Post a form and return the response.

        The form token of the last page is added, and also a new request id unless `fields` contain one.
        """
        sent = {"csrf_token": self.token, "client_id": secrets.token_urlsafe(12), **fields}
        return self.ask("POST", path, urlencode(sent, doseq=True).encode())

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request and return the response; without `headers`, `body` is sent as a form."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {**(HEADERS if headers is None else headers), **({"Cookie": cookies} if cookies else {})}
        self.connection.request(method, path, body or None, sent)
        response = self.connection.getresponse()
        text = response.read().decode()
        for header in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(header).items()}
        return Answer(response.status, text, response.headers.get("Location", ""))

    def start(self, preset: str, names: Sequence[str], **fields: object) -> str:
        """Start a game and return its path; the player in seat 0 deals unless `fields` say otherwise."""
        self.get("/games/new")
        seats = {f"name-{seat}": name for seat, name in enumerate(names)}
        answer = self.post("/games", **({"preset": preset, "first_dealer": 0} | seats | fields))
        assert answer.status == 303, answer.body
        return answer.location

    def bid(self, game: str, version: int, seat: int, bid: int | str, **fields: object) -> Answer:
        """Post a bid in the game at the path `game`; `version` is the game's current version."""
        return self.post(f"{game}/bid", version=version, call=f"{seat}:{bid}", **fields)

    def look(self, game: str, version: int, took: Mapping[str, object]) -> str:
        """Preview a hand and return the preview's token, which is needed to save the hand.

        `took` are the form fields with the winner of each point.
        """
        answer = self.get(f"{game}/preview?{urlencode({'mode': 'points', 'version': version, **took})}")
        said = json.loads(answer.body)
        assert said["ok"], said["text"]
        return str(said["seen"])

    def save(self, game: str, version: int, took: Mapping[str, object], **fields: object) -> Answer:
        """Preview a hand, save it, and return the response.

        `took` are the form fields with the winner of each point.
        """
        seen = self.look(game, version, took)
        return self.post(f"{game}/hands", mode="points", version=version, seen=seen, sure=seen, **took, **fields)
