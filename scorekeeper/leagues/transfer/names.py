"""Decide for each name in a spreadsheet if it is a person of the league or a new one. No one is added silently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from scorekeeper.web.text import unaccented

NEW, NOBODY, IS = "+", "-", "="
"""Answers for a name: a new player, leave out the lines, and, before a name, that person."""
WHO = "who-"
"""Prefix of the form fields with answers; the rest is the name."""
ALIKE = 0.8
MOST_LIKELY = 3
MOST_COMPARED = 60_000
"""Pairs of names to compare, which takes about a second."""


@dataclass(frozen=True, slots=True)
class NameChoice:
    """A name that the league doesn't have.

    `likely` are the people it may be, best first. `answer` is empty if one must be chosen.
    """

    name: str
    likely: tuple[str, ...]
    answer: str
    told: bool
    """Somebody who saw the name gave the answer."""

    @property
    def field(self) -> str:
        """Return the form field of the answer."""
        return WHO + self.name.casefold()


def name_choices(
    told: Iterable[tuple[str, object]], known: Collection[str], answers: Mapping[str, str]
) -> tuple[NameChoice, ...]:
    """Return a choice for each unknown name, in the order of the spreadsheet.

    `told` has each name with a time and place where a person can be only once, such as the day of a night. Two names at
    the same time and place are two people. A single likely person is chosen unless an answer says otherwise; of
    several, one must be chosen.
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
        usual = NEW if not options else IS + apart[0] if len(apart) == 1 else ""
        is_told = given in allowed
        choices.append(NameChoice(name, options, given if is_told else usual, is_told))
    return tuple(choices)


def resolved(choices: Iterable[NameChoice], known: Iterable[str]) -> Mapping[str, str | None]:
    """Return the person that each name means: by name in lower case, a name of the league, or None to leave it out."""
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
    """Return the names that become new players."""
    return [choice.name for choice in choices if choice.answer == NEW]


def likely_names(new: Iterable[str], known: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the known people that each unknown name may mean, best first: the only one if it is certain."""
    plain: defaultdict[str, list[str]] = defaultdict(list)
    for name in known:
        plain[_plain(name)].append(name)
    found = {}
    for place, name in enumerate(new):
        told = _plain(name)
        exact = plain.get(told) or plain.get(_plain(_turned(name)))
        if exact is None and place * len(plain) < MOST_COMPARED:
            close = _close(told, plain) or [other for other in plain if _is_short_for(told, other)]
            exact = [each for other in close for each in plain[other]]
        found[name] = tuple((exact or [])[:MOST_LIKELY])
    return found


def _is_short_for(name: str, whole: str) -> bool:
    """Return whether `name` is a part of a whole name, or abbreviates it: "Ann", "Baker", "Ann B" or "A Baker"."""
    parts, wholes = name.split(), whole.split()
    if not set(parts) & set(wholes) or len(parts) > len(wholes):
        return False
    return len(parts) == 1 or all(one.startswith(part) for part, one in zip(parts, wholes, strict=False))


def _close(name: str, others: Iterable[str]) -> list[str]:
    """Return the names that look like this one, most alike first."""
    matcher = SequenceMatcher(b=name)
    scored = []
    for other in others:
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE:
            scored.append((-matcher.ratio(), other))
    return [other for _score, other in sorted(scored)[:MOST_LIKELY]]


def _beside(key: str, unknown: Mapping[str, str], at: Mapping[str, set[object]]) -> Sequence[str]:
    """Return other unknown names that may be the same person: earlier in the spreadsheet, and never there together."""
    earlier = []
    for other, name in unknown.items():
        if other == key:
            break
        if not at[other] & at[key]:
            earlier.append(name)
    if not earlier or len(earlier) * len(unknown) > MOST_COMPARED:
        return ()
    plain = {_plain(name): name for name in earlier}
    told = _plain(unknown[key])
    return [plain[told]] if told in plain else [plain[close] for close in _close(told, plain)]


def _turned(name: str) -> str:
    """Return "Baker, Ann" as "Ann Baker"."""
    last, comma, first = name.partition(",")
    return f"{first} {last}" if comma else name


def _plain(name: str) -> str:
    return unaccented(" ".join(name.replace(".", " ").split())) or "\0"
