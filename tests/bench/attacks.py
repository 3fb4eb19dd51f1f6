"""Measure how long a scoring phone must wait while the server is attacked in every way we know.

Run: python tests/bench/attacks.py [--seconds 20] [--database postgresql] [--only NAME]

One server runs with rate limits and trusts one proxy, so that an attack may come from any network. One phone saves
hands all the time; the attacks run one after the other on this machine, each for so many seconds and with a limited
number of requests. Each attack is a function (see `ATTACKS`), which returns how often it got each response. For each,
this prints how long the slowest save took, how many saves were refused, and the responses to the attacker. The exit
status is 1 if a save took a second or more, or was refused.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import io
import json
import secrets
import socket
import ssl
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.hand_post import TOOK, game_of  # noqa: E402
from tests.support import databases  # noqa: E402  the checkout comes first
from tests.support.server import command, environment, kill_group, start  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_SECONDS = 1.0
PAUSE = 0.25
"""Seconds between two hands, so that the limit for hands (`rate_limit.HANDS`) doesn't refuse any."""
HANDS_OF_A_GAME = 20
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Told: "
HALF_BODY = b"POST /games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\na="


class Behind(WirePhone):
    """A phone whose requests look as if a proxy had forwarded them from the IP address `address`."""

    def __init__(self, url: str, address: str) -> None:
        super().__init__(url)
        self.address = address

    def ask(self, method: str, path: str, body: bytes = b"", headers: Any = None) -> Any:
        """Send a request with the phone's address in the proxy's header, and return the response."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        told = {**(form if headers is None else headers), "X-Forwarded-For": self.address}
        return super().ask(method, path, body, told)


@dataclass
class Scorer:
    """A phone that saves hands in a thread.

    `saves` holds the seconds that each save took. If a bid or a save is refused, `refused` gets the status of the save.
    """

    wire: WirePhone
    saves: list[float] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def play(self) -> None:
        """Save hands until `stop` is set."""
        while not self.stop.is_set():
            game = game_of(self.wire, 0)
            for number in range(HANDS_OF_A_GAME):
                if self.stop.is_set():
                    return
                self.save(game, number)
                time.sleep(PAUSE)

    def save(self, game: str, number: int) -> None:
        """Bid, preview a hand and save it. Only the save is timed.

        `number` is the number of hands already saved in the game.
        """
        version = 1 + 2 * number
        bid = self.wire.bid(game, version, 0, 2).status
        seen = self.wire.look(game, version + 1, TOOK) if bid == 303 else ""
        began = time.perf_counter()
        status = self.wire.post(
            f"{game}/hands", mode="points", version=version + 1, seen=seen, sure=seen, **TOOK
        ).status
        self.saves.append(time.perf_counter() - began)
        if (bid, status) != (303, 303):
            self.refused.append(status)


@dataclass
class Target:
    """The server under attack, and how many seconds each attack lasts."""

    url: str
    seconds: float
    secure: int
    """Port of a second server, for HTTPS."""

    def until(self) -> float:
        """Return when an attack that starts now must end, as a time of `time.monotonic`."""
        return time.monotonic() + self.seconds

    def phone(self, number: int) -> Behind:
        """Return a new phone. Phones with different numbers are in different networks."""
        return Behind(self.url, f"203.{number // 250}.{number % 250}.7")


def nothing(target: Target) -> Counter[str]:
    """Only wait, to measure the scoring phone without an attack. Return an empty count."""
    time.sleep(target.seconds)
    return Counter()


def big_import(target: Target) -> Counter[str]:
    """Import two game records in turn, one with 1,000 hands and the longest one that the server accepts.

    Return how often each response status occurred.
    """
    answers: Counter[str] = Counter()
    until = target.until()
    for number in range(30):
        size = 1000 if number % 2 == 0 else 140
        with closing(target.phone(number)) as phone:
            phone.get("/")
            try:
                answers[str(phone.post("/games/import", text=json.dumps(record(size))).status)] += 1
            except (OSError, http.client.HTTPException):
                answers["broken"] += 1
        if time.monotonic() > until:
            break
    return answers


def record(size: int) -> dict[str, object]:
    """Return a game record with `size` hands, each followed by an adjustment."""
    return {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "setback-21", "options": {"target": 99}},
        "players": list("ABCD"),
        "sides": [[0, 2], [1, 3]],
        "first_dealer": 0,
        "hands": [{"bidder": i % 4, "bid": 4, "taken": [2, 2]} for i in range(size)],
        "x_adjustments": [
            {"after": i + 1, "side": i % 2, "points": 1 if (i // 2) % 2 else -1, "reason": "r"} for i in range(size)
        ],
    }


def lazy(target: Target, count: int, begun: bytes, port: int | None = None) -> Counter[str]:
    """Keep `count` connections open that send only the bytes `begun`. Replace each connection that the server closes.

    Return the total number of connections under the key "opened". `port` is by default the port of `target.url`.
    """
    place = urlsplit(target.url)
    lines: list[socket.socket] = []
    opened = 0
    until = target.until()
    while time.monotonic() < until:
        while len(lines) < count:
            line = socket.create_connection((place.hostname, port or place.port))
            line.sendall(begun)
            line.settimeout(0)
            lines.append(line)
            opened += 1
        for line in list(lines):
            try:
                gone = line.recv(1000) == b""
            except BlockingIOError:
                continue
            except OSError:
                gone = True
            if gone:
                lines.remove(line)
                line.close()
        time.sleep(0.2)
    for line in lines:
        line.close()
    return Counter({"opened": opened})


def half_heads(target: Target) -> Counter[str]:
    """Send the first half of a request head on 80 connections. Return the number of connections opened."""
    return lazy(target, 80, HALF_HEAD)


def half_bodies(target: Target) -> Counter[str]:
    """Send the first half of a form on 80 connections. Return the number of connections opened."""
    return lazy(target, 80, HALF_BODY)


def silent_handshakes(target: Target) -> Counter[str]:
    """Open 40 connections to the TLS port and send nothing. Return the number of connections opened."""
    return lazy(target, 40, b"", target.secure)


def sign_ins(target: Target) -> Counter[str]:
    """Try to sign in with changing names from 32 networks at once. Return how often each status occurred."""
    return together(target, 32, sign_in)


def sign_in(phone: Behind, number: int) -> str:
    """Try to sign in once with a wrong name and password. Return the response's status."""
    if not phone.token:
        phone.get("/account/sign-in")
    return str(phone.post("/account/sign-in", name=f"Rita {number}", password=f"four sleepy badgers {number}").status)


def together(target: Target, count: int, ask: Callable[[Behind, int], str]) -> Counter[str]:
    """Call `ask` repeatedly on `count` phones at once, each in another network. Return how often each result occurred.

    `ask` gets a phone and its number, sends a request, and returns the status. The result "broken" means that a
    connection failed.
    """
    answers: Counter[str] = Counter()
    until = target.until()

    def one(number: int) -> None:
        with closing(target.phone(number)) as phone:
            while time.monotonic() < until:
                try:
                    answers[ask(phone, number)] += 1
                except (OSError, http.client.HTTPException):
                    answers["broken"] += 1
                    phone.reach(target.url)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def costly_pages(target: Target) -> Counter[str]:
    """Request the slowest pages of the longest game four times a second, each time from another network.

    Return how often each response status occurred.
    """
    with closing(target.phone(9)) as phone:
        for size in (1000, 500, 250, 200, 150, 140, 100):
            phone.get("/")
            answer = phone.post("/games/import", text=json.dumps(record(size)))
            if answer.status == 303:
                break
        game = answer.location
    pages = [f"{game}/log", f"{game}/race", f"{game}/sheet", f"{game}/log.csv", game, f"/tv?games={'/' * 4000}"]
    answers: Counter[str] = Counter()
    until, number, threads = target.until(), 0, []

    def one(number: int) -> None:
        with closing(target.phone(number)) as phone:
            answers[str(phone.get(pages[number % len(pages)]).status)] += 1

    while time.monotonic() < until:
        thread = threading.Thread(target=one, args=(number,))
        thread.start()
        threads.append(thread)
        number += 1
        time.sleep(0.25)
    for thread in threads:
        thread.join()
    return answers


def photos(target: Target) -> Counter[str]:
    """Upload the photo that takes the server longest, from 16 networks at once. Each network has a separate game.

    Return how often each response status occurred.
    """
    out = io.BytesIO()
    Image.new("RGBA", (4000, 4000), (200, 30, 30, 128)).save(out, "PNG")
    games: dict[int, str] = {}

    def send(phone: Behind, number: int) -> str:
        if number not in games:
            games[number] = phone.start("setback-21", "ABCD")
            phone.bid(games[number], 1, 0, 2)
            phone.save(games[number], 2, TOOK)
        told = {"csrf_token": phone.token, "client_id": secrets.token_urlsafe(12), "version": "3"}
        return upload(phone, f"{games[number]}/hands/3/photo", told, "photo", out.getvalue())

    return together(target, 16, send)


def table_files(target: Target) -> Counter[str]:
    """Import a small home-table file that unpacks to a huge one, from 16 networks at once.

    Return how often each response status occurred.
    """
    lists = b'{"format": "scorekeeper-table/1", "x": [' + b"[]," * 15_000_000 + b"[]]}"
    data = gzip.compress(lists, 1)

    def send(phone: Behind, _number: int) -> str:
        if not phone.token:
            phone.get("/table/import")
        return upload(phone, "/table/import", {"csrf_token": phone.token}, "table", data)

    return together(target, 16, send)


def kits(target: Target) -> Counter[str]:
    """Request the offline data of all games, from 16 networks at once and in three languages.

    Return how often each response status occurred.
    """

    def ask(phone: Behind, number: int) -> str:
        phone.cookies["scorekeeper_settings"] = f"language={('en', 'es', 'fr')[number % 3]}"
        return str(phone.get("/games/kits.json").status)

    return together(target, 16, ask)


def forms(target: Target) -> Counter[str]:
    """Send a form with a mistake, whose answer is stored for Back, from 16 networks at once.

    Return how often each response status occurred.
    """

    def send(phone: Behind, _number: int) -> str:
        if not phone.token:
            phone.get("/games/new?ruleset=setback-21")
        told = {"csrf_token": phone.token, "client_id": secrets.token_urlsafe(12), "ruleset": "setback-21"}
        bound = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
        return str(phone.ask("POST", "/games", urlencode(told).encode(), bound).status)

    return together(target, 16, send)


def upload(phone: Behind, path: str, fields: dict[str, str], name: str, data: bytes) -> str:
    """Send a form with the fields `fields` and the file content `data` in the field `name`.

    Return the response's status.
    """
    bound = "a-line-that-no-file-has"
    head = "".join(
        f'--{bound}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in fields.items()
    )
    file = f'--{bound}\r\nContent-Disposition: form-data; name="{name}"; filename="file"\r\n\r\n'
    body = f"{head}{file}".encode() + data + f"\r\n--{bound}--\r\n".encode()
    return str(phone.ask("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={bound}"}).status)


def encrypted(url: str, folder: Path) -> WirePhone:
    """Return a phone that uses the HTTPS server at `url` and trusts the certificate authority in `folder`."""
    phone = WirePhone(url)
    trusting = ssl.create_default_context(cafile=folder / "tls" / "ca.crt")
    phone.connection = http.client.HTTPSConnection("127.0.0.1", urlsplit(url).port, timeout=30, context=trusting)
    return phone


ATTACKS = (
    nothing,
    big_import,
    half_heads,
    half_bodies,
    silent_handshakes,
    sign_ins,
    costly_pages,
    photos,
    table_files,
    kits,
    forms,
)


def main(seconds: float, only: str | None) -> int:
    """Run all attacks, or only the one named `only`, and print the figures.

    Return 1 if a save took too long or was refused, else 0.
    """
    failed = False
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        env = environment(SCOREKEEPER_PROXIES="1", SCOREKEEPER_LIMITS="on", **databases.variables_for(folder))
        server = start(command(folder), env)
        stack.callback(kill_group, server)
        tls = start(command(folder, "--tls", "--tls-port", "0"), env)
        stack.callback(kill_group, tls)
        # Its first page takes longest.
        with closing(WirePhone(server.url)) as phone:
            game_of(phone, 2)
        for attack in ATTACKS:
            if only not in {None, attack.__name__}:
                continue
            target = Target(server.url, seconds, urlsplit(tls.url).port or 0)
            scorer = Scorer(encrypted(tls.url, folder) if attack is silent_handshakes else WirePhone(server.url))
            player = threading.Thread(target=scorer.play)
            player.start()
            answers = attack(target)
            scorer.stop.set()
            player.join(timeout=60)
            slowest = max(scorer.saves)
            print(
                f"{attack.__name__:18} slowest save {slowest * 1000:6.0f} ms (median"
                f" {statistics.median(scorer.saves) * 1000:4.0f} ms of {len(scorer.saves)}), refused"
                f" {len(scorer.refused)}; the attacker got {dict(answers)}",
                flush=True,
            )
            failed = failed or slowest >= MOST_SECONDS or bool(scorer.refused)
    return int(failed)


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--seconds", type=float, default=20)
    words.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    words.add_argument("--only", choices=[attack.__name__ for attack in ATTACKS])
    asked = words.parse_args()
    with databases.chosen(asked.database):
        sys.exit(main(asked.seconds, asked.only))
