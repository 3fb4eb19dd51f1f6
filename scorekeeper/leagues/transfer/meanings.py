"""Guess what each column of a spreadsheet means, from its heading and a few of its cells."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from scorekeeper.leagues.transfer.spreadsheet_dates import is_month, is_night
from scorekeeper.rules.phrase import Phrase
from scorekeeper.web.text import unaccented

SKIP, DAY, ROUND, TABLE, NAME, FIRST, LAST, SIDE, SUB, NIGHT, POINTS, SCORE, GAMES, WINS, LOSSES, TIES, TOTAL = (
    *("skip", "day", "round", "table", "name", "first", "last", "side", "sub", "night", "points", "score", "games"),
    *("wins", "losses", "ties", "total"),
)


class Meaning(Struct, frozen=True):
    """A possible meaning of a column, with its label and the headings that suggest it.

    `whole` has complete headings, and `begins` has the words with which headings begin, all in lower case and without
    accents. A word may be followed by an "s"; with "*", any letters may follow.
    """

    label: Phrase
    whole: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    often: bool = False
    """True if a spreadsheet may have several such columns."""


MEANINGS: Mapping[str, Meaning] = {
    SKIP: Meaning(
        Phrase("Leave out"),
        ("no", "no.", "nr", "#", "pos", "pos.", "+/-", "pct", "ppg", "avg", "avg.", "id", "net", "sets"),
        (*("rank", "place", "standing", "moy*", "prom*", "rang", "season", "night", "percent*", "email", "phone"),
         *("note", "puesto", "drop", "best", "temporada", "money", "paid")),
        often=True,
    ),
    SUB: Meaning(
        Phrase("Plays for"), ("sub", "subs", "for"), ("plays for", "sub for", "substitute for", "suplente*"), often=True
    ),
    DAY: Meaning(
        Phrase("Date"),
        (*("when", "jour", "week", "wk", "night", "session", "semana", "semaine", "jornada", "soiree"),
         *("week of", "night of", "played on", "league night", "semaine du", "semana del", "soiree du")),
        (*("date", "game date", "game day", "league date", "match date", "play date", "night date", "day", "fecha"),
         *("dia", "timestamp", "marca temporal", "horodat*")),
    ),
    ROUND: Meaning(Phrase("Round"), ("rd", "rnd", "tour"), ("round", "ronda", "ronde")),
    TABLE: Meaning(Phrase("Table"), ("tbl",), ("table", "mesa")),
    FIRST: Meaning(Phrase("First name"), (), ("first*", "given", "prenom")),
    LAST: Meaning(Phrase("Last name"), (), ("last*", "surname", "family", "apellido")),
    SIDE: Meaning(
        Phrase("Partners, in one cell"),
        (*("winner", "winners", "loser", "losers", "ganadores", "perdedores", "gagnants", "perdants"),
         *("north-south", "east-west", "north/south", "east/west", "n-s", "e-w", "n/s", "e/w", "ns", "ew"),
         *("norte-sur", "este-oeste", "nord-sud", "est-ouest", "e-o")),
        (*("team", "side", "pair", "partner", "equipo", "equipe", "pareja"),
         *("winning team", "winning pair", "winning side", "losing team", "losing pair", "losing side")),
        often=True,
    ),
    GAMES: Meaning(
        Phrase("Games"),
        ("g", "gp", "pj", "mj", "games"),
        ("games", "played", "partidas", "parties", "juegos", "jugadas"),
    ),
    WINS: Meaning(
        Phrase("Wins"),
        ("w", "v", "pg", "wins", "won", "games won"),
        ("win*", "won", "victo*", "gana*", "gagne*"),
    ),
    LOSSES: Meaning(
        Phrase("Losses"),
        ("l", "d", "pp", "losses", "lost", "games lost"),
        ("loss*", "lost", "derro*", "defaite", "perd*"),
    ),
    TIES: Meaning(Phrase("Ties"), ("t", "e", "n", "ties", "tied"), ("tie", "draw", "empat*", "nul", "egalite")),
    TOTAL: Meaning(
        Phrase("Total, to compare"),
        ("total", "totals", "sum", "grand total", "suma", "somme", "total points", "total pts", "season total"),
        ("total", "sum", "grand total", "season total"),
    ),
    POINTS: Meaning(
        Phrase("Points"),
        ("points", "pts", "pts.", "pt", "score", "puntos"),
        ("point", "pts", "score*", "punt*", "marque*"),
        often=True,
    ),
    SCORE: Meaning(Phrase("Score like 21-13"), ("result", "final", "final score", "resultado", "resultat")),
    NAME: Meaning(
        Phrase("Player"),
        (*("who", "north", "south", "east", "west", "norte", "sur", "este", "oeste"),
         *("nord", "sud", "est", "ouest", "player", "name", "players", "names")),
        ("player*", "seat", "name", "jugador", "joueur", "nombre", "nom", "member"),
        often=True,
    ),
    NIGHT: Meaning(Phrase("Points of one night"), often=True),
}  # fmt: skip
"""Maps a key to each meaning. Headings are compared with the meanings in this order, whole headings first."""


def _beginnings(*, stems: bool) -> Mapping[str, re.Pattern[str]]:
    told = {
        key: [
            word.rstrip("*") if word.endswith("*") else rf"{word}s?(?![a-z])"
            for word in meaning.begins
            if stems or word[-1] != "*"
        ]
        for key, meaning in MEANINGS.items()
    }
    return {key: re.compile("|".join(words)) for key, words in told.items() if words}


_BEGINNINGS = {True: _beginnings(stems=True), False: _beginnings(stems=False)}
COUNTS = frozenset((POINTS, GAMES, WINS, LOSSES, TIES))
"""What a column below the date of a night may count."""
RATES = re.compile(r".*(\bper\b|\bavg\b|average|%|\bpct\b|promedio|moyenne|/ ?g(ame)?\b|diff|against|allowed)")
"""Pattern of headings of numbers that aren't points of a night: "Points per game", "Point differential"."""
POINTED = re.compile(r".*(score|points|\bpts\b|punt)")
OUTCOMES = {
    WINS: re.compile(r".*\b(?:won|win|gana|gagn)"),
    LOSSES: re.compile(r".*\b(?:lost|loss|perdi|perdu)"),
    TIES: re.compile(r".*\b(?:tied|tie|draw|empat|nul)"),
}
"""Pattern of what "Games won" and the like count, which begin like a number of games."""
PARTNERS = re.compile(r"\s*(?:\bw/|[/&+;])\s*|\s+(?:[-–]|and|with|y|con|et|avec|und)\s+", re.IGNORECASE)
"""Pattern of what separates partners in one cell, such as "/" or "and"."""
MOST_DIGITS = 6
THOUSANDS = re.compile(r"[-−]?[1-9]\d{0,2}[,.]\d{3}(?!\d).*")
"""Pattern of a number with thousands, which someone else may mean as three decimals."""
BLANK = frozenset(("", "-", "–", "—", "."))
MISSED = BLANK | {
    *(
        "x",
        "a",
        "abs",
        "abs.",
        "absent",
        "absente",
        "ausente",
        "bye",
        "dnp",
        "dns",
        "dnf",
        "n/a",
        "na",
        "ns",
        "no show",
    ),
    *("off", "out", "away", "sick", "excused", "exc", "none", "exempt", "descanso"),
}
"""Cell texts, in lower case, of people who missed the night. Those that aren't in `BLANK` are listed in the preview."""
NUMBER = re.compile(
    r"([-−]?)(\d{1,4}|\d{1,3}(?:[ ,.'’\u00a0\u202f]\d{3})+)?(½|[.,](?:\d{1,2}|0+))?"
    r"(?: ?(?:pts?|points?|puntos?)\.?)?\*?",
    re.IGNORECASE,
)
"""Pattern of a number as people write it: "21", "12,5", "1,234", "21 pts", or "21*" with a footnote.

The groups match the sign, the whole part and the fraction. Use `is_number`, because the pattern matches an empty text.
"""
SCORED = re.compile(r"\s*([-−]?\d{1,4})\s*(?:[-–—:/]|to|\s)\s*([-−]?\d{1,4})\s*", re.IGNORECASE)
"""Pattern of the score of a game in one cell."""


def is_number(text: str) -> bool:
    """Return whether a text is a number as people write it."""
    return (found := NUMBER.fullmatch(text)) is not None and bool(found[2] or found[3])


def amount(text: str) -> Fraction | None:
    """Return the number in a cell, such as "21", "12,5", "1,234", "21 pts" or "21*"; None for any other text.

    A comma or a dot before three digits separates thousands.
    """
    found = NUMBER.fullmatch(text.strip())
    if found is None or not (found[2] or found[3]):
        return None
    digits = re.sub(r"\D", "", found[2] or "0")
    part = (found[3] or "").replace("½", ".5").replace(",", ".").rstrip(".")
    return Fraction(f"{'-' if found[1] else ''}{digits}{part}") if len(digits) <= MOST_DIGITS else None


@lru_cache(4096)
def meaning_of(heading: str, *, stems: bool = True) -> str | None:
    """Return what a heading means, as a key of `MEANINGS`, or None if it isn't known.

    Without `stems`, a heading that only begins like a word isn't known, because it may be a name, such as "Victor".
    """
    plain = unaccented(heading)
    for key, meaning in MEANINGS.items():
        if plain in meaning.whole:
            return key
    if RATES.match(plain):
        return SKIP
    begun = next((key for key, words in _BEGINNINGS[stems].items() if words.match(plain)), None)
    if begun in (GAMES, ROUND, TABLE):
        outcome = next((key for key, words in OUTCOMES.items() if words.match(plain)), begun)
        begun = outcome if GAMES in (begun, outcome) or outcome == begun else SKIP
    # "Team 1 points" and "Season pts" begin like something else.
    return POINTS if begun in (None, SIDE, SKIP, WINS, LOSSES) and POINTED.match(plain) else begun


def is_heading(cell: str) -> bool:
    """Return whether a cell may be the heading of a column: of a known one, or of one with the points of a night."""
    return bool(cell) and (meaning_of(cell) is not None or is_night(cell))


def guess(head: Sequence[str], samples: Sequence[tuple[str, ...]], *, turned: bool = False) -> list[str]:
    """Guess what each column means, from its heading and a few of its cells.

    If the table was `turned`, each column after the first is a night, except for totals and the like.
    """
    numeric = [all(is_number(text) or text.casefold() in MISSED for text in cells) for cells in samples]
    counted = _counted(head, numeric)
    if turned:
        counted |= {at for at, text in enumerate(head) if at and meaning_of(text, stems=False) is None}
    months = {at for at, text in enumerate(head) if is_month(text)}
    counted |= months if len(months) > 1 else set()
    guessed = []
    for place, heading in enumerate(head):
        night = heading and (is_night(heading) or place in counted)
        told = NIGHT if night else (meaning_of(heading) or SKIP if heading else SKIP)
        is_score = told in (POINTS, SCORE) and samples[place] and all(map(SCORED.fullmatch, samples[place]))
        guessed.append(SCORE if is_score else POINTS if told == SCORE and numeric[place] else told)
    # A sheet of one night after another has no heading above the names, as often as not.
    if not {NAME, FIRST, LAST, SIDE}.intersection(guessed):
        texts = (
            at
            for at, cells in enumerate(samples)
            if cells and not numeric[at] and guessed[at] in (SKIP, DAY) and not any(map(is_night, cells))
        )
        if (first := next(texts, None)) is not None:
            guessed[first] = NAME
    if "l" in map(unaccented, head):  # "W, L, D": in French and Spanish, D stands for losses
        guessed = [TIES if unaccented(head[at]) == "d" else meaning for at, meaning in enumerate(guessed)]
    worded = [meaning if not numeric[at] else "" for at, meaning in enumerate(guessed)]
    if NIGHT not in guessed and (worded.count(NAME) > 1 or worded.count(SIDE) > 1):
        if not {POINTS, SCORE}.intersection(guessed):
            guessed = [POINTS if told == SIDE and not worded[at] else told for at, told in enumerate(guessed)]
        return _with_scores(_of_games(guessed, head), head, samples)
    pairs = {at for at, cells in enumerate(samples) if cells and all(map(PARTNERS.search, cells))}
    return [SIDE if told == NAME and at in pairs else told for at, told in enumerate(_one_name(guessed, head))]


def _with_scores(guessed: list[str], head: Sequence[str], samples: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the guessed meanings with the scores of a match of several games, such as "Game 1, Game 2, Game 3"."""
    if {POINTS, SCORE}.intersection(guessed):
        return guessed
    games = {at for at, cells in enumerate(samples) if head[at][-1:].isdecimal() and all(map(SCORED.fullmatch, cells))}
    return [SCORE if told == SKIP and at in games else told for at, told in enumerate(guessed)]


def _one_name(guessed: list[str], head: Sequence[str]) -> list[str]:
    """Correct the guessed meanings for a spreadsheet with one person per line, and return them.

    For example, columns with totals are only compared if there is a column for each night.
    """
    if FIRST in guessed and LAST in guessed:
        guessed = [SKIP if meaning == NAME else meaning for meaning in guessed]
    elif FIRST in guessed or LAST in guessed:
        # "Nom, Prénom" and "Nombre, Apellido"
        other = LAST if FIRST in guessed else FIRST
        guessed = [other if meaning == NAME else meaning for meaning in guessed]
    if NIGHT in guessed:
        # With a column for each night, "Points" are those of the season.
        sums = SKIP if TOTAL in guessed else TOTAL
        left = dict.fromkeys((GAMES, WINS, LOSSES, TIES, DAY, ROUND, SCORE), SKIP) | {POINTS: sums}
        guessed = [left.get(meaning, meaning) for meaning in guessed]
    elif POINTS not in guessed:
        guessed = [POINTS if meaning == TOTAL else meaning for meaning in guessed]
    named = {NAME, FIRST}.intersection(guessed)
    guessed = [meaning if meaning != SIDE else SKIP if named else NAME for meaning in guessed]
    return _once(guessed, head, (NAME, POINTS, SUB))


def _of_games(guessed: list[str], head: Sequence[str]) -> list[str]:
    """Correct the guessed meanings for a spreadsheet with one game per line, and return them.

    For example, columns with numbers of games, wins or losses are left out.
    """
    left = (GAMES, WINS, LOSSES, TIES, TOTAL, FIRST, LAST, *((NAME,) if SIDE in guessed else ()))
    return _once([SKIP if meaning in left else meaning for meaning in guessed], head)


def _once(guessed: list[str], head: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """Return the guessed meanings with `SKIP` in place of repeated ones, except those that several columns may have.

    The meanings in `more` aren't repeated either. The first column whose whole heading has the meaning is kept, or else
    the first one that has it.
    """
    kept: dict[str, int] = {}
    for at, meaning in enumerate(guessed):
        whole = unaccented(head[at]) in MEANINGS[meaning].whole
        if meaning not in kept or (whole and unaccented(head[kept[meaning]]) not in MEANINGS[meaning].whole):
            kept[meaning] = at
    return [
        meaning if kept[meaning] == at or (MEANINGS[meaning].often and meaning not in more) else SKIP
        for at, meaning in enumerate(guessed)
    ]


def _counted(head: Sequence[str], numeric: Sequence[bool]) -> set[int]:
    """Return the indexes of the columns that are headed 1, 2, 3 … in this order and have only numbers below.

    Return an empty set if there are fewer than two such columns.
    """
    places = [at for at, text in enumerate(head) if text.isdecimal() and len(text) < 3 and numeric[at]]
    return set(places) if [int(head[at]) for at in places] == list(range(1, len(places) + 1)) and places[1:] else set()
