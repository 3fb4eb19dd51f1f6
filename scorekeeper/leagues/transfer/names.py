"""Decide for each name in a spreadsheet whether it means a person of the league or a new player.

Read a list of players from a spreadsheet, for a preview before anyone is added.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct, structs

from scorekeeper.leagues.people.service import NOTES_LENGTH, PersonData
from scorekeeper.leagues.transfer.meanings import PARTNERS
from scorekeeper.leagues.transfer.spreadsheet import columns_of, lines_of
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import check_name
from scorekeeper.web.text import MOST_COMPARED, close_names, first_name_first, likely_names, plain_name, unaccented

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


class NameChoice(Struct, frozen=True):
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
        choices.append(choice if is_told else structs.replace(choice, answer=usual))
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


State = Literal["new", "there", "problem", "asked", "left"]
NAME, NICKNAME = ("name", "player", "nombre", "jugador", "nom", "joueur"), ("nick", "apodo", "surnom")
GUEST, NOTES = ("guest", "invit", "visitante", "de passage"), ("note", "nota")
FIRST, LAST = ("first", "given", "prénom"), ("last", "surname", "family", "apellido")
EMAIL, PHONE = ("email", "e-mail", "mail", "correo"), ("phone", "mobile", "cell", "tel", "tél", "móvil")
HEADINGS = frozenset(
    (
        *(*NAME, "player name", "full name", "names", "players"),
        *(*FIRST, "first name", "firstname", "given name"),
        *(*LAST, "last name", "lastname", "family name", "apellidos"),
    )
)
"""Cells that mark a line as headings, even below a title."""
MOST_TITLES = 4
STATES: Mapping[str, State] = {NEW: "new", IS: "there", NOBODY: "left"}
"""Maps the first character of the answer about a name to the state of the line with that name."""
YES = ("yes", "y", "1", "x", "true", "sí", "si", "oui")


class NewcomerLine(Struct, frozen=True):
    """One line of an imported list of players.

    `told` is the player on the line. `state` says whether the player is new. `problem` says what is wrong, or is empty.
    """

    number: int
    told: PersonData
    state: State
    problem: str = ""


def newcomers(text: str, known: Collection[str]) -> tuple[NewcomerLine, ...]:
    """Return the players in a spreadsheet, compared with the names that the league has (`known`).

    The first line may be headings. Without headings, the columns are name, nickname, guest and notes, in this order.
    With headings, the name may be in two columns, and an email address and a phone number are added to the notes. Title
    lines above the headings are skipped. Raises `RuleViolation` if the text isn't a spreadsheet.
    """
    lines = _below_title(lines_of(text))
    head = lines[0][1] if lines else []
    headed = bool(columns_of(head, (*NAME, *FIRST))) and len(set(map(str.casefold, head))) == len(head)
    names, nicks, guests, notes = (
        columns_of(head, words)[:1] if headed else [place] for place, words in enumerate((NAME, NICKNAME, GUEST, NOTES))
    )
    if headed:
        first, last = columns_of(head, FIRST)[:1], columns_of(head, LAST)[:1]
        # "Name, First name, Last name" has the whole name already; "Nom, Prénom" and "Nombre, Apellido" do not.
        names = names if names and first and last else [*first, *names, *last]
        notes = [*notes, *columns_of(head, EMAIL)[:1], *columns_of(head, PHONE)[:1]]
    taken = {name.casefold() for name in known}
    seen: set[str] = set()
    told = []
    for number, cells in lines[1:] if headed else lines:
        person = PersonData(
            name=first_name_first(" ".join(filter(None, (_at(cells, [place]) for place in names)))),
            nickname=_at(cells, nicks),
            guest=_at(cells, guests).casefold() in YES,
            notes=", ".join(filter(None, (_at(cells, [place]) for place in notes))),
        )
        line = _line(number, person, taken, seen)
        seen.add(line.told.name.casefold())
        told.append(line)
    return tuple(told)


def with_names(lines: Sequence[NewcomerLine], choices: Sequence[NameChoice]) -> tuple[NewcomerLine, ...]:
    """Set the state of each new line from the user's answer in `choices` about the name, and return all lines.

    The state becomes "new" for a new player, "there" for a person who is already in the league, and "left" for a line
    to leave out. If there is a choice but no answer yet, the state becomes "asked".
    """
    answers = {choice.name.casefold(): choice.answer for choice in choices}
    return tuple(
        structs.replace(line, state=STATES.get(answers.get(line.told.name.casefold(), NEW)[:1], "asked"))
        if line.state == "new"
        else line
        for line in lines
    )


def choices_of(
    lines: Sequence[NewcomerLine], known: Collection[str], answers: Mapping[str, str]
) -> tuple[NameChoice, ...]:
    """Return a choice for each new name that resembles one of the league's names (`known`).

    `answers` has the user's answers, by the name of the form field. Different names in the list always count as
    different people.
    """
    names = [(line.told.name, 0) for line in lines if line.state != "problem"]
    return tuple(choice for choice in name_choices(names, known, answers) if choice.likely)


def _line(number: int, person: PersonData, taken: set[str], seen: set[str]) -> NewcomerLine:
    try:
        name = check_name(person.name)
        nickname = check_name(person.nickname) if person.nickname else ""
    except RuleViolation as violation:
        return NewcomerLine(number, person, "problem", violation.message)
    if name.casefold() in seen:
        return NewcomerLine(number, person, "problem", Phrase("This name is listed twice."))
    if len(person.notes) > NOTES_LENGTH:
        message = Phrase("Notes can have at most %(most)s characters.", most=NOTES_LENGTH)
        return NewcomerLine(number, person, "problem", message)
    data = PersonData(name=name, nickname=nickname, guest=person.guest, notes=person.notes)
    return NewcomerLine(number, data, "there" if name.casefold() in taken else "new")


def _below_title(lines: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Return the lines, without any title lines above the headings.

    If no headings are found, all lines are returned.
    """
    for place, (_number, cells) in enumerate(lines[: MOST_TITLES + 1]):
        filled = [cell.casefold() for cell in cells if cell]
        if len(filled) > 1:
            return lines[place:] if HEADINGS.intersection(filled) else lines
    return lines


def _at(cells: list[str], columns: list[int]) -> str:
    return cells[columns[0]] if columns and columns[0] < len(cells) else ""
