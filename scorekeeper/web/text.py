"""Read numbers from text, and normalize names for searching."""

from __future__ import annotations

import re
import unicodedata


def whole_number(text: str, digits: int = 3, *, signed: bool = False) -> int | None:
    """Return the number in `text`, of at most so many digits, or None.

    With `signed` it may start with a minus sign, hyphen or true minus. Python's `int` accepts more: spaces,
    underscores, digits of all scripts, and so many of them that they take minutes.
    """
    told = text.replace("−", "-") if signed else text
    sign = "-?" if signed else ""
    return int(told) if re.fullmatch(rf"{sign}[0-9]{{1,{digits}}}", told) else None


def unaccented(text: str) -> str:
    """Return `text` in lower case without accents, for finding a name however it was typed.

    Different people can share the result; `accounts.credentials.folded` and the league decide which names are the same.
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))
