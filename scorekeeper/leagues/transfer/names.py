"""Decide for each name in a spreadsheet whether it means a person of the league or a new player."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scorekeeper.leagues.transfer.meanings import PARTNERS
from scorekeeper.web.alike import MOST_COMPARED, close_names, likely_names, plain_name
from scorekeeper.web.text import unaccented

NEW, NOBODY, IS = "+", "-", "="
"""Answers about a name in a spreadsheet: `NEW` for a new player, `NOBODY` to leave out the lines with this name.

`IS` followed by another name means that both are names of the same person.
"""
WHO = "who-"
"""Prefix of the names of form fields for answers. After it comes the name from the spreadsheet, case-folded."""
DOUBTFUL = re.compile(
    r"(?:grand |sub-?|team |high|low|best|max|min|total|sum|average|avg|mean|moyenne|promedio|media|count|number"
    r"|attendance|prize|winner|notes?|players?)(?:est|s|imum)?\b.*"
    rf"|.*\S(?:{PARTNERS.pattern})\S.*"
)
"""Pattern of a name that may not be one: "High score", "Ann & Bob", but also "Mean Gene"."""


@dataclass(frozen=True, slots=True)
class NameChoice:
    """A name in a spreadsheet that nobody in the league has.

    `likely` are the names of people who may be meant, best first. `answer` is `NEW`, `NOBODY`, or `IS` followed by a
    name, or empty if the user must still choose.
    """

    name: str
    likely: tuple[str, ...]
    answer: str
    told: bool
    """True if the user chose the answer; False if it was chosen for them."""

    @property
    def doubtful(self) -> bool:
        """Return whether the user must say who is meant: a player who is in the league, a new one, or no one."""
        return bool(self.likely or DOUBTFUL.fullmatch(unaccented(self.name)))

    @property
    def field(self) -> str:
        """Return the name of the form field for the answer."""
        return WHO + self.name.casefold()


def name_choices(
    told: Iterable[tuple[str, object]], known: Collection[str], answers: Mapping[str, str]
) -> tuple[NameChoice, ...]:
    """Return a choice for each unknown name, in the order of the spreadsheet.

    `told` has pairs of a name and an occasion, such as the day of a night. Two names on the same occasion are two
    people. `known` has the names in the league. `answers` has the user's answers, by the name of the form field.
    If the user gave no answer, the answer is `NEW` for a name without similar names, or the only person in the league
    with a similar name. In all other cases, and if the name may not be one, the user must choose.
    """
    there = {name.casefold(): name for name in known}
    at: defaultdict[str, set[object]] = defaultdict(set)
    names: dict[str, str] = {}
    for name, where in told:
        names.setdefault(name.casefold(), name)
        at[name.casefold()].add(where)
    unknown = {key: name for key, name in names.items() if key not in there}
    likely = likely_names(unknown.values(), known)
    choices = []
    for key, name in unknown.items():
        apart = [each for each in likely[name] if not at[key] & at.get(each.casefold(), set())]
        beside = _beside(key, unknown, at) if not apart else ()
        given = answers.get(WHO + key, "")
        options = (*apart, *beside)
        allowed = {NEW, NOBODY, *(IS + each for each in options), *(IS + each for each in known)}
        is_told = given in allowed
        choice = NameChoice(name, options, given, is_told)
        usual = IS + apart[0] if len(apart) == 1 else "" if choice.doubtful else NEW
        choices.append(choice if is_told else replace(choice, answer=usual))
    return tuple(choices)


def resolved(choices: Iterable[NameChoice], known: Iterable[str]) -> Mapping[str, str | None]:
    """Return a mapping from each name in the spreadsheet, case-folded, to the name of the person it means.

    The person may be in the league already, or may be a new player. The value is None for a name that is left out.
    """
    answers = {choice.name.casefold(): choice for choice in choices}
    found: dict[str, str | None] = {name.casefold(): name for name in known}
    for key, choice in answers.items():
        name = choice.answer.removeprefix(IS) if choice.answer.startswith(IS) else choice.name
        # A name may be that of another line, which is itself somebody else.
        other = answers.get(name.casefold())
        if other is not None and other is not choice and other.answer.startswith(IS):
            name = other.answer.removeprefix(IS)
        found[key] = None if choice.answer == NOBODY else name
    return found


def new_names(choices: Iterable[NameChoice]) -> list[str]:
    """Return the names for which new players are added."""
    return [choice.name for choice in choices if choice.answer == NEW]


def _beside(key: str, unknown: Mapping[str, str], at: Mapping[str, set[object]]) -> Sequence[str]:
    """Return the unknown names that may mean the same person as the unknown name `key`, best first.

    `key` is the case-folded form of a name. `unknown` maps the key of each unknown name to the name, in the order of
    the spreadsheet. `at` maps keys to occasions, such as the days on which the name is listed. Only similar names are
    returned that come before `key` in the spreadsheet, and that never share an occasion with `key`.
    """
    earlier = []
    for other, name in unknown.items():
        if other == key:
            break
        if not at[other] & at[key]:
            earlier.append(name)
    if not earlier or len(earlier) * len(unknown) > MOST_COMPARED:
        return ()
    plain = {plain_name(name): name for name in earlier}
    told = plain_name(unknown[key])
    return [plain[told]] if told in plain else [plain[close] for close in close_names(told, plain)]
