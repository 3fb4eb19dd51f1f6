"""A phone on the wire: it sends to a real server what a browser without JavaScript would, and keeps its cookies."""

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
    """What came back."""

    status: int
    body: str
    location: str


class WirePhone:
    """One connection to a server, and the cookies it gave. Raises `OSError` or `HTTPException` where it breaks off."""

    def __init__(self, url: str) -> None:
        self.cookies: dict[str, str] = {}
        self.token = ""
        self.reach(url)

    def reach(self, url: str) -> None:
        """Talk to the server at `url` from now on: the same phone, after the server was started again."""
        parts = urlsplit(url)
        self.connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)

    def close(self) -> None:
        """Hang up."""
        self.connection.close()

    def get(self, path: str) -> Answer:
        """Return the answer to a GET; a form's token is kept."""
        answer = self.ask("GET", path)
        found = CSRF.search(answer.body)
        if found is not None:
            self.token = found[1]
        return answer

    def post(self, path: str, **fields: object) -> Answer:
        """Send a form with the token of the last page and, unless it is given, a fresh id of the tap."""
        sent = {"csrf_token": self.token, "client_id": secrets.token_urlsafe(12), **fields}
        return self.ask("POST", path, urlencode(sent, doseq=True).encode())

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request as it stands, as a form unless `headers` say otherwise, and return its answer."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {**(HEADERS if headers is None else headers), **({"Cookie": cookies} if cookies else {})}
        self.connection.request(method, path, body or None, sent)
        response = self.connection.getresponse()
        text = response.read().decode()
        for header in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(header).items()}
        return Answer(response.status, text, response.headers.get("Location", ""))

    def start(self, preset: str, names: Sequence[str], **fields: object) -> str:
        """Start a game, dealt by the first player unless said otherwise, and return its path."""
        self.get("/games/new")
        seats = {f"name-{seat}": name for seat, name in enumerate(names)}
        answer = self.post("/games", **({"preset": preset, "first_dealer": 0} | seats | fields))
        assert answer.status == 303, answer.body
        return answer.location

    def bid(self, game: str, version: int, seat: int, bid: int | str, **fields: object) -> Answer:
        """Send the bid step."""
        return self.post(f"{game}/bid", version=version, call=f"{seat}:{bid}", **fields)

    def look(self, game: str, version: int, took: Mapping[str, object]) -> str:
        """Return the word for what `took` would do, as the page asks for it before a hand can be saved."""
        answer = self.get(f"{game}/preview?{urlencode({'mode': 'points', 'version': version, **took})}")
        said = json.loads(answer.body)
        assert said["ok"], said["text"]
        return str(said["seen"])

    def save(self, game: str, version: int, took: Mapping[str, object], **fields: object) -> Answer:
        """Look at what a hand would do, then save it."""
        seen = self.look(game, version, took)
        return self.post(f"{game}/hands", mode="points", version=version, seen=seen, sure=seen, **took, **fields)
