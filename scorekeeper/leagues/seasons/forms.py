"""Forms for leagues and seasons. The fields about standings are built from `standings.settings`."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from wtforms import BooleanField, Field, HiddenField, SelectField, StringField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than its stubs
from wtforms.widgets import NumberInput

from scorekeeper.games.forms.house_rules import SHOWN_POINTS, option_text, option_values
from scorekeeper.games.presenters.new_game import OFFERED, about_option
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.core.blueprint import KeyedForm
from scorekeeper.leagues.money.forms import money_fields, read_money, typed_money
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, PAIRS, TOGETHER, NightPlan
from scorekeeper.leagues.standings.playoff_settings import PLAYOFF_SETTINGS, PlayoffSettings
from scorekeeper.leagues.standings.settings import PLACES, SETTINGS, SeasonSetting, StandingSettings
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.text import whole_number

COUNT, NIGHT, MONEY, RULE, PLAYOFF = "count-", "night-", "money-", "rule-", "playoff-"
SIZES = ("size-0", "size-1")
TIES = tuple(f"count-tie-{place}" for place in range(len(PLACES)))
NAME = {"maxlength": 40, "dir": "auto", "autocomplete": "off"}


class FieldGroup(NamedTuple):
    """Form fields under one heading."""

    legend: str
    fields: list[Field]


class LeagueForm(KeyedForm):
    """The form to create a league."""

    name = StringField(default="", filters=[printable], render_kw=NAME)


class ReopeningForm(AppForm):
    """The form to reopen a season, with a typed reason."""

    reason = StringField(default="", filters=[printable, str.strip])


def _printable_or_none(text: str | None) -> str | None:
    return None if text is None else printable(text)


class SeveralField(StringField):
    """A field that joins all values posted under its name with spaces."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Join the posted values with spaces, and store the result. If none are posted, keep the initial value."""
        if valuelist:
            self.data = " ".join(valuelist)


def _number(typed: Any) -> Any:
    """Return a typed whole number as an int. Any other input is returned as typed, so that the settings reject it."""
    text = printable(str(typed)).strip()
    return text if (number := whole_number(text, 8)) is None else number


def _whole(label: str, least: int, most: int, help_text: str = "") -> Any:
    return StringField(
        label,
        description=help_text,
        filters=[_number],
        widget=NumberInput(min=least, max=most),
        render_kw={"inputmode": "numeric"},
    )


def _select(label: str, choices: Mapping[Any, Phrase], help_text: str = "") -> Any:
    def spoken_choices() -> list[SelectChoice]:
        return [SelectChoice(_form_value(value), spoken(words)) for value, words in choices.items()]

    return SelectField(label, description=help_text, choices=spoken_choices, coerce=_form_value)


def _form_value(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _counting(key: str, setting: SeasonSetting, prefix: str = COUNT) -> dict[str, Any]:
    """Return the form fields of a setting, by field name.

    `key` is the key of the setting. A setting with several tie-breakers has one field for each of them. Every other
    setting has a single field, named `prefix` plus `key`.
    """
    if isinstance(setting.usual, tuple):
        rules = {"": Phrase("No tie-breaker"), **setting.choices}
        return {name: _select(label, rules) for name, label in zip(TIES, PLACES, strict=True)}
    if setting.choices:
        return {prefix + key: _select(setting.label, setting.choices, setting.help)}
    return {prefix + key: _whole(setting.label, 0, setting.most, setting.help)}


def _options() -> dict[str, Any]:
    """Return a form field for each setting of each format, by field name.

    A field is for a number, or for yes or no.
    """
    no_yes = {0: Phrase("no"), 1: Phrase("yes")}
    return {
        f"option-{key}-{option.key}": _select(option.name, no_yes)
        if (option.least, option.most) == (0, 1)
        else _whole(option.name, option.least, option.most)
        for key, form in FORMATS.items()
        for option in form.settings
    }


PLAYERS = {size: Phrase("%(number)s players", number=size) for size in range(2, 9)}
LEFT_OVER = {size: Phrase("Some tables have %(number)s players", number=size) for size in range(2, 9)}
FIELDS: Mapping[str, Any] = {
    **{RULE + key: SeveralField(filters=[_printable_or_none]) for key in OPTIONS},
    SHOWN_POINTS: StringField(),
    **{name: field for key, setting in SETTINGS.items() for name, field in _counting(key, setting).items()},
    NIGHT + "format": _select(
        N_("Format"),
        {key: Phrase("%(name)s. %(line)s", name=form.name, line=form.line) for key, form in FORMATS.items()},
    ),
    NIGHT + "rounds": _whole(N_("Rounds"), 1, MOST_ROUNDS),
    NIGHT + "together": _select(N_("Partners"), TOGETHER),
    SIZES[0]: _select(N_("Players per table"), PLAYERS),
    SIZES[1]: _select(N_("If players are left over"), {"": Phrase("They take turns sitting out"), **LEFT_OVER}),
    "pairs": _select(N_("Tables of 6 and 8"), PAIRS),
    **_options(),
    **{
        name: field
        for key, setting in PLAYOFF_SETTINGS.items()
        for name, field in _counting(key, setting, PLAYOFF).items()
    },
    **{MONEY + key: field for key, field in money_fields().items()},
}
"""Form fields built from the descriptions of settings in other modules, by field name."""


def _presets() -> list[SelectChoice]:
    offered = sorted(PRESETS.values(), key=lambda each: (*OFFERED, each.preset).index(each.preset))
    return [SelectChoice(each.preset, spoken(each.name)) for each in offered]


class SeasonForm(KeyedForm):
    """The form to start a season. Fields that aren't posted have the values of the league's last season."""

    field_names: ClassVar[dict[str, str]] = {"format": NIGHT + "format", "sizes": SIZES[0]}

    name = StringField(default="", filters=[printable, str.strip], render_kw=NAME)
    preset = SelectField(N_("Game"), choices=_presets, default=OFFERED[0])
    of = HiddenField(default="")
    """Key of the game whose house rules the posted page showed."""
    show = BooleanField()
    """True to show the house rules of the chosen game instead of starting the season."""

    @property
    def game(self) -> Ruleset:
        """Return the rules of the chosen game."""
        return PRESETS.get(self.preset.data, PRESETS[self.preset.object_data])

    @property
    def options(self) -> dict[str, Any]:
        """Return the house rules that differ from the usual rules of the chosen game, by key of the option.

        Return {} if the posted page showed the house rules of another game.
        """
        if self.is_submitted() and self.of.data != self.game.preset:
            return {}
        given = (
            each
            for each in (*self._all(RULE), self[SHOWN_POINTS])
            if (each.raw_data if self.is_submitted() else each.data is not None)
        )
        return option_values({each.name: each.data for each in given}, self.game)

    @property
    def counting(self) -> list[FieldGroup]:
        """Return the fields about the standings, in groups."""
        groups: dict[str, list[Field]] = {}
        for key, setting in SETTINGS.items():
            names = TIES if key == "ties" else (COUNT + key,)
            groups.setdefault(setting.group, []).extend(self[name] for name in names)
        return [FieldGroup(_(legend), fields) for legend, fields in groups.items()]

    @property
    def night(self) -> list[FieldGroup]:
        """Return the fields about the usual plan of a night, in groups."""
        return [
            FieldGroup(_("Usual format"), self._all(NIGHT)),
            FieldGroup(_("Tables"), [*self._all("size-"), self["pairs"]]),
            *(
                FieldGroup(_("Only for “%(name)s”", name=spoken(form.name)), self._all(f"option-{key}-"))
                for key, form in FORMATS.items()
                if form.settings
            ),
        ]

    @property
    def money(self) -> list[FieldGroup]:
        """Return the fields about money, in groups."""
        return [FieldGroup(_("Money"), self._all(MONEY))]

    @property
    def playoffs(self) -> list[FieldGroup]:
        """Return the fields about playoffs and team matches, in groups."""
        groups: dict[str, list[Field]] = {}
        for key, setting in PLAYOFF_SETTINGS.items():
            groups.setdefault(setting.group, []).append(self[PLAYOFF + key])
        return [FieldGroup(_(legend), fields) for legend, fields in groups.items()]

    def _all(self, prefix: str) -> list[Field]:
        return [self[name] for name in FIELDS if name.startswith(prefix)]

    def read_counting(self) -> StandingSettings:
        """Return the settings for the standings.

        Raises `RuleViolation` for an invalid setting; the error's `field` is the name of the form field.
        """
        typed = {key: self[COUNT + key].data for key in SETTINGS if key != "ties"}
        typed |= {key: value == "1" for key, value in typed.items() if isinstance(SETTINGS[key].usual, bool)}
        typed["ties"] = [self[name].data for name in TIES if self[name].data]
        try:
            return StandingSettings.from_json(typed)
        except RuleViolation as violation:
            key = violation.field or ""
            raise _at_field(violation, SETTINGS[key], TIES[0] if key == "ties" else COUNT + key) from None

    def read_playoffs(self) -> PlayoffSettings:
        """Return the settings of the playoffs. Raises what `read_counting` raises."""
        typed = {key: self[PLAYOFF + key].data for key in PLAYOFF_SETTINGS}
        typed |= {key: value == "1" for key, value in typed.items() if isinstance(PLAYOFF_SETTINGS[key].usual, bool)}
        try:
            return PlayoffSettings.from_json(typed).check()
        except RuleViolation as violation:
            key = violation.field or ""
            raise _at_field(violation, PLAYOFF_SETTINGS[key], PLAYOFF + key) from None

    def read_night(self) -> NightPlan:
        """Return the usual plan of a night. Raises what `read_counting` raises."""
        typed = {name.removeprefix(NIGHT): self[name].data for name in FIELDS if name.startswith(NIGHT)}
        typed["sizes"] = [_number(self[name].data) for name in SIZES if self[name].data]
        typed["pairs"] = self["pairs"].data == "1"
        prefix = f"option-{typed['format']}-"
        options = {field.name.removeprefix(prefix): _number(field.data) for field in self._all(prefix)}
        typed["options"] = {key: value for key, value in options.items() if value != ""}
        try:
            return NightPlan.from_json(typed).check()
        except RuleViolation as violation:
            key, message = violation.field or "", violation.message
            if violation.code == "setting_value" and key == "rounds":
                message = Phrase("Rounds: enter a whole number from 1 to %(most)s.", most=MOST_ROUNDS)
            name = SIZES[0] if key == "sizes" else prefix + key if key in options else NIGHT + key
            raise RuleViolation(violation.code, message, field=name) from None

    def read_money(self) -> dict[str, Any]:
        """Return the money settings as they are stored in the database; {} if no money is involved.

        Raises what `read_counting` raises.
        """
        try:
            settings = read_money({field.name.removeprefix(MONEY): field.data for field in self._all(MONEY)})
        except RuleViolation as violation:
            raise RuleViolation(violation.code, violation.message, field=f"{MONEY}{violation.field}") from None
        return {} if settings == MoneySettings() else settings.to_json()

    def refused(self, violation: RuleViolation) -> str:
        """Return the message of `violation`. If this form has the field with the error, also show the message there."""
        message = about_option(violation.field or "", violation.message)
        field = violation.field or ""
        if self.field_names.get(field, field) in self:
            self.refuse(field, message)
        return message


def _at_field(violation: RuleViolation, setting: SeasonSetting, name: str) -> RuleViolation:
    """Return `violation` with the form field `name` as its field.

    For a wrong number, the message gives the allowed range.
    """
    message = violation.message
    if setting.most and violation.code == "setting_value":
        message = Phrase(
            "%(name)s: enter a whole number from 0 to %(most)s.", name=Phrase(setting.label), most=setting.most
        )
    return RuleViolation(violation.code, message, field=name)


for _name, _field in FIELDS.items():
    setattr(SeasonForm, _name, _field)


def as_before(
    preset: str,
    options: Mapping[str, Any],
    counting: StandingSettings,
    plan: NightPlan,
    money: MoneySettings,
    playoffs: PlayoffSettings,
) -> dict[str, Any]:
    """Return the initial values for a new season's form, by field name, from the settings of the last season.

    `preset` is the key of the game, and `options` are its house rules.
    """
    ties, sizes = (*counting.ties, *("" for _place in PLACES)), (*plan.sizes, "", "")
    return {
        "preset": preset,
        **{RULE + key: option_text(value) for key, value in options.items()},
        **{COUNT + key: getattr(counting, key) for key in SETTINGS if key != "ties"},
        **dict(zip(TIES, ties, strict=False)),
        **{NIGHT + key: getattr(plan, key) for key in ("format", "rounds", "together")},
        **dict(zip(SIZES, sizes, strict=False)),
        "pairs": plan.pairs,
        **{
            f"option-{key}-{option.key}": plan.options.get(option.key, option.default)
            if key == plan.format
            else option.default
            for key, form in FORMATS.items()
            for option in form.settings
        },
        **{PLAYOFF + key: getattr(playoffs, key) for key in PLAYOFF_SETTINGS},
        **{MONEY + key: value for key, value in typed_money(money).items()},
    }
