"""Recognize passwords that attackers try first, such as a common word followed by digits.

`common_words.txt` has the words most common in leaked passwords, in the languages of the pages and in Russian as typed
on Latin keys. A password is common if it is made of at most `MOST_WORDS` different words, each from this file or from
the director's name. Added digits, signs and rows of neighboring keys don't make a password less common, and neither do
digits or signs in place of letters.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

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
