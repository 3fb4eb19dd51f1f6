"""Pack the kits with which phones start games offline into short JSON that has each shared part only once.

A kit is the data that a phone needs to start a game offline. A long text is replaced by the numbers of its lines. For
example, `{"$": [7, -2, 12]}` means line 7, the 2 lines after it, and line 12. Any other part that occurs more than once
is replaced by its number, for example `{"@": 3}` for shared part 3. `filled` in `static/sw-games.js` unpacks the kits.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

LONGEST = 40
"""A text of at least this many characters is stored by its lines, since most lines are the same in many texts."""
LEAST = 24
"""A part is shared if its JSON has at least this many characters."""


PACKED = ("kit", "setup")
"""The parts of a kit that are packed. The phone chooses a kit by its other parts, so those are not packed."""


def packed(kits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the `kits` as one short JSON object with the keys `kits`, `lines` and `shared`.

    In the packed kits, long strings are replaced by references to `lines`. Parts that occur more than once are replaced
    by references to `shared`.
    """
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
    """Yield `value` if it is a list or an object. Also yield every list and object inside `value`.

    An object that replaces a long string is yielded, but the line numbers inside the object are not.
    """
    if isinstance(value, dict | list):
        yield value
        if "$" not in value:
            for each in value.values() if isinstance(value, dict) else value:
                yield from _parts(each)


def _by_lines(value: Any, lines: dict[str, int]) -> Any:
    """Return a part of a kit in which each long string is replaced by the numbers of its lines.

    `lines` maps each line to its number. New lines are added to `lines`.
    """
    if isinstance(value, dict):
        return {key: _by_lines(each, lines) for key, each in value.items()}
    if isinstance(value, list):
        return [_by_lines(each, lines) for each in value]
    if isinstance(value, str) and len(value) >= LONGEST:
        return {"$": _runs(lines.setdefault(line, len(lines)) for line in _lines_of(value))}
    return value


def _lines_of(text: str) -> Iterable[str]:
    """Return the lines of `text`. In HTML, blank lines and spaces at both ends of each line are removed."""
    lines = text.split("\n")
    return [line.strip() for line in lines if line.strip()] if "<" in text else lines


def _runs(numbers: Iterable[int]) -> list[int]:
    """Return the line numbers as a shorter list, by shortening each run of consecutive numbers.

    A run becomes its first number, followed by a negative number. The negative number says how many more numbers follow
    in the run. For example, 7, 8, 9, 12 becomes [7, -2, 12].
    """
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
