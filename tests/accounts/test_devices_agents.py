"""Names of devices in the list of devices on which a director is signed in."""

from __future__ import annotations

import pytest

from scorekeeper.accounts.devices import agent_words

WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0"


@pytest.mark.parametrize(
    ("user_agent", "called"),
    [
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME} Safari/537.36 Edg/126.0", "Edge, Windows"),
        (f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {CHROME} Safari/537.36", "Chrome, Chromebook"),
        (
            f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) {WEBKIT} Version/17.5 Safari/604.1",
            "Safari, iPhone",
        ),
        (f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) {WEBKIT} CriOS/126.0 Safari/604.1", "Chrome, iPhone"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {WEBKIT} Version/17.5 Safari/605.1.15", "Safari, Mac"),
        (f"Mozilla/5.0 (Linux; Android 14) {CHROME} SamsungBrowser/25.0 Safari/537.36", "Samsung Internet, Android"),
        ("Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", "Firefox, Android"),
        ("curl/8.5.0", ""),
        ("", ""),
        ("<script>" * 5000, ""),
    ],
)
def test_a_browser_says_enough_to_be_known_again(user_agent: str, called: str) -> None:
    assert agent_words(user_agent) == called
