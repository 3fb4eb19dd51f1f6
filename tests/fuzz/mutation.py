"""Hypothesis strategies for inputs that are nearly valid, and for inputs that aren't valid at all."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

ODD_TEXTS = (
    "",
    " ",
    "\x00",
    "\ud800",
    "\udc00\ud800",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\u200d",
    "\U000e0001",
    "é",
    "e\u0301",
    "İ",
    "ß",
    "ﬁ",
    "٣",
    "²",
    "一",
    "x" * 41,
    "x" * 5_000,
    "=1+1",
    "<b>",
    "' OR 1=1 --",
    "%(name)s",
    "{0}",
    "{{7*7}}",
    "../../etc/passwd",
    "1",
    "-1",
    "1e9",
    "NaN",
    "true",
    "null",
    "2026-02-30",
    "9999-12-31",
    "0001-01-01",
    "9999-12-31T23:59:59.999999-12:00",
    "0001-01-01T00:00:00+12:00",
)
NUMBERS = (0, -1, 1, 2, 5, 99, 127, 128, 255, 1000, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 10**30)
RAW = (
    "NaN",
    "-Infinity",
    "1e999",
    "-0",
    "-0.0",
    "1.0",
    "1E2",
    "1.5",
    "9" * 4_400,
    "-" + "9" * 400,
    '"\\ud800"',
    '"\\u0000"',
    "[" * 3_000 + "]" * 3_000,
    '{"a":' * 300 + "1" + "}" * 300,
    "[" * 45 + "]" * 45,
    "tru",
    "'a'",
)
"""Unusual or invalid texts to put into a JSON text in place of a value, such as huge numbers or deeply nested lists."""
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252", "utf-7")
TOKENS = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xfe\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\r", b"\n", b"\r\n", b"\x1a"),
    *(b'"', b'""', b",", b";", b"\t", b"'", b"[", b"]", b"{", b"}", b":", b"\\", b"\\u0000", b"\\ud800", b"-", b"e"),
    *(b"=", b"+", b"@", b"0", b"9" * 30, b"null", b"NaN", b"PK\x03\x04", b"PK\x05\x06", b"\xff\xff\xff\xff"),
)
_MARK = re.compile(r'"@raw:(\d+)@"')

CHANGES = ("value", "value", "value", "near", "near", "cut", "twice", "name", "other", "nest", "swap")

Path = tuple[Any, ...]

odd_texts = st.sampled_from(ODD_TEXTS) | st.text(max_size=50)
odd_values: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(NUMBERS),
    odd_texts,
    st.none(),
    st.booleans(),
    st.sampled_from([f"@raw:{place}@" for place in range(len(RAW))]),
    st.sampled_from([[], {}, [[]], [None], {"": {}}, [0, 0], ["A"], [[0, 1], [2, 3]], 1.5, -0.0]),
)
any_json: st.SearchStrategy[Any] = st.recursive(
    odd_values,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(odd_texts, inner, max_size=6),
    max_leaves=20,
)


def dumped(data: Any) -> str:
    """Return `data` as JSON text, with each placeholder replaced by the item of `RAW` that it stands for."""
    return _MARK.sub(lambda match: RAW[int(match[1])], json.dumps(data))


@st.composite
def mutated_values(draw: st.DrawFn, samples: Sequence[Any]) -> Any:
    """Draw a copy of one of `samples`, which are decoded JSON, with up to four random changes."""
    data = copy.deepcopy(draw(st.sampled_from(samples)))
    others = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(0, 4))):
        paths = list(_paths(data))
        path = draw(st.sampled_from(paths))
        data = _changed(draw, data, path, others)
    return data


@st.composite
def mutated_bytes(draw: st.DrawFn, samples: Sequence[bytes], most: int = 5) -> bytes:
    """Draw one of `samples`, and make at most `most` random changes to it.

    For example, bytes are cut out, doubled, inserted, moved or flipped.
    """
    data = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(data)))
        till = min(len(data), at + draw(st.integers(0, 40)))
        match draw(st.sampled_from(["cut", "double", "token", "flip", "truncate", "move", "random"])):
            case "cut":
                data = data[:at] + data[till:]
            case "double":
                data = data[:till] + data[at:till] * draw(st.sampled_from((1, 2, 50))) + data[till:]
            case "token":
                data = data[:at] + draw(st.sampled_from(TOKENS)) + data[at:]
            case "flip" if at < len(data):
                data = data[:at] + bytes([data[at] ^ (1 << draw(st.integers(0, 7)))]) + data[at + 1 :]
            case "truncate":
                data = data[:at]
            case "move":
                to = draw(st.integers(0, len(data)))
                data = data[:to] + data[at:till] + data[to:]
            case "random":
                data = data[:at] + draw(st.binary(max_size=8)) + data[till:]
    return data


@st.composite
def encoded(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> bytes:
    """Draw a string from `texts`, and encode it as bytes in a random encoding, usually UTF-8."""
    encoding = draw(st.just("utf-8") | st.sampled_from(ENCODINGS))
    return draw(texts).encode(
        encoding, "surrogatepass" if encoding.startswith("utf") and encoding != "utf-7" else "replace"
    )


def json_bytes(samples: Sequence[Any]) -> st.SearchStrategy[bytes]:
    """Return a strategy that draws the bytes of JSON files with data like `samples`, usually damaged."""
    texts = [json.dumps(sample).encode() for sample in samples]
    return st.one_of(
        encoded(mutated_values(samples).map(dumped)),
        encoded(mutated_values(samples).map(dumped)),
        mutated_bytes(texts),
        encoded(any_json.map(dumped)),
        st.binary(max_size=200),
    )


def _paths(data: Any, path: Path = ()) -> Any:
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from _paths(value, (*path, key))


def _changed(draw: st.DrawFn, data: Any, path: Path, other: Any) -> Any:
    """Return `data` with a random change to the value at `path`.

    The new value may come from `other`, which is another sample.
    """
    if not path:
        return copy.deepcopy(draw(st.one_of(st.just([data]), st.just({"a": data}), odd_values)))
    place = data
    for key in path[:-1]:
        place = place[key]
    key, value = path[-1], place[path[-1]]
    match draw(st.sampled_from(CHANGES)):
        case "near" if type(value) is int:
            place[key] = value + draw(st.sampled_from((-2, -1, 1, 2, 10)))
        case "near" if isinstance(value, str):
            at = draw(st.integers(0, len(value)))
            place[key] = value[:at] + draw(odd_texts) + value[at:]
        case "cut":
            del place[key]
        case "twice" if isinstance(place, list):
            place.insert(key, copy.deepcopy(value))
        case "name" if isinstance(place, dict):
            place[draw(odd_texts | st.just("x_" + str(key)))] = place.pop(key)
        case "other":
            try:
                for step in path:
                    other = other[step]
            except (LookupError, TypeError):
                other = None
            place[key] = copy.deepcopy(other)
        case "nest":
            place[key] = [value]
        case "swap":
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            to = draw(st.sampled_from(keys))
            place[key], place[to] = place[to], place[key]
        case _:
            place[key] = copy.deepcopy(draw(odd_values))
    return data
