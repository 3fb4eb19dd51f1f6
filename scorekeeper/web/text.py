"""Read numbers from text, and simplify names so that they are easy to search.

Find names that may mean the same person.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from difflib import SequenceMatcher


def whole_number(text: str, digits: int = 3, *, signed: bool = False) -> int | None:
    """Return the whole number in `text`, or None if `text` isn't a number or has more than `digits` digits.

    With `signed`, a minus sign (a hyphen or a true minus) may come first. Python's `int` would accept too much: spaces,
    underscores, digits of all scripts, and numbers so long that converting them takes minutes.
    """
    told = text.replace("−", "-") if signed else text
    sign = "-?" if signed else ""
    return int(told) if re.fullmatch(rf"{sign}[0-9]{{1,{digits}}}", told) else None


def unaccented(text: str) -> str:
    """Return `text` in lower case without accents, so that a search finds a name however it was typed.

    Different names can have the same result. So don't use this function to decide whether two names are the same. For
    account names, `accounts.credentials.folded` decides.
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))


def plain_words(text: str) -> str:
    """Return the Latin letters and digits of `text` for an address or a file name, with hyphens for everything else.

    Letters are in lower case and without accents. The result is empty if nothing is left.
    """
    return re.sub(r"[^a-z0-9]+", "-", unaccented(text)).strip("-")


DIGITS = re.compile(r"\d")
SUFFIX = re.compile(r"(?:jr|sr|[ivx]+|[2-9](?:nd|rd|th)|esq|md|m\.d)\.?", re.IGNORECASE)
"""Pattern of what may follow a whole name and a comma."""
ALIKE = 0.8
"""How similar two names are that may mean the same person, from 0 to 1."""
MOST_LIKELY = 3
LONGEST = 40
"""Number of characters up to which a name is compared. Nobody's name is longer, and the work grows with its square."""
MOST_COMPARED = 20_000
"""Maximum number of pairs of names that are compared. To compare this many takes half a second."""


def likely_names(new: Iterable[str], known: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the known names that may mean the same person as each new name, best first. The key is the new name.

    If a known name differs only in case, accents, or the order of first and last name, names that are merely similar
    aren't returned. After about `MOST_COMPARED` comparisons, similar names are no longer looked for, nor for a name of
    more than `LONGEST` characters.
    """
    plain: defaultdict[str, list[str]] = defaultdict(list)
    for name in known:
        plain[plain_name(name)].append(name)
    found = {}
    for place, name in enumerate(new):
        told = plain_name(name)
        exact = plain.get(told) or plain.get(plain_name(first_name_first(name)))
        if exact is None and len(told) <= LONGEST and place * len(plain) < MOST_COMPARED:
            close = close_names(told, plain) or [other for other in plain if _is_short_for(told, other)]
            exact = [each for other in close for each in plain[other]]
        found[name] = tuple((exact or [])[:MOST_LIKELY])
    return found


def _is_short_for(name: str, whole: str) -> bool:
    """Return whether `name` is a short form of a whole name.

    For "Ann Baker", short forms are "Ann", "Baker", "Ann B" and "A Baker".
    """
    parts, wholes = name.split(), whole.split()
    if not set(parts) & set(wholes) or len(parts) > len(wholes):
        return False
    return len(parts) == 1 or all(one.startswith(part) for part, one in zip(parts, wholes, strict=False))


def close_names(name: str, others: Iterable[str]) -> list[str]:
    """Return the names in `others` that look like `name`, most similar first. "Table 1" and "Table 2" aren't alike.

    The result is empty if `name` has more than `LONGEST` characters.
    """
    if len(name) > LONGEST:
        return []
    matcher, digits = SequenceMatcher(b=name), DIGITS.findall(name)
    scored = []
    for other in others:
        if DIGITS.findall(other) != digits:
            continue
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE:
            scored.append((-matcher.ratio(), other))
    return [other for _score, other in sorted(scored)[:MOST_LIKELY]]


def first_name_first(name: str) -> str:
    """Turn a name such as "Baker, Ann" into "Ann Baker".

    Other names aren't changed, such as "Bob Smith, Jr." or "Ann, the elder".
    """
    last, *first = (part.strip() for part in name.split(","))
    if len(first) != 1 or not (last and first[0]) or SUFFIX.fullmatch(first[0]):
        return name
    if first[0][0].islower() and not last[0].islower():
        return name
    return f"{first[0]} {last}"


def plain_name(name: str) -> str:
    """Return a name as it is compared: without accents, capitals and dots."""
    return unaccented(" ".join(name.replace(".", " ").split())) or "\0"
