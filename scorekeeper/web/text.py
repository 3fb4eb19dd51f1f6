"""Text that people typed or that stands in an address: what number it is, and what it is looked for by."""

from __future__ import annotations

import re
import unicodedata


def whole_number(text: str, digits: int = 3, *, signed: bool = False) -> int | None:
    """Return the number that `text` is in at most so many digits, None where it is none.

    With `signed` it may begin with a minus sign, as it is printed too. Python's own `int` takes more: spaces,
    underscores, the digits of every script, and as many of them as keep it busy for minutes.
    """
    told = text.replace("−", "-") if signed else text
    sign = "-?" if signed else ""
    return int(told) if re.fullmatch(rf"{sign}[0-9]{{1,{digits}}}", told) else None


def unaccented(text: str) -> str:
    """Return `text` in small letters without accents, to look for a name however it was typed.

    Two names may be different people and look alike so; which ones are one is for `accounts.credentials.folded` and for
    the league to say.
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))
