"""What the forms of a night read: names on the wire, numbers, and answers that belong to one score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from flask import Flask

from scorekeeper.leagues.nights.forms import CardForm, FinalScoreForm, NightPlanForm, ScoreLineForm, TieForm
from scorekeeper.leagues.nights.pages import TableSide, TableView
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.violation import RuleViolation

if TYPE_CHECKING:
    from flask.ctx import RequestContext


def sent(**fields: str) -> RequestContext:
    """Return a request with these fields; `_` stands for a hyphen."""
    told = {name.replace("_", "-"): text for name, text in fields.items()}
    return Flask("no database").test_request_context(method="POST", data=told)


def table(*points: int, table_id: int = 1, state: Literal["playing", "done"] = "done", ended_by: str = "") -> TableView:
    """Return a table with these points by side, the first of which won."""
    sides = tuple(
        TableSide(index, "AB"[index], (), "", str(told), told, won=index == 0, confirmed=False)
        for index, told in enumerate(points)
    )
    return TableView(
        table_id, 1, 1, "game", state, "", paper=True, fresh=True, tied=False, sides=sides, ended_by=ended_by
    )


def test_points_are_read_side_by_side_with_the_minus_sign_of_any_keyboard() -> None:
    with sent(points_0=" 21 ", points_1="−3", points_12_0="9"):
        assert FinalScoreForm().numbers == (21, -3)


@pytest.mark.parametrize("typed", ["", "x", "- 3", "12345", "²", "+3"])
def test_points_that_are_no_number_are_refused(typed: str) -> None:
    with sent(points_0="21", points_1=typed), pytest.raises(RuleViolation, match="points for every side"):
        _ = FinalScoreForm().numbers


def test_an_answer_is_to_the_score_that_was_asked_about() -> None:
    with sent(points_0="11", points_1="12", asked="11,12", ending="target:0"):
        assert FinalScoreForm().answer == "target:0"
    with sent(points_0="12", points_1="11", asked="11,12", ending="target:0"):
        assert FinalScoreForm().answer == ""


def test_a_line_at_the_desk_reads_the_fields_of_its_own_table() -> None:
    fields = {"points_1_0": "21", "points_1_1": "13", "was_1": "", "points_12_0": "3", "points_12_1": "21"}
    with sent(**fields):
        assert [ScoreLineForm(table(0, 0, table_id=each, state="playing")).numbers for each in (1, 12)] == [
            (21, 13),
            (3, 21),
        ]


def test_a_line_is_changed_where_it_says_neither_what_stood_nor_what_stands() -> None:
    fields = {"points_1_0": "21", "points_1_1": "13"}
    with sent(**fields, was_1="21,13"):
        assert not ScoreLineForm(table(21, 14)).changed, "nobody typed anything"
    with sent(**fields, was_1="21,12"):
        assert not ScoreLineForm(table(21, 13)).changed, "somebody else entered the same"
        assert ScoreLineForm(table(21, 12)).changed


def test_a_line_that_was_not_sent_says_what_stands() -> None:
    asked = table(11, 12, ended_by="target")
    with sent(find="Ann"):
        line = ScoreLineForm(asked)
    assert line.totals.data == ("11", "12")
    assert asked.stands == "11,12;target:0"


def test_who_won_is_asked_again_only_where_somebody_wants_to_change_it() -> None:
    fields = {"points_1_0": "11", "points_1_1": "12", "asked_1": "11,12", "ending_1": "target:0"}
    was = {"was_1": "11,12;target:0"}
    with sent(**fields, **was):
        assert not ScoreLineForm(table(11, 12, ended_by="target")).changed
    with sent(**fields, **was, again_1="1"):
        line = ScoreLineForm(table(11, 12, ended_by="target"))
        assert line.changed
        assert line.answer == ""


@pytest.mark.parametrize("key", FORMATS)
def test_a_plan_comes_back_as_the_page_sends_it(key: str) -> None:
    """Every setting of every format has a field."""
    form = FORMATS[key]
    plan = NightPlan(format=key, options=form.options, rounds=3)
    options = {f"{key}-{option}": str(value) for option, value in form.options.items()}
    told = {"format": key, "rounds": "3", "together": "rotate", "sizes": "4", **options}
    with Flask("no database").test_request_context(method="POST", data=told):
        assert NightPlanForm.of(NightPlan()).plan == plan


def test_what_is_no_number_of_rounds_is_refused_and_stays_on_the_page() -> None:
    with sent(format="to_target", rounds="many", together="rotate", sizes="4"):
        form = NightPlanForm()
        assert 'value="many"' in form.rounds()
        with pytest.raises(RuleViolation):
            _ = form.plan


def test_half_a_tie_moves_nobody_on() -> None:
    with sent(tie="7 1 12,12"):
        assert TieForm().told == (7, 1, (12, 12))
    with sent(tie="7"), pytest.raises(RuleViolation):
        _ = TieForm().told


def test_a_card_without_a_table_is_about_none() -> None:
    with sent(table="1" * 30):
        assert CardForm().table.data == 0
