"""Pack the kits of all games into little JSON: what several kits have in common is in it once.

A text is the numbers of its lines, `{"$": [7, -2, 12]}`: line 7, the 2 lines after it, line 12. Any other part that
occurs again is `{"@": 3}`, part 3 of those that are shared. `filled` in `static/sw-games.js` unpacks them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

LONGEST = 40
"""Characters from which a text is stored by its lines, since most lines are the same in many texts."""
LEAST = 24
"""Characters of JSON from which a part is shared."""


PACKED = ("kit", "setup")
"""The parts of a kit that are packed; the others are plain, for choosing a kit."""


def packed(kits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the kits, and the lines and parts that they share."""
    lines: dict[str, int] = {}
    told = [{**kit, **{name: _by_lines(kit[name], lines) for name in PACKED}} for kit in kits]
    often = Counter(json.dumps(part) for kit in told for name in PACKED for part in _parts(kit[name]))
    seen: dict[str, int] = {}
    shared: list[Any] = []

    def once(part: Any) -> Any:
        if not isinstance(part, dict | list):
            return part
        key = json.dumps(part)
        if key in seen:
            return {"@": seen[key]}
        if not isinstance(part, dict):
            small: Any = [once(each) for each in part]
        else:
            small = part if "$" in part else {name: once(each) for name, each in part.items()}
        if often[key] < 2 or len(key) < LEAST:
            return small
        shared.append(small)
        seen[key] = len(shared) - 1
        return {"@": seen[key]}

    small_kits = [{**kit, **{name: once(kit[name]) for name in PACKED}} for kit in told]
    return {"kits": small_kits, "lines": list(lines), "shared": shared}


def _parts(value: Any) -> Iterator[Any]:
    """Return the value, if it is no text or number, and everything of this kind inside it."""
    if isinstance(value, dict | list):
        yield value
        if "$" not in value:
            for each in value.values() if isinstance(value, dict) else value:
                yield from _parts(each)


def _by_lines(value: Any, lines: dict[str, int]) -> Any:
    """Return a kit with each long text as the numbers of its lines; new lines are added to `lines`."""
    if isinstance(value, dict):
        return {key: _by_lines(each, lines) for key, each in value.items()}
    if isinstance(value, list):
        return [_by_lines(each, lines) for each in value]
    if isinstance(value, str) and len(value) >= LONGEST:
        return {"$": _runs(lines.setdefault(line, len(lines)) for line in _lines_of(value))}
    return value


def _lines_of(text: str) -> Iterable[str]:
    """Return the lines of a text; those of HTML without the space that browsers ignore."""
    lines = text.split("\n")
    return [line.strip() for line in lines if line.strip()] if "<" in text else lines


def _runs(numbers: Iterable[int]) -> list[int]:
    """Return the numbers with each run as its first number and the negative count of those that follow."""
    told: list[int] = []
    last = None
    for number in numbers:
        if number - 1 != last:
            told.append(number)
        elif told[-1] < 0:
            told[-1] -= 1
        else:
            told.append(-1)
        last = number
    return told
