"""What a phone loads before it shows a game: 12 kB for the page and the style sheet it waits for."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.phone import Phone

MOST = 12_000
"""Bytes, compressed, with twenty hands on the sheet."""
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


def test_the_live_page_weighs_little(client: Phone) -> None:
    board = client.submit(client.see("/"), "/games/import", text=json.dumps(RECORD))
    weights = {"bid step": weight(client, board.path)}
    client.submit(board, f"{board.path}/bid", call="0:2")
    weights["points step"] = weight(client, board.path)
    for step, bytes_ in weights.items():
        print(f"{step}: {bytes_} of {MOST} bytes")
    assert max(weights.values()) <= MOST, weights


def weight(phone: Phone, path: str) -> int:
    """Return the bytes of the page at `path` and of all that keeps it from being drawn, compressed as they are sent."""
    page = phone.see(path)
    assert len(page.one("table", class_="sheet").findall("tbody/tr")) == len(HANDS)
    blocking = [link.get("href", "") for link in page.all("link", rel="stylesheet") if link.get("media") != "print"]
    assert len(blocking) == 1
    assert all(script.get("type") == "module" for script in page.all("script")), "a classic script blocks the page"
    return sum(sent(phone, url) for url in (path, *blocking))


def sent(phone: Phone, url: str) -> int:
    """Return the bytes that a browser gets for `url`."""
    response = phone.get(url, headers={"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    gzip.decompress(response.data)
    return len(response.data)
