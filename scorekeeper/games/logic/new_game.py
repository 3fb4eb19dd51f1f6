"""Move names between the seats of a new game: seat a player, swap seats, and draw at random.

Find a game by any of its names. `static/js/games/find-game.js` does the same while the player types.

Order the people of a home table by how likely they are to play now.

A person's weight is a sum over the past games that they played at this table. An older game counts less: half as much
every 30 days. A game with the preset that is chosen now counts twice. A game also counts once more for each other
player in it who has a seat now.
"""

import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple
from unicodedata import combining, normalize

from msgspec import Struct

from scorekeeper.people.tables import folded as folded_name


class Seats(Struct, frozen=True):
    """The names by seat, with "" for an empty seat, and the seat of the first dealer."""

    names: tuple[str, ...]
    dealer: int


def sit_down(seats: Seats, name: str) -> Seats:
    """Put the player `name` in the next empty seat. If the player has a seat already, make that seat empty.

    If no seat is empty, nothing changes.
    """
    folded_names = [folded_name(each) for each in seats.names]
    if folded_name(name) in folded_names:
        return _with_name(seats, folded_names.index(folded_name(name)), "")
    return _with_name(seats, seats.names.index(""), name) if "" in seats.names else seats


def swap_seats(seats: Seats, one: int, other: int) -> Seats:
    """Swap the players of two seats. The first dealer stays the same person."""
    places = list(range(len(seats.names)))
    places[one], places[other] = other, one
    return _moved(seats, places)


def draw_seats(seats: Seats, random: Random) -> Seats:
    """Give everyone a random seat. The first dealer stays the same person."""
    return _moved(seats, random.sample(range(len(seats.names)), len(seats.names)))


def draw_partners(seats: Seats, random: Random) -> Seats:
    """Draw partners at random: the player in the first seat stays, and all others get random seats.

    All partnerships are equally likely. The first dealer stays the same person.
    """
    others = range(1, len(seats.names))
    return _moved(seats, [0, *random.sample(others, len(others))])


def change_partners(seats: Seats) -> Seats:
    """Give everyone another partner: the player in the first seat stays, and all others move on by one seat.

    With four players, three such changes go through all partnerships. The first dealer stays the same person.
    """
    last = len(seats.names) - 1
    return _moved(seats, [0, last, *range(1, last)])


def draw_dealer(seats: Seats, random: Random) -> Seats:
    """Draw the first dealer at random."""
    return Seats(seats.names, random.randrange(len(seats.names)))


def _moved(seats: Seats, places: Sequence[int]) -> Seats:
    """Return the seats with each player moved from seat `places[i]` to seat i."""
    return Seats(tuple(seats.names[place] for place in places), places.index(seats.dealer))


def _with_name(seats: Seats, seat: int, name: str) -> Seats:
    return Seats((*seats.names[:seat], name, *seats.names[seat + 1 :]), seats.dealer)


_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"),
)
NUMBERS: Mapping[str, str] = {word: str(number) for number, word in enumerate(_NUMBERS)}
FILLERS = frozenset(("a", "and", "of", "the", "to", "with"))
SHORT = 4
"""A word with fewer letters must be spelled right. If one letter could be wrong, it would match too many words."""
LONG = 20
"""A word with more letters must be spelled right, too. No name has such a word, and misspellings are slow to search."""
NO_MATCH = 5


class Findable(Struct, frozen=True):
    """The search entry of a game: its key, its names, the numbers of players, and the points of a hand.

    The first name is the game's own name.
    """

    key: str
    names: tuple[str, ...]
    players: frozenset[int]
    points: int
    """Maximum number of points of a hand in this game."""


def folded(text: str) -> str:
    """Return `text` in lower case, without accents and punctuation. Number words become digits."""
    plain = "".join(sign for sign in normalize("NFD", text) if not combining(sign)).lower()
    return " ".join(NUMBERS.get(word, word) for word in re.findall(r"[^\W_]+", plain))


def find_games(text: str, games: Iterable[Findable], players: int | None = None) -> tuple[str, ...]:
    """Return the keys of the games whose names match `text`, the best match first.

    With `players`, only games for that many players are found. Spelling errors are forgiven only if nothing matches
    exactly. An empty text matches all games.
    """
    wanted = _wanted([word for word in folded(text).split() if word not in FILLERS])
    fitting = [game for game in games if players is None or players in game.players]
    ranks = {game.key: _rank(wanted, [folded(name) for name in game.names]) for game in fitting}
    best = min((rank for rank, _other in ranks.values()), default=NO_MATCH)
    good = [key for key, (rank, _other) in ranks.items() if rank < NO_MATCH and rank <= max(best, 2)]
    return tuple(sorted(good, key=ranks.__getitem__))


def known_word(text: str, known: Container[str]) -> str:
    """Return the first word of `text` that is in `known`, or "" if none is."""
    return next((word for word in folded(text).split() if word in known), "")


def nearest_game(text: str, games: Sequence[Findable], players: int | None = None) -> str:
    """Return the key of the game that is most like `text`, as the base for a player's own game.

    This is used if the search finds no game. Games for `players` players are preferred. Among these games, the best
    match has the number of points in a hand that is closest to the first number in `text`. If several games are equally
    close, the best match has the most words of `text` in its names.
    """
    words = folded(text).split()
    numbers = [int(word) for word in words if word.isdecimal() and 0 < len(word) < 3]

    def unlike(game: Findable) -> tuple[bool, int, int]:
        named = {word for name in game.names for word in folded(name).split()}
        return (
            players is not None and players not in game.players,
            abs(numbers[0] - game.points) if numbers else 0,
            -len(named.intersection(words)),
        )

    return min(games, key=unlike).key


class _Wanted(NamedTuple):
    """The words to search for.

    `typed` is the whole search text without spaces. `exact` has a pattern for each word as typed. `nearly` has patterns
    that also match a word with a spelling error.
    """

    typed: str
    exact: Sequence[re.Pattern[str]]
    nearly: Sequence[re.Pattern[str]]


def _wanted(words: Sequence[str]) -> _Wanted:
    return _Wanted(
        "".join(words),
        [re.compile(rf"\b{_whole_number(word)}") for word in words],
        [re.compile(rf"\b(?:{_nearly(word)})") for word in words],
    )


def _rank(wanted: _Wanted, names: Sequence[str]) -> tuple[int, bool]:
    """Return how well a game's names fit the search, as the pair (lowest rank of its names, is a secondary name).

    The second value is False if the game's own name, which is the first in `names`, has the lowest rank. Otherwise it
    is True. The ranks are:

    - 0: The text is the whole name.
    - 1: The text is the beginning of the name.
    - 2: Each word of the text begins a word of the name.
    - 3: Each word of the text begins a word of any of the names.
    - 4: Each word of the text, with a spelling error forgiven, begins a word of any of the names.
    - `NO_MATCH`: No name fits.
    """
    ranks = ((_fit(wanted, name), at > 0) for at, name in enumerate(names))
    return min((*ranks, (_fit(wanted, " ".join(names), whole=3), True)))


def _fit(wanted: _Wanted, name: str, *, whole: int = 2) -> int:
    joined = name.replace(" ", "")
    if whole == 2 and joined.startswith(wanted.typed):
        return 0 if joined == wanted.typed else 1
    if all(pattern.search(name) for pattern in wanted.exact):
        return whole
    return 4 if all(pattern.search(name) for pattern in wanted.nearly) else NO_MATCH


def _whole_number(word: str) -> str:
    """Return a pattern for words that begin with `word`, or for the whole word if `word` is a number."""
    return rf"{word}\b" if word.isdecimal() else word


def _nearly(word: str) -> str:
    """Return a pattern for `word` with one letter wrong, extra, missing, or swapped with the next.

    A word that is very short or very long must be spelled correctly.
    """
    if not SHORT <= len(word) <= LONG:
        return _whole_number(word)
    cuts = [(word[:at], word[at], word[at + 1 :]) for at in range(len(word))]
    slips = ((f"{a}[^ ]{c}", f"{a}{c}", f"{a}[^ ]{b}{c}", f"{a}{c[:1]}{b}{c[1:]}") for a, b, c in cuts)
    return "|".join(slip for each in slips for slip in each)


HALF_LIFE = 30
"""Days after which a game counts half."""


class PastGame(Struct, frozen=True):
    """A past game, as input for `by_likelihood`: its preset, its age in whole days, and its people as row ids."""

    preset: str
    days: int
    people: frozenset[int]
    counts: bool = True
    """Whether the game counts in the statistics of the home table; its weight is the same either way."""


def by_likelihood(
    people: Sequence[int], games: Sequence[PastGame], preset: str, seated: Collection[int] = ()
) -> tuple[int, ...]:
    """Return `people` (row ids) with the likeliest players first. Equally likely people stay in the given order.

    `preset` is the game that is chosen now. `seated` are the people who have a seat already.
    """
    weights = dict.fromkeys(people, 0.0)
    for game in games:
        weight = 0.5 ** (max(game.days, 0) / HALF_LIFE) * (2 if game.preset == preset else 1)
        for person in game.people & weights.keys():
            weights[person] += weight * (1 + len(game.people.intersection(seated) - {person}))
    return tuple(sorted(people, key=lambda person: -weights[person]))
