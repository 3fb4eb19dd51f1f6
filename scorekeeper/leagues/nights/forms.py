"""Forms of a league night. They parse values; the services and the rules decide what is allowed."""

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
from scorekeeper.leagues.nights.paper_sets import MOST_SETS
from scorekeeper.leagues.nights.table_disputes import KEEP, TAKE
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import Format, Option
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, TOGETHER, NightPlan
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.text import whole_number


class DigitsField(IntegerField):
    """An integer field that accepts up to `most` digits. Any other input sets `data` to `otherwise`."""

    data: Any

    def __init__(self, label: str = "", *, most: int = 3, otherwise: int | None = None, **how: Any) -> None:
        """Make the field; `how` is passed on to WTForms."""
        super().__init__(label, **{"default": otherwise, **how})
        self.most, self.otherwise = most, otherwise

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Parse the posted value."""
        if valuelist:
            value = digits(valuelist[0], self.most)
            self.data = self.otherwise if value is None else value


class PointsField(Field):
    """The points of every side as typed; a field "points" is posted as "points-0", "points-1" …"""

    def process(self, formdata: Any, *args: Any, **how: Any) -> None:
        """Parse the posted points by side; without any, keep the initial data."""
        super().process(None, *args, **how)
        names = takewhile(formdata.__contains__, map(self.name_of, count())) if formdata else ()
        self.data = tuple(printable(formdata[name]).strip().replace("−", "-") for name in names) or self.data

    def name_of(self, side: int) -> str:
        """Return the input name for a side."""
        return f"{self.name}-{side}"

    def text(self, side: int) -> str:
        """Return the value of a side's input."""
        return self.data[side] if side < len(self.data) else ""


def set_counts(texts: Sequence[str]) -> tuple[int, ...] | None:
    """Return the typed sets, an empty one as 0; None if all are empty. Raises `RuleViolation` if one is no number."""
    if not any(texts):
        return None
    counts = [whole_number(text, 2) if text else 0 for text in texts]
    if None in counts:
        raise RuleViolation("sets", Phrase("Enter the sets of each side, from 0 to %(most)s.", most=MOST_SETS))
    return tuple(count or 0 for count in counts)


def numbers(texts: Sequence[str]) -> tuple[int, ...]:
    """Return the typed points as numbers. Raises `RuleViolation` if one is missing or not a number."""
    points = tuple(number for text in texts if (number := whole_number(text.strip(), 4, signed=True)) is not None)
    if not texts or len(points) < len(texts):
        raise RuleViolation("points_missing", "Enter points for every side.")
    return points


def _chosen(value: str | None, field: str) -> str:
    if not value:
        raise RuleViolation("choice_missing", "Make a choice first. Nothing was changed.", field=field)
    return value


class OpenNightForm(AppForm):
    """Open a night on a date; `another` allows a second one on that date."""

    day = DateField()
    another = BooleanField()


class NewcomerForm(AppForm):
    """Add a player to the league and check them in."""

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
    paid = BooleanField(N_("Paid"))
    regular = SelectField(N_("Plays for"))


class PeopleForm(AppForm):
    """The chosen people, by public id; `paying` are checked in and pay the entry fee."""

    person = SelectMultipleField()
    paying = SelectMultipleField()

    @property
    def chosen(self) -> list[str]:
        """Return the public ids of the people who were chosen. Raises `RuleViolation` if nobody was."""
        _chosen(next(iter(self.person.data or ()), ""), "person")
        return list(self.person.data or ())


class SubstituteForm(PeopleForm):
    """Set which regular a substitute plays for; without one, they play for themselves."""

    regular = SelectField()


class KeptTableForm(PeopleForm):
    """Set the table that a person keeps; without a number, they change tables again."""

    table = DigitsField(N_("Table"), most=2)


class NightPlanForm(AppForm):
    """Format and seating rules of a night; each format setting has its own field, e.g. "timed-minutes"."""

    format = RadioField(N_("Format"), choices={key: form.name for key, form in FORMATS.items()})
    rounds = DigitsField(N_("Rounds"), render_kw={"min": 1, "max": MOST_ROUNDS, "required": True})
    together = RadioField(N_("Partners"), choices={str(key): label for key, label in TOGETHER.items()})
    sizes = StringField(
        N_("Players per table"),
        description=N_("preferred size first, e.g. 4, 5"),
        default="",
        filters=[printable],
        render_kw={"maxlength": 20, "autocomplete": "off"},
    )

    @classmethod
    def of(cls, plan: NightPlan) -> Self:
        """Return the posted form, or one filled in from a night's plan."""
        options = {f"{form.key}-{one.key}": one.default for form in FORMATS.values() for one in form.settings}
        options |= {f"{plan.format}-{key}": value for key, value in plan.options.items()}
        sizes = ", ".join(map(str, plan.sizes))
        return cls(format=plan.format, rounds=plan.rounds, together=plan.together, sizes=sizes, **options)

    def options_of(self, form: Format) -> Iterator[tuple[Option, DigitsField]]:
        """Yield each setting of a format with its field."""
        for option in form.settings:
            yield option, self[f"{form.key}-{option.key}"]

    @property
    def formats(self) -> Collection[Format]:
        """Return every format."""
        return FORMATS.values()

    @property
    def plan(self) -> NightPlan:
        """Return the posted plan. Raises `RuleViolation` if it is not valid."""
        form = FORMATS.get(self.format.data or "")
        values = {
            "format": self.format.data or "",
            "options": {option.key: field.data for option, field in self.options_of(form)} if form else {},
            "rounds": self.rounds.data,
            "together": self.together.data or "",
            "sizes": [digits(size) for size in (self.sizes.data or "").replace(",", " ").split()],
        }
        return NightPlan.from_json(values).check()


for _form in FORMATS.values():
    for _option in _form.settings:
        setattr(NightPlanForm, f"{_form.key}-{_option.key}", DigitsField(_option.name))


class DrawForm(AppForm):
    """Make the seating from a random seed."""

    seed = DigitsField(most=10, otherwise=0)


class SwapForm(KeyedForm):
    """Swap two players."""

    one = SelectField()
    other = SelectField()

    @property
    def chosen(self) -> tuple[str, str]:
        """Return the public ids of the two people to swap. Raises `RuleViolation` if one is missing."""
        return _chosen(self.one.data, "one"), _chosen(self.other.data, "other")


class BellForm(AppForm):
    """Ring the bell that ends a round played by time, or take that back."""

    rung = BooleanField(false_values=("", "0"))


class StartTableForm(KeyedForm):
    """Start the game of a table."""

    table = DigitsField(most=9, otherwise=0)


class ClosingForm(AppForm):
    """Close the night; the tables that the page listed as unfinished won't count."""

    missing = HiddenField(default="")

    @property
    def listed(self) -> set[int]:
        """Return the ids of the tables that the page listed as unfinished."""
        return {digits(table, 9) or 0 for table in (self.missing.data or "").split(",")}


class ReasonForm(AppForm):
    """Give a reason for reopening a night or result, or for correcting scores."""

    reason = StringField(N_("Reason"), default="", filters=[printable])


class TieForm(AppForm):
    """Name the winner of a tied table; the button posts "table side points"."""

    tie = HiddenField()

    @property
    def values(self) -> tuple[int, int, tuple[int, ...]]:
        """Return table id, side and the points shown. Raises `RuleViolation` if the points are not numbers."""
        table, side, points = ((self.tie.data or "").split(" ") + [""] * 3)[:3]
        return digits(table, 9) or 0, digits(side, 1) or 0, numbers(points.split(","))


class ObjectionForm(AppForm):
    """Dispute a result; posts the points that were shown."""

    seen = HiddenField(name="points", default="")

    @property
    def points(self) -> tuple[int, ...]:
        """Return the points shown, by side. Raises `RuleViolation` if they are not numbers."""
        return numbers((self.seen.data or "").split(","))


class ConfirmationForm(ObjectionForm):
    """Confirm a result for a side; `seat` names the person confirming on another side's phone."""

    side = DigitsField(most=1, otherwise=-1)
    seat = DigitsField(most=1)


class SettlementForm(ReasonForm):
    """Settle a dispute with the current score or the other one."""

    how = HiddenField(validators=[AnyOf((KEEP, TAKE))])

    @property
    def chosen(self) -> str:
        """Return `KEEP` or `TAKE`. Raises `RuleViolation` if neither was chosen."""
        return _chosen(self.how.data if self.how.validate(self) else "", "how")


class FinalScoreForm(AppForm):
    """The final score of a table, and its sets where the season asks for them."""

    counts = PointsField(name="sets", default=())
    totals = PointsField(name="points", default=())
    asked = HiddenField(default="")
    ending = SelectField()

    def refused(self, violation: RuleViolation, sides: Sequence[TableSide]) -> str:
        """Show the question about the score on the form and return "", or return the message of any other error."""
        if not isinstance(violation, AnswerNeeded):
            return spoken(violation.message)
        self.refuse(self.ending.name, spoken(violation.message))
        self.ending.choices = dict(answer_labels(violation, [side.name for side in sides]))
        return ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the points by side. Raises `RuleViolation` if one is missing or not a number."""
        return numbers(self.totals.data)

    @property
    def sets(self) -> tuple[int, ...] | None:
        """Return how often each side was set, None if that wasn't entered. Raises `RuleViolation` for no number."""
        return set_counts(self.counts.data)

    @property
    def answer(self) -> str:
        """Return the answer if it was given for exactly this score, else an empty string."""
        return (self.ending.data or "") if self.asked.data == ",".join(self.totals.data) else ""


class TellForm(KeyedForm, FinalScoreForm):
    """Enter the final score on a phone."""


class CardForm(StartTableForm, TellForm, ConfirmationForm):
    """The forms on a table card: score the table, enter its final score, confirm or dispute it."""

    act = HiddenField(default="")


class ScoreLineForm(FinalScoreForm):
    """The final score of one table at the desk; each field name ends in the table id."""

    was = HiddenField(default="")
    sets_were = HiddenField(name="sets-were", default="")
    again = BooleanField()

    class Meta:
        """WTForms options."""

        def bind_field(self, form: Any, unbound_field: Any, options: dict[str, Any]) -> Any:
            """Return the field bound with the table id in its name."""
            return unbound_field.bind(form=form, **options | {"name": f"{options['name']}-{form.table.id}"})

    def __init__(self, table: TableView) -> None:
        """Fill in the saved score unless one was posted."""
        self.table = table
        super().__init__(totals=table.points, counts=table.sets)

    @property
    def answer(self) -> str:
        """Return the answer if it was given for exactly this score and is not being changed."""
        return "" if self.again.data else super().answer

    @property
    def changed(self) -> bool:
        """Return whether the typed score differs from the one shown and from the one saved now."""
        typed = score_line(self.totals.data, self.answer)
        return any(self.totals.data) and typed not in (self.was.data, self.table.stands)

    @property
    def sets_changed(self) -> bool:
        """Return whether the typed sets differ from the ones shown and from the ones saved now."""
        typed = ",".join(self.counts.data)
        return any(self.counts.data) and typed not in (self.sets_were.data, ",".join(self.table.sets))

    def refuse_score(self, violation: RuleViolation) -> None:
        """Show the error in the score, or the question about it."""
        if message := self.refused(violation, self.table.sides):
            self.refuse(self.totals.name, message)


def score_lines(shown: RoundView | None) -> list[ScoreLineForm]:
    """Return one form per table of a round; empty without a round."""
    return [ScoreLineForm(table) for table in (shown.tables if shown else ())]
