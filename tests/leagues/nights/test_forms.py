"""The forms of a night, for names, points, the night's plan, and answers about doubtful scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from flask import Flask

from scorekeeper.games.forms.start import FinalScoreForm
from scorekeeper.leagues.nights.forms import CardForm, NightPlanForm, ScoreLineForm, TieForm
from scorekeeper.leagues.nights.pages import TableSide, TableView
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.phrase import RuleViolation

if TYPE_CHECKING:
    from flask.ctx import RequestContext


def sent(**fields: str) -> RequestContext:
    """Return the context of a request that posts `fields`. Each "_" in a field's name becomes a hyphen."""
    told = {name.replace("_", "-"): text for name, text in fields.items()}
    return Flask("no database").test_request_context(method="POST", data=told)


def table(*points: int, table_id: int = 1, state: Literal["playing", "done"] = "done", ended_by: str = "") -> TableView:
    """Return a view of a table, as the pages of a night get it, in which the first side has won.

    `points` are the points of each side. `ended_by` says why the game ended.
    """
    sides = tuple(
        TableSide(index, "AB"[index], (), "", str(told), told, won=index == 0, confirmed=False)
        for index, told in enumerate(points)
    )
    return TableView(
        table_id, 1, 1, "game", state, "", paper=True, fresh=True, tied=False, sides=sides, ended_by=ended_by
    )


def test_points_are_read_by_side_with_any_minus_sign() -> None:
    with sent(points_0=" 21 ", points_1="−3", points_12_0="9"):
        assert FinalScoreForm().numbers == (21, -3)


@pytest.mark.parametrize("typed", ["", "x", "- 3", "12345", "²", "+3"])
def test_points_that_are_not_numbers_are_refused(typed: str) -> None:
    with sent(points_0="21", points_1=typed), pytest.raises(RuleViolation, match="points for every side"):
        _ = FinalScoreForm().numbers


def test_an_answer_counts_only_for_the_score_it_was_given_for() -> None:
    with sent(points_0="11", points_1="12", asked="11,12", ending="target:0"):
        assert FinalScoreForm().answer == "target:0"
    with sent(points_0="12", points_1="11", asked="11,12", ending="target:0"):
        assert FinalScoreForm().answer == ""


def test_a_score_line_reads_the_fields_of_its_own_table() -> None:
    fields = {"points_1_0": "21", "points_1_1": "13", "was_1": "", "points_12_0": "3", "points_12_1": "21"}
    with sent(**fields):
        assert [ScoreLineForm(table(0, 0, table_id=each, state="playing")).numbers for each in (1, 12)] == [
            (21, 13),
            (3, 21),
        ]


def test_a_score_line_is_changed_if_it_differs_from_the_shown_and_the_saved_score() -> None:
    fields = {"points_1_0": "21", "points_1_1": "13"}
    with sent(**fields, was_1="21,13"):
        assert not ScoreLineForm(table(21, 14)).changed, "nothing was typed"
    with sent(**fields, was_1="21,12"):
        assert not ScoreLineForm(table(21, 13)).changed, "someone else saved the same score"
        assert ScoreLineForm(table(21, 12)).changed


def test_a_score_line_that_was_not_posted_shows_the_saved_score() -> None:
    asked = table(11, 12, ended_by="target")
    with sent(find="Ann"):
        line = ScoreLineForm(asked)
    assert line.totals.data == ("11", "12")
    assert asked.stands == "11,12;target:0"


def test_who_won_is_asked_again_only_on_request() -> None:
    fields = {"points_1_0": "11", "points_1_1": "12", "asked_1": "11,12", "ending_1": "target:0"}
    was = {"was_1": "11,12;target:0"}
    with sent(**fields, **was):
        assert not ScoreLineForm(table(11, 12, ended_by="target")).changed
    with sent(**fields, **was, again_1="1"):
        line = ScoreLineForm(table(11, 12, ended_by="target"))
        assert line.changed
        assert line.answer == ""


@pytest.mark.parametrize("key", FORMATS)
def test_a_posted_plan_reads_back_the_same(key: str) -> None:
    """When a night's plan is posted with the form, the app reads every setting as posted, in every format."""
    form = FORMATS[key]
    plan = NightPlan(format=key, options=form.options, rounds=3)
    options = {f"{key}-{option}": str(value) for option, value in form.options.items()}
    told = {"format": key, "rounds": "3", "together": "rotate", "sizes": "4", **options}
    with Flask("no database").test_request_context(method="POST", data=told):
        assert NightPlanForm.of(NightPlan()).plan == plan


def test_an_invalid_number_of_rounds_is_refused_and_stays_on_the_page() -> None:
    with sent(format="to_target", rounds="many", together="rotate", sizes="4"):
        form = NightPlanForm()
        assert 'value="many"' in form.rounds()
        with pytest.raises(RuleViolation):
            _ = form.plan


def test_an_incomplete_tie_answer_is_refused() -> None:
    with sent(tie="7 1 12,12"):
        assert TieForm().values == (7, 1, (12, 12))
    with sent(tie="7"), pytest.raises(RuleViolation):
        _ = TieForm().values


def test_a_card_form_without_a_table_has_no_table() -> None:
    with sent(table="1" * 30):
        assert CardForm().table.data == 0
