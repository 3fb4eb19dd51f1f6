"""Measure how many full watch pages one worker serves after warming up, compared to the cheapest page.

Run: python tests/bench/watch_page.py [SECONDS]

One server with one worker and one client with one connection that stays open: it requests in turn `/healthz`, the page
of a watched game of twelve hands as a new watcher does, and the same page with `If-None-Match`. Prints the median time
of each, and the ratio of the speed of a full page to that of `/healthz`; the exit status is 1 if that is below a half.
"""

from __future__ import annotations

import http.client
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.hand_post import game_of  # noqa: E402  the checkout comes first
from tests.support.server import running  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

LEAST = 0.5


def main(seconds: float) -> int:
    """Measure for `seconds` seconds and print the figures. Return 1 if a full watch page is too slow, else 0."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        with closing(WirePhone(server.url)) as phone:
            path = game_of(phone, 12).replace("/games/", "/watch/")
        place = urlsplit(server.url)
        with closing(http.client.HTTPConnection(place.hostname or "", place.port)) as line:
            _, tag = ask(line, path, {})
            questions = {"/healthz": {}, path: {}, f"{path} again": {"If-None-Match": tag}}
            times: dict[str, list[float]] = {what: [] for what in questions}
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                for what, headers in questions.items():
                    times[what].append(ask(line, what.split()[0], headers)[0])
    least, page, again = (statistics.median(each) for each in times.values())
    print(f"/healthz {least * 1e6:.0f} µs, a full watch page {page * 1e6:.0f} µs, 304 {again * 1e6:.0f} µs")
    print(f"a full watch page is {least / page:.1f} times as fast as /healthz, at least {LEAST}")
    return int(least / page < LEAST)


def ask(line: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> tuple[float, str]:
    """Request `path` on the connection `line`. Return the seconds that it took, then the ETag, or "" without one."""
    began = time.perf_counter()
    line.request("GET", path, headers={"Accept-Encoding": "gzip", **headers})
    answer = line.getresponse()
    answer.read()
    assert answer.status in {200, 304}, answer.status
    return time.perf_counter() - began, answer.headers.get("ETag") or ""


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10))
