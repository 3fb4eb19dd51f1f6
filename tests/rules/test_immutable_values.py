"""The values of the rules are immutable, so no code can change them while other code uses them."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules import commands, events, explain
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import _Draft
from scorekeeper.rules.scoring import Hand, Scored, Tally
from scorekeeper.rules.table import set_table
from tests.support.each import for_each

MODULES = [import_module(f"{rules.__name__}.{found.name}") for found in iter_modules(rules.__path__)]
CLASSES: list[type[Any]] = [
    value
    for module in MODULES
    for _, value in getmembers(module, isclass)
    if value.__module__ == module.__name__ and not issubclass(value, Exception | tuple | str) and value is not _Draft
]
"""All classes of the rules, apart from subclasses of `Exception`, `tuple` and `str`, and from `_Draft`.

A replay uses `_Draft` for a game that it is still changing.
"""


@for_each("kind", CLASSES)
def test_every_class_of_the_rules_is_a_frozen_value_without_room_for_more(kind: type[Any]) -> None:
    """Each class of the rules is a frozen dataclass with slots, and its instances are compared by value."""
    assert is_dataclass(kind)
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert kind.__dataclass_params__.eq  # type: ignore[attr-defined]
    assert "__slots__" in vars(kind)


def test_every_command_and_every_event_is_among_them() -> None:
    """Every command and every event is among the classes whose immutability is tested."""
    assert {*commands.Command.__args__, *events.Event.__args__} <= set(CLASSES)


def test_a_value_cannot_be_changed() -> None:
    """An attempt to change the rules, a table or a score raises an error."""
    table = set_table(PRESETS["setback-21"], 4)
    values: list[Any] = [PRESETS["setback-21"], table, events.DealerSet(1)]
    for value in values:
        with pytest.raises(FrozenInstanceError):
            setattr(value, fields(value)[0].name, 1)
    tuples: list[Any] = [Hand(0), Scored((0,), None), Tally((0,), (0,))]
    for value in tuples:
        with pytest.raises(AttributeError):
            setattr(value, value._fields[0], 1)


def test_what_need_not_be_said_has_its_usual_value() -> None:
    """Defaults exist for a game's extra fields, for a bid's trump and calls, and for a message's parameters."""
    rules = PRESETS["setback-21"]
    begun = events.GameStarted(rules, (1, 2), ((0,), (1,)), 0)
    assert begun.extra == {}
    assert events.BidTaken(0, 1, 2) == events.BidTaken(0, 1, 2, None, None)
    assert commands.TakeBid(1, 2) == commands.TakeBid(1, 2, None)
    assert explain.Message("on.set").params == {}


def test_rules_are_written_by_name() -> None:
    """The fields of `Ruleset` must be given by name, because there are too many to tell apart by position."""
    with pytest.raises(TypeError):
        type(PRESETS["setback-21"])("setback-21", "Setback")  # type: ignore[call-arg]
