"""The size of what a phone loads for a game is limited: 12 kB for the page and its style sheet, compressed."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

if TYPE_CHECKING:
    from tests.support.phone import Phone

pytestmark = pytest.mark.looks

MOST = 12_000
"""The largest compressed size, in bytes, for the board of a game with twenty hands plus its style sheet."""
FIRST_VISIT = 25_000
SCRIPTS = 10_000
IMPORTED = re.compile(r'^import\b[^"(]*"([^"]+)"', re.MULTILINE)
HANDS = [
    {"bidder": 0, "bid": 2, "trump": "H", "points": {"high": 0, "low": 1, "jack": None, "game": 0}},
    {"bidder": 1, "bid": 3, "trump": "S", "points": {"high": 0, "low": 1, "jack": 1, "game": None}},
    {"bidder": 2, "bid": 2, "trump": "D", "points": {"high": 0, "low": 1, "jack": 1, "game": None}},
    {"bidder": 3, "bid": 2, "trump": "C", "points": {"high": 1, "low": 1, "jack": None, "game": 0}},
] * 5
RECORD = {
    "format": "scorekeeper-game/1",
    "ruleset": {"preset": "setback-21"},
    "players": ["Josephine", "Bartholomew", "Christabel", "Desmond"],
    "sides": [[0, 2], [1, 3]],
    "first_dealer": 3,
    "hands": HANDS,
}


def test_weight_of_the_live_page(client: Phone) -> None:
    board = client.submit(client.see("/"), "/games/import", text=json.dumps(RECORD))
    weights = {"bid step": weight(client, board.path)}
    client.submit(board, f"{board.path}/bid", call="0:2")
    weights["points step"] = weight(client, board.path)
    for step, bytes_ in weights.items():
        print(f"{step}: {bytes_} of {MOST} bytes")
    assert max(weights.values()) <= MOST, weights


@pytest.mark.parametrize("first", ["the home page", "a board"])
def test_weight_of_a_first_visit(client: Phone, first: str) -> None:
    """On its first visit, a phone loads at most `FIRST_VISIT` bytes, including icons and print styles.

    At most `SCRIPTS` of these bytes are scripts, with those that they import, and the htmx library isn't loaded.
    """
    path = "/"
    if first == "a board":
        path = client.submit(client.see("/"), "/games/import", text=json.dumps(RECORD)).path
    page = client.see(path)
    scripts = [script.get("src", "") for script in page.all("script")]
    for url in scripts:
        imported = [urljoin(url, name) for name in IMPORTED.findall(client.get(url).text)]
        scripts += [each for each in imported if each not in scripts]
    linked = [link.get("href", "") for link in page.all("link")]
    pictures = [image.get("src", "") for image in page.all("img")]
    sizes = {url: arrives(client, url) for url in dict.fromkeys([path, *linked, *scripts, *pictures])}
    code = sum(sizes[url] for url in scripts)
    print(f"first visit to {first}: {sum(sizes.values())} of {FIRST_VISIT} bytes; scripts: {code} of {SCRIPTS}")
    assert not [url for url in scripts if "htmx" in url]
    assert code <= SCRIPTS
    assert sum(sizes.values()) <= FIRST_VISIT, sizes


def arrives(phone: Phone, url: str) -> int:
    """Return how many bytes a browser receives for `url`. The response may be compressed."""
    response = phone.get(url, headers={"Accept-Encoding": "gzip"})
    assert response.status_code == 200, url
    return len(response.data)


def weight(phone: Phone, path: str) -> int:
    """Return the compressed size in bytes of the page at `path` and its style sheet."""
    page = phone.see(path)
    assert len(page.one("table", class_="sheet").findall("tbody/tr")) == len(HANDS)
    blocking = [link.get("href", "") for link in page.all("link", rel="stylesheet") if link.get("media") != "print"]
    assert len(blocking) == 1
    assert all(script.get("type") == "module" for script in page.all("script")), "a classic script blocks the page"
    return sum(sent(phone, url) for url in (path, *blocking))


def sent(phone: Phone, url: str) -> int:
    """Return how many bytes a browser receives for `url`, and check that the response is compressed."""
    response = phone.get(url, headers={"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    gzip.decompress(response.data)
    return len(response.data)
