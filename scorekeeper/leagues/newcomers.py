"""People from a table: looked at line by line before anybody is added."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from scorekeeper.leagues.people import NOTES_LENGTH, PersonData
from scorekeeper.leagues.sheet import columns_of, lines_of
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import check_name
from scorekeeper.rules.violation import RuleViolation

State = Literal["new", "there", "problem"]
NAME, NICKNAME = ("name", "player", "nombre", "jugador", "nom", "joueur"), ("nick", "apodo", "surnom")
GUEST, NOTES = ("guest", "invit"), ("note", "nota")
YES = ("yes", "y", "1", "x", "true", "sí", "si", "oui")


@dataclass(frozen=True, slots=True)
class NewcomerLine:
    """A line of the table: who it names, and what becomes of it; `problem` says what is wrong."""

    number: int
    told: PersonData
    state: State
    problem: str = ""


def newcomers(text: str, known: Collection[str]) -> tuple[NewcomerLine, ...]:
    """Return what each line of a table says, where the people `known` (by name) are there already.

    The first line may name the columns: name, nickname, guest, notes; else they stand in that order. Raises
    `RuleViolation` for a text that is no table.
    """
    lines = lines_of(text)
    head = lines[0][1] if lines else []
    headed = bool(columns_of(head, NAME)) and len(set(map(str.casefold, head))) == len(head)
    names, nicks, guests, notes = (
        columns_of(head, words) if headed else [place] for place, words in enumerate((NAME, NICKNAME, GUEST, NOTES))
    )
    taken = {name.casefold() for name in known}
    seen: set[str] = set()
    told = []
    for number, cells in lines[1:] if headed else lines:
        person = PersonData(
            name=_at(cells, names),
            nickname=_at(cells, nicks),
            guest=_at(cells, guests).casefold() in YES,
            notes=_at(cells, notes),
        )
        line = _line(number, person, taken, seen)
        seen.add(line.told.name.casefold())
        told.append(line)
    return tuple(told)


def _line(number: int, person: PersonData, taken: set[str], seen: set[str]) -> NewcomerLine:
    try:
        name = check_name(person.name)
        nickname = check_name(person.nickname) if person.nickname else ""
    except RuleViolation as violation:
        return NewcomerLine(number, person, "problem", violation.message)
    if name.casefold() in seen:
        return NewcomerLine(number, person, "problem", Phrase("This name is in the table twice."))
    if len(person.notes) > NOTES_LENGTH:
        message = Phrase("Notes can have at most %(most)s characters.", most=NOTES_LENGTH)
        return NewcomerLine(number, person, "problem", message)
    data = PersonData(name=name, nickname=nickname, guest=person.guest, notes=person.notes)
    return NewcomerLine(number, data, "there" if name.casefold() in taken else "new")


def _at(cells: list[str], columns: list[int]) -> str:
    return cells[columns[0]] if columns and columns[0] < len(cells) else ""
