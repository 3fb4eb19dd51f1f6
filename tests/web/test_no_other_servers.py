"""No page, style sheet or script loads anything from another server, as the source files show.

`tests/security` checks every response for this, and `tests/e2e/test_no_other_servers.py` checks it in a browser.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ELSEWHERE = re.compile(r"(?:https?:)?//[\w\[]", re.IGNORECASE)
FETCHED = re.compile(
    r"""<(?!a\b)[a-z]+\b[^>]*?\s(?:src|srcset|href|action|formaction|poster|data|ping|background)=["']([^"']*)""",
    re.IGNORECASE,
)
IN_STYLES = re.compile(r"""url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)""", re.IGNORECASE)
IN_SCRIPTS = re.compile(
    r"""(?:\bfrom|\bimport|\bimport\(|\bfetch\(|\bimportScripts\(|\bsendBeacon\(|new\s+(?:URL|Worker|WebSocket|EventSource)\()"""
    r"""\s*["'`]([^"'`]*)"""
)
LITERALS = re.compile(r"""["'`]((?:https?:|wss?:)?//[\w\[][^"'`]*)""")
NAMES_ONLY = ("http://www.w3.org/",)
"""Beginnings of addresses that are only the names of formats, so that no browser requests them."""


def files(folder: str, *kinds: str) -> list[Path]:
    """Return all files in a folder of the project whose names end in one of `kinds`, such as ".css"."""
    found = [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in kinds]
    assert found
    return found


@pytest.mark.parametrize(
    ("folder", "kinds", "pattern"),
    [
        ("templates", (".html",), FETCHED),
        ("static", (".css",), IN_STYLES),
        ("static", (".js",), IN_SCRIPTS),
        ("static", (".svg",), FETCHED),
    ],
)
def test_nothing_is_fetched_from_elsewhere(folder: str, kinds: tuple[str, ...], pattern: re.Pattern[str]) -> None:
    seen = 0
    for path in files(folder, *kinds):
        for found in pattern.finditer(path.read_text(encoding="utf-8")):
            address = next((group for group in found.groups() if group), "")
            assert not ELSEWHERE.match(address), f"{path.name}: {found[0]}"
            seen += 1
    assert seen or kinds == (".svg",)


def test_no_script_knows_an_address_of_another_server() -> None:
    for path in files("static", ".js", ".webmanifest"):
        for literal in LITERALS.findall(path.read_text(encoding="utf-8")):
            assert literal.startswith(NAMES_ONLY), f"{path.name}: {literal}"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (FETCHED, '<link rel="stylesheet" href="https://fonts.example/x.css">'),
        (FETCHED, '<img alt="" src="//cdn.example/x.png">'),
        (IN_STYLES, "@import 'https://fonts.example/x.css'"),
        (IN_STYLES, "src: url(//fonts.example/x.woff)"),
        (IN_SCRIPTS, 'import x from "https://cdn.example/x.js"'),
        (IN_SCRIPTS, "fetch(`https://count.example/?${x}`)"),
        (LITERALS, 'const there = "wss://count.example/"'),
    ],
)
def test_what_is_looked_for_is_found(pattern: re.Pattern[str], text: str) -> None:
    (found,) = pattern.finditer(text)
    assert ELSEWHERE.search(found[0])
