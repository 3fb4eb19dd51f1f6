"""Describe the standings in words: which rule broke a tie, and short lines for a text message.

Every text is a `Phrase`, so that a page can show it in the reader's language. `names` has the name of each
unit (one player or a set of partners).

Explain each rank: the value that decided it, the tie-breaker that broke a tie, or how far a team got in a bracket.

The functions use no database. `names` has the name of each unit (a player or a set of partners).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from scorekeeper.games.logic.statistics.hands import Unit
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
_BROKEN_BY: Mapping[str, Phrase] = {**_WORDS, "head_to_head": Phrase("head to head (wins minus losses)")}
_BROKEN_AGAIN_BY: Mapping[str, Phrase] = {"head_to_head": Phrase("head to head among them alone (wins minus losses)")}
_TIED_IN: Mapping[str, Phrase] = {**_WORDS, "fewest_sets": Phrase("number of sets")}


def tie_line(tie: Tie, names: Names) -> Phrase:
    """Return a sentence that says what the players or teams are tied on, and which tie-breaker broke the tie."""
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
    if tie.leaders:
        return Phrase(
            "%(names)s are tied in %(what)s. Tie broken by head to head: %(first)s would be ahead of the others no "
            "matter who won the games that weren't played.",
            first=_listed_units(tie, [names[unit] for unit in tie.units[: tie.leaders]]),
            **tied,
        )
    shown = plus_minus if TIE_BREAKS[tie.rule].is_difference else decimal
    values = [
        Phrase("%(name)s %(value)s", name=names[unit], value=shown(value))
        for unit, value in zip(tie.units, tie.values, strict=True)
    ]
    return Phrase(
        "%(names)s are tied in %(what)s. Tie broken by %(rule)s: %(values)s.",
        rule=_BROKEN_AGAIN_BY[tie.rule] if tie.rule in tie.tied_on else _BROKEN_BY[tie.rule],
        values=_listed_units(tie, values),
        **tied,
    )


def _listed_units(tie: Tie, words: Sequence[str]) -> str:
    """Join words about the tied units into a list, such as "Ann, Bob and Cid" for players.

    Partners are separated by semicolons, as in "Ann and Bob; Cid and Dee", because their names already contain "and".
    """
    return _joined(words, _semicolon) if len(tie.units[0]) > 1 else listed(words)


def chat_lines(rows: Iterable[StandingRow], names: Names, order: str) -> tuple[Phrase, ...]:
    """Return a line for each ranked row, such as "3. Ann 12.25 · 8–4", and one line that names all unranked units.

    After the rank and the name comes the value that the season ranks by, such as 12.25. Wins, losses and any ties
    follow. If the season ranks by wins, the wins and losses come first, and the points follow.
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
    """Return the two strings to show after a name in the standings.

    The first string is the value that the season ranks by. The second has the wins and losses. If the season ranks by
    wins, the first string has the wins and losses, and the second has the points.
    """
    record = record_text(row)
    if order == "wins":
        return record, decimal(row.points)
    return rate(row.value) if order == "per_game" else decimal(row.value), record


def record_text(row: StandingRow) -> str:
    """Return the wins and losses of a row, such as "3–1", or "–" if they aren't known."""
    return "–".join(map(str, row.record)) or "–"


def plus_minus(value: TieValue) -> str:
    """Return a difference with its sign: "+3", "0" or "−3"."""
    return Phrase("+%(value)s", value=decimal(value)) if value > 0 else decimal(value)


def decimal(value: TieValue) -> str:
    """Format a number with two decimals, such as "12.25", or without decimals if it is whole, such as "12".

    Halves are rounded away from zero. A negative number has a true minus sign.
    """
    return whole(value.numerator) if value.denominator == 1 else rate(value)


def rate(value: TieValue) -> str:
    """Format a number with exactly two decimals, such as "12.00" or "12.25".

    Halves are rounded away from zero. A negative number has a true minus sign.
    """
    # In whole numbers, because a page has two hundred of these and fractions multiply slowly.
    hundredths = (200 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    sign = "−" if value < 0 and hundredths else ""
    return Phrase("%(whole)s.%(part)s", whole=f"{sign}{hundredths // 100}", part=f"{hundredths % 100:02d}")


def whole(value: int) -> str:
    """Format a whole number. A negative number has a true minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def listed(words: Sequence[str]) -> str:
    """Join words as "one", "one and two", or "one, two and three".

    The result is a `Phrase` if there are at least two words, so that it can be translated.
    """
    if len(words) == 1:
        return words[0]
    return Phrase("%(first)s and %(last)s", first=_joined(words[:-1], _comma), last=words[-1])


def _comma(one: str, other: str) -> str:
    return Phrase("%(one)s, %(other)s", one=one, other=other)


def _semicolon(one: str, other: str) -> str:
    return Phrase("%(one)s; %(other)s", one=one, other=other)


def _joined(words: Sequence[str], between: Callable[[str, str], str]) -> str:
    """Join words as "one, two, three".

    `between` joins two strings into one. The list is joined in halves, because phrases that are nested a thousand
    levels deep can't be translated.
    """
    if len(words) == 1:
        return words[0]
    half = len(words) // 2
    return between(_joined(words[:half], between), _joined(words[half:], between))


FINAL = (Phrase("Won the final."), Phrase("Lost the final."))
THIRD = (Phrase("Won the game for third place."), Phrase("Lost the game for third place."))
BEFORE = (Phrase("Lost in the semifinals."), Phrase("Lost in the quarterfinals."))
"""How far a team got in a finished knockout, as one sentence for each group of teams, best group first.

With a game for third place, those who lost the semifinals are two groups, with the sentences of `THIRD`.
"""
FORFEIT = (Phrase("Won because all others still in went home."), Phrase("Went home while still in."))
"""The sentences for the first two groups of teams if there was no final."""


def reasons_for(row: StandingRow, names: Names, order: str) -> tuple[Phrase, ...]:
    """Return the sentences that explain the rank of a row.

    There is one sentence for each tie. A row without ties has one sentence with the value that decided its rank.
    `order` is what the season ranks by, a key of `wording.ORDERS`.
    """
    if row.ties:
        return tuple(tie_line(tie, names) for tie in row.ties)
    value = Phrase("%(order)s (%(value)s)", order=ORDERS[order], value=decimal(row.value))
    return (Phrase("Decided by %(what)s.", what=value),)


def bracket_reason(group: int, groups: int, *, over: bool, third: bool = False, forfeit: bool = False) -> Phrase:
    """Return a sentence about how far a team got in a knockout.

    `group` is the index of the team's group in `knockout.placed`, where 0 is the best group. `groups` is the number of
    groups. `over` says whether there is a champion, `third` whether a game for third place was played, and `forfeit`
    whether the champion won without a final because all others still in went home.
    """
    last = FORFEIT if forfeit else (*FINAL, *THIRD, *BEFORE[1:]) if third else (*FINAL, *BEFORE)
    if over and group < len(last):
        return last[group]
    if not group:
        return Phrase("Still in when the night was closed.")
    return Phrase("Lost in round %(round)s.", round=groups - group)
