"""The forms of a league night. Whether what they say can be is for the services and the rules to say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count, takewhile
from typing import Any, Self

from wtforms import (
    BooleanField,
    DateField,
    Field,
    HiddenField,
    IntegerField,
    RadioField,
    SelectField,
    SelectMultipleField,
    StringField,
)
from wtforms.validators import AnyOf

from scorekeeper.i18n.catalog import N_, spoken
from scorekeeper.leagues.core.requests import KeyedForm, digits
from scorekeeper.leagues.nights.final_scores import AnswerNeeded, answer_labels
from scorekeeper.leagues.nights.pages import RoundView, TableSide, TableView, score_line
from scorekeeper.leagues.nights.table_disputes import KEEP, TAKE
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import Format, Option
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, TOGETHER, NightPlan
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.text import whole_number


class DigitsField(IntegerField):
    """A whole number of at most `most` digits; `data` is `otherwise` for anything else."""

    data: Any

    def __init__(self, label: str = "", *, most: int = 3, otherwise: int | None = None, **how: Any) -> None:
        """Read up to `most` digits; `how` is as for every field."""
        super().__init__(label, **{"default": otherwise, **how})
        self.most, self.otherwise = most, otherwise

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Read what was sent."""
        if valuelist:
            told = digits(valuelist[0], self.most)
            self.data = self.otherwise if told is None else told


class PointsField(Field):
    """The points of every side as they were typed; of a field "points" the page sends "points-0", "points-1" …"""

    def process(self, formdata: Any, *args: Any, **how: Any) -> None:
        """Read what was sent, side by side; what was not sent is as the form was filled in."""
        super().process(None, *args, **how)
        names = takewhile(formdata.__contains__, map(self.name_of, count())) if formdata else ()
        self.data = tuple(printable(formdata[name]).strip().replace("−", "-") for name in names) or self.data

    def name_of(self, side: int) -> str:
        """Return the name of the input of a side."""
        return f"{self.name}-{side}"

    def text(self, side: int) -> str:
        """Return what stands in the input of a side."""
        return self.data[side] if side < len(self.data) else ""


def numbers(texts: Sequence[str]) -> tuple[int, ...]:
    """Return the points that were typed; raises `RuleViolation` where one is missing or no number."""
    points = tuple(told for text in texts if (told := whole_number(text.strip(), 4, signed=True)) is not None)
    if not texts or len(points) < len(texts):
        raise RuleViolation("points_missing", "Enter points for every side.")
    return points


def _chosen(told: str | None, field: str) -> str:
    if not told:
        raise RuleViolation("choice_missing", "Choose one first. Nothing was changed.", field=field)
    return told


class OpenNightForm(AppForm):
    """Open a night on a day, and `another` one where that day has one."""

    day = DateField()
    another = BooleanField()


class NewcomerForm(AppForm):
    """Add a name to the league, and check it in."""

    name = StringField(
        N_("New player"),
        default="",
        filters=[printable],
        render_kw={
            "maxlength": 40,
            "autocomplete": "off",
            "autocapitalize": "words",
            "spellcheck": "false",
            "required": True,
        },
    )
    guest = BooleanField(N_("Guest"))


class PeopleForm(AppForm):
    """The people who were tapped, by their public ids."""

    person = SelectMultipleField()

    @property
    def chosen(self) -> list[str]:
        """Return them; raises `RuleViolation` where nobody was."""
        _chosen(next(iter(self.person.data or ()), ""), "person")
        return list(self.person.data or ())


class SubstituteForm(PeopleForm):
    """Say for whom somebody plays; without a regular, for themselves."""

    regular = SelectField()


class NightPlanForm(AppForm):
    """What is played that night; each setting of a format has a field of its own, "timed-minutes"."""

    format = RadioField(N_("Format"), choices={key: form.name for key, form in FORMATS.items()})
    rounds = DigitsField(N_("Rounds"), render_kw={"min": 1, "max": MOST_ROUNDS, "required": True})
    together = RadioField(N_("Partners"), choices={str(key): says for key, says in TOGETHER.items()})
    sizes = StringField(
        N_("Players per table"),
        description=N_("preferred size first, e.g. 4, 5"),
        default="",
        filters=[printable],
        render_kw={"maxlength": 20, "autocomplete": "off"},
    )

    @classmethod
    def of(cls, plan: NightPlan) -> Self:
        """Return the form as it was sent, else filled in with the plan of a night."""
        options = {f"{form.key}-{one.key}": one.default for form in FORMATS.values() for one in form.settings}
        options |= {f"{plan.format}-{key}": value for key, value in plan.options.items()}
        sizes = ", ".join(map(str, plan.sizes))
        return cls(format=plan.format, rounds=plan.rounds, together=plan.together, sizes=sizes, **options)

    def options_of(self, form: Format) -> Iterator[tuple[Option, DigitsField]]:
        """Yield the settings of a format with their fields."""
        for option in form.settings:
            yield option, self[f"{form.key}-{option.key}"]

    @property
    def formats(self) -> Collection[Format]:
        """Return every format."""
        return FORMATS.values()

    @property
    def plan(self) -> NightPlan:
        """Return the night that was planned; raises `RuleViolation` for one that cannot be."""
        form = FORMATS.get(self.format.data or "")
        told = {
            "format": self.format.data or "",
            "options": {option.key: field.data for option, field in self.options_of(form)} if form else {},
            "rounds": self.rounds.data,
            "together": self.together.data or "",
            "sizes": [digits(size) for size in (self.sizes.data or "").replace(",", " ").split()],
        }
        return NightPlan.from_json(told).check()


for _form in FORMATS.values():
    for _option in _form.settings:
        setattr(NightPlanForm, f"{_form.key}-{_option.key}", DigitsField(_option.name))


class DrawForm(AppForm):
    """Draw the rounds from a seed."""

    seed = DigitsField(most=10, otherwise=0)


class SwapForm(KeyedForm):
    """Let two people change places."""

    one = SelectField()
    other = SelectField()

    @property
    def chosen(self) -> tuple[str, str]:
        """Return both; raises `RuleViolation` where one is missing."""
        return _chosen(self.one.data, "one"), _chosen(self.other.data, "other")


class BellForm(AppForm):
    """Ring the bell, or take it back."""

    rung = BooleanField(false_values=("", "0"))


class StartTableForm(KeyedForm):
    """Start the game of a table."""

    table = DigitsField(most=9, otherwise=0)


class ClosingForm(AppForm):
    """Close the night where these tables are missing, as the page listed them."""

    missing = HiddenField(default="")

    @property
    def listed(self) -> set[int]:
        """Return the ids of those tables."""
        return {digits(table, 9) or 0 for table in (self.missing.data or "").split(",")}


class ReasonForm(AppForm):
    """Say why a night or a result is opened again, or why scores are corrected."""

    reason = StringField(N_("Reason"), default="", filters=[printable])


class TieForm(AppForm):
    """Let the side go on that was tapped: "table side points", as the button has it."""

    tie = HiddenField()

    @property
    def told(self) -> tuple[int, int, tuple[int, ...]]:
        """Return the table, the side and the points they saw; raises `RuleViolation` where those are none."""
        table, side, points = ((self.tie.data or "").split(" ") + [""] * 3)[:3]
        return digits(table, 9) or 0, digits(side, 1) or 0, numbers(points.split(","))


class ObjectionForm(AppForm):
    """Say something about the points of a result that somebody looks at."""

    seen = HiddenField(name="points", default="")

    @property
    def points(self) -> tuple[int, ...]:
        """Return those points by side; raises `RuleViolation` where they are none."""
        return numbers((self.seen.data or "").split(","))


class ConfirmationForm(ObjectionForm):
    """Say for a side that its result is right; `seat` is that of the person who says so to another one's phone."""

    side = DigitsField(most=1, otherwise=-1)
    seat = DigitsField(most=1)


class SettlementForm(ReasonForm):
    """Settle a dispute: the score that counts, or the other one."""

    how = HiddenField(validators=[AnyOf((KEEP, TAKE))])

    @property
    def chosen(self) -> str:
        """Return what was chosen; raises `RuleViolation` where nothing was."""
        return _chosen(self.how.data if self.how.validate(self) else "", "how")


class FinalScoreForm(AppForm):
    """The final score of a table."""

    totals = PointsField(name="points", default=())
    asked = HiddenField(default="")
    ending = SelectField()

    def refused(self, violation: RuleViolation, sides: Sequence[TableSide]) -> str:
        """Let the form ask what is asked of the score, or return the sentence that says what else is wrong."""
        if not isinstance(violation, AnswerNeeded):
            return spoken(violation.message)
        self.refuse(self.ending.name, spoken(violation.message))
        self.ending.choices = dict(answer_labels(violation, [side.name for side in sides]))
        return ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the points by side; raises `RuleViolation` where one is missing or no number."""
        return numbers(self.totals.data)

    @property
    def answer(self) -> str:
        """Return the answer, if it is one to just this score; else nothing."""
        return (self.ending.data or "") if self.asked.data == ",".join(self.totals.data) else ""


class TellForm(KeyedForm, FinalScoreForm):
    """Tell the final score on a phone."""


class CardForm(StartTableForm, TellForm, ConfirmationForm):
    """What a phone does with the card of a table: score there, or say something of its result."""

    act = HiddenField(default="")


class ScoreLineForm(FinalScoreForm):
    """The final score of one table of a round at the desk; the name of each field ends in the table's id."""

    was = HiddenField(default="")
    again = BooleanField()

    class Meta:
        """Options of WTForms."""

        def bind_field(self, form: Any, unbound_field: Any, options: dict[str, Any]) -> Any:
            """Return the field with its name on the page."""
            return unbound_field.bind(form=form, **options | {"name": f"{options['name']}-{form.table.id}"})

    def __init__(self, table: TableView) -> None:
        """Fill in what stands, unless it was sent."""
        self.table = table
        super().__init__(totals=table.points)

    @property
    def answer(self) -> str:
        """Return the answer, if it is one to just this score, and nobody wants to answer again."""
        return "" if self.again.data else super().answer

    @property
    def changed(self) -> bool:
        """Return whether a score was typed that is another one than the page had, and than stands by now."""
        says = score_line(self.totals.data, self.answer)
        return any(self.totals.data) and says not in (self.was.data, self.table.stands)

    def refuse_score(self, violation: RuleViolation) -> None:
        """Say what is wrong with the score, or ask what is asked of it."""
        if says := self.refused(violation, self.table.sides):
            self.refuse(self.totals.name, says)


def score_lines(shown: RoundView | None) -> list[ScoreLineForm]:
    """Return the forms of the tables of a round, none without a round."""
    return [ScoreLineForm(table) for table in (shown.tables if shown else ())]
