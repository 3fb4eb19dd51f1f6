"""Read a list of players from a spreadsheet, for a preview before anyone is added."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scorekeeper.leagues.people.service import NOTES_LENGTH, PersonData
from scorekeeper.leagues.transfer.names import IS, NEW, NOBODY, NameChoice, name_choices
from scorekeeper.leagues.transfer.spreadsheet import columns_of, lines_of
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import check_name
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.alike import first_name_first

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


@dataclass(frozen=True, slots=True)
class NewcomerLine:
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
        replace(line, state=STATES.get(answers.get(line.told.name.casefold(), NEW)[:1], "asked"))
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
