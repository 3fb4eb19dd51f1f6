"""Unusual values and kinds of requests, which no browser sends but an attacker may."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzz.mutation import ODD_TEXTS

HOSTILE = (
    *(each for each in ODD_TEXTS if "\ud800" not in each and "\udc00" not in each),
    *("9" * 400, "-99999999999999999999", "2147483648", "9223372036854775808", "1.5", "0x10", "١", "Infinity", "1_000"),
    *("2026-13-01", "0000-00-00", "on", "off", "[]", "{}", "A" * 41, "\r\nSet-Cookie: a=b", "javascript:alert(1)"),
    *("\u202eevil\u202c", "a\u0000b", "\u2028", "👩‍👩‍👧‍👦" * 20, "x" * 20_000, "//example.org/", "http://example.org/"),
)
ODD_HEADERS: tuple[dict[str, str], ...] = (
    {"Range": "bytes=0-10"},
    {"Range": "bytes=99999-"},
    {"If-None-Match": '"x", W/"y"'},
    {"If-None-Match": "*"},
    {"If-Modified-Since": "Thu, 32 Foo 2026 99:99:99 GMT"},
    {"Accept-Language": "xx-XX,de;q=9,*;q=abc"},
    {"Accept-Language": "fr"},
    {"Accept-Encoding": "br;q=1, gzip;q=0.0"},
    {"Accept": "application/json"},
    {"X-Forwarded-For": "1.2.3.4, ::1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "example.org"},
    {"Origin": "https://example.org"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"X-Part": "1"},
    {"X-CSRFToken": "x"},
    {"Content-Length": "abc"},
    {"Cookie": "scorekeeper=; scorekeeper_device=\xff; scorekeeper_account=" + "a" * 43},
    {"Host": "example.org"},
    {"Host": "a b"},
    {"X-HTTP-Method-Override": "DELETE"},
)
METHODS = ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "GET", "POST")
TYPES = (
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/xml",
    "multipart/form-data",
    "",
)
ODDITIES = ("none",) * 24 + (
    "header",
    "header",
    "method",
    "type",
    "token",
    "token of another",
    "twice",
    "fewer",
    "body",
)

steps = st.tuples(
    st.integers(0, 2**32 - 1),
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(HOSTILE)), max_size=2),
    st.sampled_from(ODDITIES),
)
"""Strategy for a step of the crawler: (random number, hostile values, oddity).

Each hostile value is (index of the form field, value). The oddity, an item of `ODDITIES`, says what is unusual about
the request.
"""
