"""Read numbers from text, and simplify names so that they are easy to search."""

from __future__ import annotations

import re
import unicodedata


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
