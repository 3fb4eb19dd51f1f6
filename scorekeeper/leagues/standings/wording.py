"""Put the standings into words: which rule broke a tie, and short lines for a message.

Every text is a `Phrase`, so that a page can show it in the reader's language. `names` holds the name of each unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.standings.rows import StandingRow, Tie, TieValue
from scorekeeper.leagues.standings.ties import TIE_BREAKS
from scorekeeper.rules.phrase import Phrase

Names = Mapping[Unit, str]

ORDERS: Mapping[str, Phrase] = {
    "per_game": Phrase("points per game"),
    "points": Phrase("total points"),
    "wins": Phrase("wins"),
}
_WORDS: Mapping[str, Phrase] = {**ORDERS, **{key: rule.label for key, rule in TIE_BREAKS.items()}}
_TIED_IN: Mapping[str, Phrase] = {**_WORDS, "fewest_sets": Phrase("number of sets")}


def tie_line(tie: Tie, names: Names) -> Phrase:
    """Return the sentence about a tie: the criteria on which the units are tied, and the tie-breaker that broke it."""
    order, *rules = tie.tied_on
    tied = {
        "names": _listed_units(tie, [names[unit] for unit in tie.units]),
        "what": listed(
            [
                Phrase("%(order)s (%(value)s)", order=_WORDS[order], value=decimal(tie.at)),
                *(_TIED_IN[rule] for rule in rules),
            ]
        ),
    }
    unless = [TIE_BREAKS[rule].unless for rule in tie.skipped]
    sentence = _tie_sentence(tie, names, tied)
    return Phrase("%(one)s %(other)s", one=sentence, other=unless[0]) if unless else sentence


def _tie_sentence(tie: Tie, names: Names, tied: Mapping[str, object]) -> Phrase:
    if not tie.rule:
        return Phrase("%(names)s are tied in %(what)s. They share a rank.", **tied)
    if tie.rule == "draw":
        return Phrase("%(names)s are tied in %(what)s. Their order was drawn at random.", **tied)
    shown = plus_minus if TIE_BREAKS[tie.rule].is_difference else decimal
    values = [
        Phrase("%(name)s %(value)s", name=names[unit], value=shown(value))
        for unit, value in zip(tie.units, tie.values, strict=True)
    ]
    return Phrase(
        "%(names)s are tied in %(what)s. Tie broken by %(rule)s: %(values)s.",
        rule=_WORDS[tie.rule],
        values=_listed_units(tie, values),
        **tied,
    )


def _listed_units(tie: Tie, words: Sequence[str]) -> str:
    """Return "Ann, Bob and Cid", or "Ann and Bob; Cid and Dee" for partners, whose name already has an "and"."""
    return _joined(words, _semicolon) if len(tie.units[0]) > 1 else listed(words)


def chat_lines(rows: Iterable[StandingRow], names: Names, order: str) -> tuple[Phrase, ...]:
    """Return a line for each row, such as "3. Ann 12.25 · 8–4", and one line for all unranked units.

    The first number is the one by which the season ranks; after it come wins, losses and any ties, or the points if the
    season ranks by wins.
    """
    lines: list[Phrase] = []
    below: list[str] = []
    for row in rows:
        if row.place is None:
            below.append(names[row.unit])
            continue
        first, second = score_parts(row, order)
        lines.append(
            Phrase(
                "%(place)s. %(name)s %(first)s · %(second)s",
                place=row.place,
                name=names[row.unit],
                first=first,
                second=second,
            )
        )
    if below:
        lines.append(Phrase("Not ranked yet: %(names)s", names=listed(below)))
    return tuple(lines)


def score_parts(row: StandingRow, order: str) -> tuple[str, str]:
    """Return the numbers after a name: the one by which the season ranks, and the record, as `chat_lines` says."""
    record = "–".join(map(str, row.record))
    if order == "wins":
        return record, decimal(row.points)
    return rate(row.value) if order == "per_game" else decimal(row.value), record


def plus_minus(value: TieValue) -> str:
    """Return a difference with its sign: "+3", "0" or "−3"."""
    return Phrase("+%(value)s", value=decimal(value)) if value > 0 else decimal(value)


def decimal(value: TieValue) -> str:
    """Return "12" or "12.25": two decimals if not whole, halves rounded away from zero, with a true minus sign."""
    return whole(value.numerator) if value.denominator == 1 else rate(value)


def rate(value: TieValue) -> str:
    """Return "12.00" or "12.25": always two decimals, halves rounded away from zero, with a true minus sign."""
    # In whole numbers, because a page has two hundred of these and fractions multiply slowly.
    hundredths = (200 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    sign = "−" if value < 0 and hundredths else ""
    return Phrase("%(whole)s.%(part)s", whole=f"{sign}{hundredths // 100}", part=f"{hundredths % 100:02d}")


def whole(value: int) -> str:
    """Return a whole number with a true minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def listed(words: Sequence[str]) -> str:
    """Return "one", "one and two", or "one, two and three"; phrases stay phrases."""
    if len(words) == 1:
        return words[0]
    return Phrase("%(first)s and %(last)s", first=_joined(words[:-1], _comma), last=words[-1])


def _comma(one: str, other: str) -> str:
    return Phrase("%(one)s, %(other)s", one=one, other=other)


def _semicolon(one: str, other: str) -> str:
    return Phrase("%(one)s; %(other)s", one=one, other=other)


def _joined(words: Sequence[str], between: Callable[[str, str], str]) -> str:
    """Return "one, two, three", built by halves: phrases nested a thousand deep could not be translated."""
    if len(words) == 1:
        return words[0]
    half = len(words) // 2
    return between(_joined(words[:half], between), _joined(words[half:], between))
