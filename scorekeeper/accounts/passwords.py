"""Recognize passwords that attackers try first, such as a common word followed by digits.

`common_words.txt` has the words most common in leaked passwords, in the languages of the pages and in Russian as typed
on Latin keys. A password is common if it is made of at most `MOST_WORDS` different words, each from this file or from
the director's name. Added digits, signs and rows of neighboring keys don't make a password less common, and neither do
digits or signs in place of letters.

Check the name and password that a director chooses.

Pages show a name as it was typed; two names are the same if their folded forms (`folded`) are equal.

Hash and check passwords.

Passwords are hashed by Argon2id with the second recommended parameters of RFC 9106 (64 MiB, 3 passes, 4 lanes). The
OWASP Password Storage Cheat Sheet asks for less (19 MiB, 2 passes). Each hash takes 64 MiB and all cores, so a process
hashes at most two passwords at once, and at most one of them for a device that the account doesn't know (`turn`).
"""

import re
import secrets
import unicodedata
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import BoundedSemaphore, local

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from scorekeeper.i18n.catalog import _
from scorekeeper.web.text import unaccented

MOST_WORDS = 2
"""Most different words in a common password; three or more make a phrase, even if each word is common."""
FEWEST_KINDS = 5
"""A password with fewer different characters is common."""
FEWEST_DIGITS = 8
"""A password without letters is common if it has fewer digits than this, not counting rows of keys."""
NO_LETTER = r"[\W\d_]+"
FOR_LETTERS = tuple(str.maketrans("03457@$!1", f"oeastasi{one}") for one in "il")
"""Two tables that replace digits and signs with similar letters.

The first table replaces "1" and "!" with "i", and the second replaces them with "l".
"""
ROWS = (
    *("01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop", "qwertzuiop"),
    # Columns of keys, straight and in turns.
    *("1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "qazwsxedcrfvtgbyhnujmikolp", "1qa2ws3ed4rf5tg6yh7uj8ik9ol0p"),
    *(
        "1qazxsw23edcvfr45tgbnhy67ujm",
        "zaq12wsxcde34rfvbgt56yhnmju7",
        "qazxswedcvfrtgbnhyujm",
        "zaq1xsw2cde3vfr4bgt5nhy6",
    ),
    # From one row to the next and back.
    *("1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "1a2s3d4f5g6h7j8k9l", "a1s2d3f4g5h6j7k8l9", "z1x2c3v4b5n6m7"),
    *("qawsedrftgyhujikolp", "qweasdzxc", "wertsdfgxcvb"),
    # Digits in patterns.
    *(
        "112233445566778899",
        "111222333444555666777888999",
        "122333444455555",
        "01020304050607080901",
        "123321456654789987",
    ),
    *("159753456852", "147258369", "789456123"),
)
ROW = 4
"""Fewest neighboring keys that count as a row, forward or backward."""


def is_common(password: str, name: str) -> bool:
    """Return whether `password` is one that attackers try first. `name` is the director's name."""
    told = unaccented(password)
    if len(set(told)) < FEWEST_KINDS:
        return True
    if not re.sub(NO_LETTER, "", told):
        return sum(map(str.isdigit, _without_rows(told))) < FEWEST_DIGITS
    own = frozenset(part for part in re.split(r"[\W\d_]+", unaccented(name)) if len(part) >= 3)
    words = common_words() | own
    bare = re.sub(rf"\A{NO_LETTER}|{NO_LETTER}\Z", "", told)
    texts = (told, _without_rows(told), *(bare.translate(table) for table in FOR_LETTERS))
    return any(_made_of(re.sub(NO_LETTER, "", text), words) for text in texts)


@cache
def common_words() -> frozenset[str]:
    """Return the words of `common_words.txt`."""
    text = Path(__file__).with_name("common_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _without_rows(text: str) -> str:
    for row in (row[::way] for row in ROWS for way in (1, -1)):
        for length in range(len(row), ROW - 1, -1):
            for start in range(len(row) - length + 1):
                text = text.replace(row[start : start + length], " ")
    return text


def _made_of(letters: str, words: frozenset[str]) -> bool:
    """Return whether `letters` can be split into words from `words`, using at most `MOST_WORDS` different words.

    A string such as "aaaaaaaa" can be split in very many ways for a director called Aaa Aaaa. To stay fast, the search
    never tries the same position with the same set of used words twice.
    """
    lengths = {len(word) for word in words}
    start: tuple[int, frozenset[str]] = (0, frozenset())
    seen, waiting = {start}, [start]
    while waiting:
        place, used = waiting.pop()
        if place == len(letters):
            return True
        here = used if len(used) == MOST_WORDS else {letters[place : place + length] for length in lengths} & words
        for word in here:
            after = (place + len(word), used | {word})
            if after not in seen and letters.startswith(word, place):
                seen.add(after)
                waiting.append(after)
    return False


LONGEST_NAME = 40
LONGEST_FOLDED = 160
"""Most characters of a name normalized by `folded`, which can be longer than the name as typed."""
SHORTEST, LONGEST = 12, 200
"""Fewest and most characters of a password."""


class Refused(Exception):
    """The input was refused, and nothing was changed.

    `field` is the name of the form field that is wrong. `says` is the error message, in the reader's language.
    """

    def __init__(self, field: str, says: str) -> None:
        super().__init__(says)
        self.field = field
        self.says = says


def checked_name(typed: str) -> str:
    """Return the typed name without extra spaces.

    Raises `Refused` if the name is too long, or has no letter or digit.
    """
    name = " ".join(visible(unicodedata.normalize("NFC", typed[: 4 * LONGEST_NAME])).split())
    if not name or not any(character.isalnum() for character in name):
        raise Refused("name", _("Use letters or digits in the name."))
    if len(name) > LONGEST_NAME or len(folded(name)) > LONGEST_FOLDED:
        raise Refused("name", _("That name is too long. Use %(most)s characters or fewer.", most=LONGEST_NAME))
    return name


def check_new(password: str, name: str) -> None:
    """Raise `Refused` if a new password is too short, too long, or easily guessed.

    `name` is the director's name, because a password made from the name is easily guessed.
    """
    if len(password) < SHORTEST:
        raise Refused(
            "new-password",
            _(
                "That's too short. Use at least %(least)s characters. A few words are easy to remember.",
                least=SHORTEST,
            ),
        )
    if len(password) > LONGEST:
        raise Refused("new-password", _("That's too long. Use %(most)s characters or fewer.", most=LONGEST))
    if is_common(password, name):
        raise Refused("new-password", _("That password is easy to guess. Choose another one."))


def folded(name: str) -> str:
    """Return `name` in a normalized form, for comparing names.

    For example, "Rita  B." and "ＲＩＴＡ b." have the same normalized form.
    """
    compatible = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name[: 8 * LONGEST_NAME]).casefold())
    return " ".join(visible(compatible).split())


def visible(text: str) -> str:
    """Replace each control character in `text` with a space, and remove invisible formatting characters."""
    kept = (" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    return "".join(c for c in kept if unicodedata.category(c) not in {"Cf", "Cs", "Co", "Cn"})


HASHER = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
PATIENCE_SECONDS = 0.5
"""Longest wait for a free place (`Places`). Hashing a password takes about a quarter of that time."""


class BusyError(Exception):
    """Too many passwords are being hashed at the moment."""


class Places:
    """A limit on the number of passwords that are hashed or checked at the same time.

    Each password that is being hashed or checked occupies one place.
    """

    def __init__(self, amount: int) -> None:
        self._free = BoundedSemaphore(amount)
        self._waiting = BoundedSemaphore(1)

    def take(self) -> bool:
        """Occupy a place and return True, or return False if no place becomes free.

        If all places are occupied, one thread at a time may wait up to `PATIENCE_SECONDS`. Other threads don't wait,
        because the server has few threads.
        """
        if self._free.acquire(blocking=False):
            return True
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            return self._free.acquire(timeout=PATIENCE_SECONDS)
        finally:
            self._waiting.release()

    def leave(self) -> None:
        """Free a place that was taken with `take`."""
        self._free.release()


STRANGERS, KNOWN = Places(1), Places(1)
"""The places for devices where nobody has signed in to the account before, and those for known devices.

They are separate, so that strangers who try passwords all day never take the place of a known device.
"""
_this_thread = local()


@contextmanager
def turn(*, known: bool = False) -> Iterator[None]:
    """Occupy a place (see `Places`) for hashing or checking a password inside the `with` block.

    Nested calls in the same thread share one place. `known` means that the caller has already checked a known device, a
    session, a link or a code of the account. Such callers use a separate set of places, which strangers can't occupy.
    Raises `BusyError` if no place is free.
    """
    if getattr(_this_thread, "has_place", False):
        yield
        return
    places = KNOWN if known else STRANGERS
    if not places.take():
        raise BusyError
    _this_thread.has_place = True
    try:
        yield
    finally:
        _this_thread.has_place = False
        places.leave()


def hashed(password: str) -> str:
    """Return the hash of `password`, with its salt and parameters. Raises `BusyError` if no place is free."""
    with turn():
        return HASHER.hash(_composed(password))


def matches(kept: str | None, password: str) -> bool:
    """Return whether the stored hash `kept` is the hash of `password`.

    `kept` is None if there is no such account or the account has no password. The result is then False, but the check
    takes as long as usual. So the time doesn't show which names exist. Raises `BusyError` if no place for hashing is
    free.
    """
    with turn():
        try:
            HASHER.verify(kept or _nobodys(), _composed(password[: 2 * LONGEST]))
        except (VerificationError, InvalidHashError):
            return False
    return kept is not None


def outdated(kept: str) -> bool:
    """Return whether the hash `kept` was made with parameters that differ from those used now."""
    return HASHER.check_needs_rehash(kept)


def _composed(password: str) -> str:
    """Return the password in the normal form of RFC 8265.

    Keyboards differ in how they send accents and spaces. The normal form removes these differences.
    """
    spaced = "".join(" " if unicodedata.category(character) == "Zs" else character for character in password)
    return unicodedata.normalize("NFC", spaced)


@cache
def _nobodys() -> str:
    """Return a hash that matches no password.

    The hash is made from random bytes without hashing anything, so the first call is as fast as later ones.
    """
    sizes = (HASHER.salt_len, HASHER.hash_len)
    salt, made = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in sizes)
    return f"$argon2id$v=19$m={HASHER.memory_cost},t={HASHER.time_cost},p={HASHER.parallelism}${salt}${made}"
