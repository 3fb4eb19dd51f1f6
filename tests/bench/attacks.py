"""How long a phone that scores is kept waiting while somebody attacks the server in every way we know.

Run: python tests/bench/attacks.py [--seconds 20] [--database postgresql] [--only NAME]

One server with its limits on, believing one proxy, so that an attack may come from any network. One phone saves hands
all the time; the attacks are run one after the other against 127.0.0.1, each for so long and with a bounded number of
requests. Prints for each how long the slowest save took, how many were refused, and how the attacker was answered;
ends with status 1 where a save took a second or more, or was refused.
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
from urllib.parse import urlsplit

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
"""Seconds between two hands: one game would else be counted as played by no people."""
HANDS_OF_A_GAME = 20
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Told: "
HALF_BODY = b"POST /games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\na="


class Behind(WirePhone):
    """A phone of another network: it comes by the proxy."""

    def __init__(self, url: str, address: str) -> None:
        super().__init__(url)
        self.address = address

    def ask(self, method: str, path: str, body: bytes = b"", headers: Any = None) -> Any:
        """Send a request as the proxy passes it on."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        told = {**(form if headers is None else headers), "X-Forwarded-For": self.address}
        return super().ask(method, path, body, told)


@dataclass
class Scorer:
    """The phone that scores, in a thread of its own."""

    wire: WirePhone
    saves: list[float] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def play(self) -> None:
        """Save hands until told to stop."""
        while not self.stop.is_set():
            game = game_of(self.wire, 0)
            for number in range(HANDS_OF_A_GAME):
                if self.stop.is_set():
                    return
                self.save(game, number)
                time.sleep(PAUSE)

    def save(self, game: str, number: int) -> None:
        """Take a bid, look at the hand and save it; only the last of these is measured."""
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
    """What is attacked."""

    url: str
    seconds: float
    secure: int
    """The port where HTTPS is answered."""

    def until(self) -> float:
        """Return when the attack is over."""
        return time.monotonic() + self.seconds

    def phone(self, number: int) -> Behind:
        """Return a phone of the network of that number."""
        return Behind(self.url, f"203.{number // 250}.{number % 250}.7")


def nothing(target: Target) -> Counter[str]:
    """Wait: what is measured then is the machine."""
    time.sleep(target.seconds)
    return Counter()


def big_import(target: Target) -> Counter[str]:
    """Import a record of a thousand hands and a thousand adjustments, and the longest one that is accepted."""
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
    """Return a record of that many hands, each followed by an adjustment."""
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
    """Keep so many connections open that say no more than `begun`, and open those anew that are hung up on."""
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
    """80 half heads."""
    return lazy(target, 80, HALF_HEAD)


def half_bodies(target: Target) -> Counter[str]:
    """80 half forms."""
    return lazy(target, 80, HALF_BODY)


def silent_handshakes(target: Target) -> Counter[str]:
    """40 silent TLS handshakes."""
    return lazy(target, 40, b"", target.secure)


def sign_ins(target: Target) -> Counter[str]:
    """Sign-ins under new names from 32 networks, all at once."""
    return together(target, 32, sign_in)


def sign_in(phone: Behind, number: int) -> str:
    """Try one name and one password."""
    if not phone.token:
        phone.get("/account/sign-in")
    return str(phone.post("/account/sign-in", name=f"Rita {number}", password=f"four sleepy badgers {number}").status)


def together(target: Target, count: int, ask: Callable[[Behind, int], str]) -> Counter[str]:
    """Let so many phones of different networks ask one after the other's answer, all of them at once."""
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
    """Four requests a second, each from another network, of the costliest pages of the longest game."""
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
    """The costliest photo that is accepted, on hands of games of 16 networks, all at once."""
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
    """A file of a table that is small and holds much, from 16 networks, all at once."""
    lists = b'{"format": "scorekeeper-table/1", "x": [' + b"[]," * 15_000_000 + b"[]]}"
    data = gzip.compress(lists, 1)

    def send(phone: Behind, _number: int) -> str:
        if not phone.token:
            phone.get("/table/import")
        return upload(phone, "/table/import", {"csrf_token": phone.token}, "table", data)

    return together(target, 16, send)


def kits(target: Target) -> Counter[str]:
    """All games for playing without signal, for 16 networks, in changing languages."""

    def ask(phone: Behind, number: int) -> str:
        phone.cookies["scorekeeper_settings"] = f"language={('en', 'es', 'fr')[number % 3]}"
        return str(phone.get("/games/kits.json").status)

    return together(target, 16, ask)


def upload(phone: Behind, path: str, fields: dict[str, str], name: str, data: bytes) -> str:
    """Send a form with a file and return the status."""
    bound = "a-line-that-no-file-has"
    head = "".join(
        f'--{bound}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in fields.items()
    )
    file = f'--{bound}\r\nContent-Disposition: form-data; name="{name}"; filename="file"\r\n\r\n'
    body = f"{head}{file}".encode() + data + f"\r\n--{bound}--\r\n".encode()
    return str(phone.ask("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={bound}"}).status)


def encrypted(url: str, folder: Path) -> WirePhone:
    """Return a phone that scores by HTTPS and trusts the authority of the server in `folder`."""
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
)


def main(seconds: float, only: str | None) -> int:
    """Run the attacks, print what was found, and return the exit status."""
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
