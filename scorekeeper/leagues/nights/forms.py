"""Forms of a league night. The forms only parse values; the services and the rules decide what is allowed."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, Self

from wtforms import (
    BooleanField,
    DateField,
    HiddenField,
    IntegerField,
    RadioField,
    SelectField,
    SelectMultipleField,
    StringField,
)
from wtforms.validators import AnyOf

from scorekeeper.games.forms.start import FinalScoreForm, PointsField, numbers
from scorekeeper.i18n.catalog import N_, spoken
from scorekeeper.leagues.core.blueprint import KeyedForm, digits
from scorekeeper.leagues.nights.pages import RoundView, TableView, score_line
from scorekeeper.leagues.nights.table_disputes import KEEP, MOST_SETS, TAKE
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import Format, Option
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, PAIRS, TOGETHER, NightPlan
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.text import whole_number


class DigitsField(IntegerField):
    """An integer field that accepts up to `most` digits. For any other input, its value is `otherwise`."""

    data: Any

    def __init__(self, label: str = "", *, most: int = 3, otherwise: int | None = None, **how: Any) -> None:
        """Create the field; `how` is passed on to WTForms."""
        super().__init__(label, **{"default": otherwise, **how})
        self.most, self.otherwise = most, otherwise

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Parse the posted value."""
        if valuelist:
            value = digits(valuelist[0], self.most)
            self.data = self.otherwise if value is None else value


def set_counts(texts: Sequence[str]) -> tuple[int, ...] | None:
    """Return how often each side was set (failed to make its bid), from the typed strings `texts`.

    Return None if all strings are empty. If only some strings are empty, each of these means 0. Raises `RuleViolation`
    if a string is not a number.
    """
    if not any(texts):
        return None
    counts = [whole_number(text, 2) if text else 0 for text in texts]
    if None in counts:
        raise RuleViolation("sets", Phrase("Enter the sets of each side, from 0 to %(most)s.", most=MOST_SETS))
    return tuple(count or 0 for count in counts)


def _chosen(value: str | None, field: str) -> str:
    if not value:
        raise RuleViolation("choice_missing", "Make a choice first. Nothing was changed.", field=field)
    return value


class OpenNightForm(AppForm):
    """The form to open a night on a date; `another` allows a second night on the same date."""

    day = DateField()
    another = BooleanField()


class MoveNightForm(OpenNightForm):
    """The form to correct the date of a night, with a reason."""

    reason = StringField(N_("Reason"), default="", filters=[printable])


class NewcomerForm(AppForm):
    """The form to add a player to the league and check them in."""

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
    another = BooleanField(N_("Someone else: add as a new player"))
    regular = SelectField(N_("Plays for"))


class PeopleForm(AppForm):
    """The form to select one or more people for an action on the desk page, such as a check-in. Values are public ids.

    The people in `paying` also pay the entry fee.
    """

    person = SelectMultipleField()
    paying = SelectMultipleField()

    @property
    def chosen(self) -> list[str]:
        """Return the public ids of the people selected in the form. Raises `RuleViolation` if nobody is selected."""
        _chosen(next(iter(self.person.data or ()), ""), "person")
        return list(self.person.data or ())


class SubstituteForm(PeopleForm):
    """The form to set which regular a substitute plays for. Without a regular, the substitute plays for themselves."""

    regular = SelectField()


class KeptTableForm(PeopleForm):
    """The form to set the number of the table where a person stays all night.

    Without a number, the person changes tables again.
    """

    table = DigitsField(N_("Table"), most=2)


class NightPlanForm(AppForm):
    """The form to set the format and seating rules of a night.

    Each setting of each format has its own field, such as "timed-minutes".
    """

    format = RadioField(N_("Format"), choices={key: form.name for key, form in FORMATS.items()})
    rounds = DigitsField(N_("Rounds"), render_kw={"min": 1, "max": MOST_ROUNDS, "required": True})
    together = RadioField(N_("Partners"), choices={str(key): label for key, label in TOGETHER.items()})
    pairs = SelectField(
        N_("Tables of 6 and 8"), choices=lambda: [(str(int(pairs)), spoken(label)) for pairs, label in PAIRS.items()]
    )
    sizes = StringField(
        N_("Players per table"),
        description=N_("one or more sizes, the preferred one first: 4, 5"),
        default="",
        filters=[printable],
        render_kw={"maxlength": 20, "autocomplete": "off"},
    )

    @classmethod
    def of(cls, plan: NightPlan) -> Self:
        """Return the posted form, or a form filled in from `plan` if nothing was posted."""
        options = {f"{form.key}-{one.key}": one.default for form in FORMATS.values() for one in form.settings}
        options |= {f"{plan.format}-{key}": value for key, value in plan.options.items()}
        sizes = ", ".join(map(str, plan.sizes))
        told = {"format": plan.format, "rounds": plan.rounds, "together": plan.together, "pairs": str(int(plan.pairs))}
        return cls(sizes=sizes, **told, **options)

    def options_of(self, form: Format) -> Iterator[tuple[Option, DigitsField]]:
        """Yield a pair for each setting of the format `form`: the setting, and its form field."""
        for option in form.settings:
            yield option, self[f"{form.key}-{option.key}"]

    @property
    def formats(self) -> Collection[Format]:
        """Return all formats that a night can have."""
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
            "pairs": self.pairs.data == "1",
            "sizes": [digits(size) for size in (self.sizes.data or "").replace(",", " ").split()],
        }
        return NightPlan.from_json(values).check()


for _form in FORMATS.values():
    for _option in _form.settings:
        setattr(NightPlanForm, f"{_form.key}-{_option.key}", DigitsField(_option.name))


class DrawForm(AppForm):
    """The form to make the seating from a random seed."""

    seed = DigitsField(most=10, otherwise=0)


class PartnersDrawForm(DrawForm):
    """The form to draw partners by lot. With `again`, partners that were drawn before are drawn anew."""

    again = BooleanField(false_values=("", "0"))


class SwapForm(KeyedForm):
    """The form to swap two people in a round."""

    one = SelectField()
    other = SelectField()

    @property
    def chosen(self) -> tuple[str, str]:
        """Return the public ids of the two people to swap. Raises `RuleViolation` if either person is missing."""
        return _chosen(self.one.data, "one"), _chosen(self.other.data, "other")


class BellForm(AppForm):
    """The form to ring the bell that ends a timed round, or undo the ringing."""

    rung = BooleanField(false_values=("", "0"))


class ClockForm(AppForm):
    """The form that starts or stops the clock of a round, or gives the round more time."""

    what = StringField(default="")

    @property
    def chosen(self) -> Literal["start", "more", "stop"]:
        """Return what to do with the clock; "start" if the form doesn't say."""
        return "more" if self.what.data == "more" else "stop" if self.what.data == "stop" else "start"


class LastHandForm(AppForm):
    """The form to end a game after the bell. The desk's form has the number of the round on the page; others have 0."""

    round = DigitsField(most=2, otherwise=0)


class StartRoundForm(AppForm):
    """The form to mark a round as started, or undo that mark."""

    started = BooleanField(false_values=("", "0"))


class StartTableForm(KeyedForm):
    """The form to start the game of a table."""

    table = DigitsField(most=9, otherwise=0)


class TableForfeitForm(AppForm):
    """The form to record that a side forfeits the game of a table, or to undo that.

    `forfeit` is the id of the table and the side, such as "12-0", or "12-" to undo it. `points` are those of the side
    that came, or empty.
    """

    forfeit = StringField(default="")
    points = StringField(default="", filters=[str.strip])

    @property
    def table(self) -> int:
        """Return the id of the table, or 0."""
        return whole_number((self.forfeit.data or "").partition("-")[0], 12) or 0

    @property
    def side(self) -> int | None:
        """Return the side that forfeits; None to undo the forfeit."""
        told = (self.forfeit.data or "").partition("-")[2]
        return whole_number(told, 1) if told else None

    @property
    def won(self) -> int | None:
        """Return the points of the side that came; None if nothing was entered. Raises `RuleViolation`."""
        told = whole_number(self.points.data or "", 3)
        if told is None and self.points.data:
            raise RuleViolation("points", "Enter the points as a whole number.", field="points")
        return told


class ClosingForm(AppForm):
    """The form to close the night.

    `missing` has the ids of the tables that the page listed as unfinished. These tables won't count. `outdated` is the
    number of the round that, as the page said, no longer fits the results before it, or 0.
    """

    missing = HiddenField(default="")
    outdated = IntegerField(default=0)

    @property
    def listed(self) -> set[int]:
        """Return the ids of the tables that the page listed as unfinished."""
        return {digits(table, 9) or 0 for table in (self.missing.data or "").split(",")}


class TakeBackForm(AppForm):
    """The form to remove a round and all later ones. `table` has the ids of the started tables that the page listed.

    `stage` is the round of team playoffs that no longer fits, 0 for seeds (`OutdatedPlayoffs`).
    """

    table = SelectMultipleField(coerce=int)
    stage = IntegerField(default=0)


class ReasonForm(AppForm):
    """The form to give a reason for reopening a night or result, or for correcting scores."""

    reason = StringField(N_("Reason"), default="", filters=[printable])
    stage = IntegerField(default=0)
    """As in `TakeBackForm`."""


class TieForm(AppForm):
    """The form to name the winner of a tied table.

    The button posts one string with the table id, the winning side and the points of each side, such as "12 0 21,21".
    """

    tie = HiddenField()

    @property
    def values(self) -> tuple[int, int, tuple[int, ...]]:
        """Return the table id, the winning side, and the points of each side that the page showed.

        Raises `RuleViolation` if the points are not numbers.
        """
        table, side, points = ((self.tie.data or "").split(" ") + [""] * 3)[:3]
        return digits(table, 9) or 0, digits(side, 1) or 0, numbers(points.split(","))


class ObjectionForm(AppForm):
    """The form to dispute a result. The form posts the points that the page showed."""

    seen = HiddenField(name="points", default="")

    @property
    def points(self) -> tuple[int, ...]:
        """Return the points that the page showed, by side. Raises `RuleViolation` if they are not numbers."""
        return numbers((self.seen.data or "").split(","))


class ConfirmationForm(ObjectionForm):
    """The form to confirm a result for one side.

    `seat` is the seat of the person who confirms. It is needed only if that person uses another side's phone.
    """

    side = DigitsField(most=1, otherwise=-1)
    seat = DigitsField(most=1)


class SettlementForm(ReasonForm):
    """The form to settle a dispute between two phones by choosing one of their scores.

    `KEEP` chooses the score that is saved now, and `TAKE` chooses the score that the other phone claims.
    """

    how = HiddenField(validators=[AnyOf((KEEP, TAKE))])

    @property
    def chosen(self) -> str:
        """Return the choice, `KEEP` or `TAKE`. Raises `RuleViolation` if none was posted."""
        return _chosen(self.how.data if self.how.validate(self) else "", "how")


class TableScoreForm(FinalScoreForm):
    """The form to enter the final score of a table and, if the season needs it, each side's failed bids (sets)."""

    counts = PointsField(name="sets", default=())

    @property
    def sets(self) -> tuple[int, ...] | None:
        """Return how often each side was set (failed to make its bid); None if nothing was entered.

        Raises `RuleViolation` if an entry is not a number.
        """
        return set_counts(self.counts.data)


class TellForm(KeyedForm, TableScoreForm):
    """The form to enter the final score of a table on a phone."""


class CardForm(StartTableForm, TellForm, ConfirmationForm):
    """The form of a table card: score the game, enter its final score, or confirm or dispute the result.

    `act` is "" to score the game, or else "final", "confirm" or "wrong".
    """

    act = HiddenField(default="")


class ScoreLineForm(TableScoreForm):
    """The form to enter the final score of one table on the desk page. Each field name ends in the table id.

    `was` and `sets_were` are the score and the numbers of sets (failed bids) that the page showed. `again` is set if
    the user asked to see the question about the score again.
    """

    was = HiddenField(default="")
    sets_were = HiddenField(name="sets-were", default="")
    again = BooleanField()

    class Meta:
        """Options that WTForms reads from the form class."""

        def bind_field(self, form: Any, unbound_field: Any, options: dict[str, Any]) -> Any:
            """Bind `unbound_field` under a name that ends in the table id, and return the bound field."""
            return unbound_field.bind(form=form, **options | {"name": f"{options['name']}-{form.table.id}"})

    def __init__(self, table: TableView) -> None:
        """Create the form with the posted score or, if none was posted, with the saved score of `table`."""
        self.table = table
        super().__init__(totals=table.points, counts=table.sets)

    @property
    def answer(self) -> str:
        """Return the user's answer about how the game ended; empty if the user asked to see the question again."""
        return "" if self.again.data else super().answer

    @property
    def emptied(self) -> bool:
        """Return whether no field for the score has a value."""
        return not any(self.totals.data)

    @property
    def changed(self) -> bool:
        """Return whether the typed score differs both from the score that the page showed and from the saved score.

        A score whose fields were all emptied differs, too.
        """
        typed = "" if self.emptied else score_line(self.totals.data, self.answer)
        return typed not in (self.was.data, self.table.stands)

    @property
    def sets_changed(self) -> bool:
        """Return whether the typed numbers of sets (failed bids) were changed or all removed.

        They must differ both from the numbers that the page showed and from the saved numbers.
        """
        typed = ",".join(self.counts.data) if any(self.counts.data) else ""
        return typed not in (self.sets_were.data, ",".join(self.table.sets))

    def refuse_score(self, violation: RuleViolation) -> None:
        """Show an error next to the score. For `AnswerNeeded`, show the question and its answers."""
        if message := self.refused(violation, [side.name for side in self.table.sides]):
            self.refuse(self.totals.name, message)


def score_lines(shown: RoundView | None) -> list[ScoreLineForm]:
    """Return one form for each table of the round that the desk page shows; empty if `shown` is None."""
    return [ScoreLineForm(table) for table in (shown.tables if shown else ())]
