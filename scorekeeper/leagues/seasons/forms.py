"""The form of a new season: its fields in words, and what they were filled in with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.games.forms import option_values
from scorekeeper.games.pages.common import Choice, OptionField
from scorekeeper.games.presenters.new_game import OFFERED, about_option, option_fields
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.leagues.money.forms import MONEY_FIELD, typed_money
from scorekeeper.leagues.money.pages import MoneyFields
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import Option
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS, TOGETHER, NightPlan
from scorekeeper.leagues.seasons.pages import NewSeasonPage
from scorekeeper.leagues.standings.settings import (
    BYES,
    HANDICAPS,
    MOST_GAMES,
    MOST_NIGHTS,
    MOST_POINTS,
    ORDERS,
    SUBS,
    StandingSettings,
)
from scorekeeper.leagues.standings.ties import TIE_BREAKS
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.violation import RuleViolation

NUMBERS = {
    "min_games": (
        N_("Games that a place takes"),
        N_("Who played fewer stands below the others, without a place."),
        MOST_GAMES,
    ),
    "drop_nights": (
        N_("Lowest nights that do not count"),
        N_("Nights that somebody missed are dropped first."),
        MOST_NIGHTS,
    ),
    "bye_points": (N_("Points of a bye"), N_("Where a bye has fixed points."), MOST_POINTS),
    "handicap_percent": (N_("Handicap in percent of the difference"), "", 100),
    "handicap_cap": (N_("Most points of handicap in a game"), "", MOST_POINTS),
}
NOT_WON, WON = "0", "1"
TIES = (N_("First"), N_("Then"), N_("Third"), N_("Fourth"), N_("Last"))


@dataclass(frozen=True, slots=True)
class SeasonForm:
    """A new season as far as it was filled in; numbers that cannot be read stay words, and the settings refuse them."""

    name: str = ""
    preset: Ruleset = field(default_factory=lambda: PRESETS[OFFERED[0]])
    options: Mapping[str, Any] = field(default_factory=dict)
    counting: Mapping[str, Any] = field(default_factory=lambda: StandingSettings().to_json())
    evening: Mapping[str, Any] = field(default_factory=lambda: NightPlan().to_json())
    money: MoneyFields = field(default_factory=MoneyFields)


def read_form(fields: Mapping[str, str], before: SeasonForm) -> SeasonForm:
    """Return the season that a form tells; what it does not tell is as it was `before`."""
    preset = PRESETS.get(fields.get("preset", ""), before.preset)
    # House rules on the page belong to the game it was made for.
    shown = PRESETS.get(fields.get("of", ""))
    counting = {**before.counting, **_told(fields, "count-", _counting_number)}
    counting["ties"] = _ties(fields) if "count-tie-0" in fields else counting["ties"]
    evening = {**before.evening, **_told(fields, "night-", _number)}
    if "size-0" in fields:
        evening["sizes"] = [_number("sizes", fields[key]) for key in ("size-0", "size-1") if fields.get(key)]
    key = evening["format"]
    if key in FORMATS:
        told = {one: fields.get(f"option-{key}-{one}") for one in FORMATS[key].options}
        evening["options"] = {one: _number(one, text) for one, text in told.items() if text}
    return SeasonForm(
        fields.get("name", "").strip(),
        preset,
        option_values(fields, preset) if shown is preset else {},
        counting,
        evening,
        typed_money(fields) if MONEY_FIELD in fields else before.money,
    )


def settings_of(form: SeasonForm) -> tuple[StandingSettings, NightPlan]:
    """Return how the season is counted and what a night of it is; raises `RuleViolation` for what cannot be."""
    try:
        counting = StandingSettings.from_json(form.counting)
    except RuleViolation as violation:
        raise _of("counting", violation) from None
    try:
        return counting, NightPlan.from_json(form.evening).check()
    except RuleViolation as violation:
        raise _of("evening", violation) from None


def new_season_page(form: SeasonForm, league: LeagueHead, violation: RuleViolation | None = None) -> NewSeasonPage:
    """Return the page of a new season, with what is wrong where it is wrong."""
    wrong = violation.field or "" if violation else ""
    message = violation.message if violation else ""
    part, _dot, key = wrong.partition(".")
    rules = option_fields(form.preset, form.options, wrong, message)
    counting = _counting_fields(form.counting)
    evening = _evening_fields(form.evening)
    if part == "counting":
        counting = _marked(counting, "count-tie-0" if key == "ties" else f"count-{key}", spoken(message))
    if part == "evening":
        chosen = str(form.evening["format"])
        options = FORMATS[chosen].options if chosen in FORMATS else ()
        names = {"sizes": "size-0", **{one: f"option-{chosen}-{one}" for one in options}}
        evening = _marked(evening, names.get(key, f"night-{key}"), spoken(message))
    money = replace(form.money, error=spoken(message), wrong=key) if part == "money" else form.money
    in_rules = any(one.error for one in rules)
    return NewSeasonPage(
        league=league,
        name=form.name,
        presets=tuple(Choice(one.preset, spoken(one.name), "", one is form.preset) for one in _presets()),
        preset=form.preset.preset,
        rules=rules,
        rules_changed=len(form.options),
        counting=counting,
        evening=evening,
        money=money,
        client_id=new_tap_id(),
        error=about_option(wrong, message),
        wrong="rules" if in_rules else part if part in ("counting", "evening", "money", "name") else "",
    )


def _presets() -> list[Ruleset]:
    return sorted(
        PRESETS.values(), key=lambda one: OFFERED.index(one.preset) if one.preset in OFFERED else len(OFFERED)
    )


def _of(part: str, violation: RuleViolation) -> RuleViolation:
    """The violation with the part of the form it belongs to, and without the key, which nobody reads on a page."""
    key = violation.field or ""
    message: str = violation.message
    if key in NUMBERS:
        label, _help, most = NUMBERS[key]
        message = Phrase("%(name)s: a whole number from 0 to %(most)s.", name=Phrase(label), most=most)
    elif violation.code == "setting_value" and key == "rounds":
        message = Phrase("A night has 1 to %(most)s rounds.", most=MOST_ROUNDS)
    return RuleViolation(violation.code, message, field=f"{part}.{key}")


def _told(fields: Mapping[str, str], prefix: str, read: Any) -> dict[str, Any]:
    told = {name.removeprefix(prefix): text for name, text in fields.items() if name.startswith(prefix)}
    return {key: read(key, text) for key, text in told.items() if not key.startswith("tie-")}


def _counting_number(key: str, text: str) -> Any:
    if key == "bye_wins":
        return text == WON
    return _number(key, text)


def _number(_key: str, text: str) -> Any:
    told = text.strip()
    return int(told) if told.isascii() and told.isdigit() and len(told) < 9 else told


def _ties(fields: Mapping[str, str]) -> list[str]:
    return [fields[key] for key in (f"count-tie-{index}" for index in range(len(TIES))) if fields.get(key)]


def _counting_fields(told: Mapping[str, Any]) -> tuple[OptionField, ...]:
    order, byes, subs, ties = _("Order"), _("Byes"), _("Substitutes"), _("What splits a tie")
    chain = [*told["ties"], *[""] * len(TIES)][: len(TIES)]
    splits = {"": Phrase("nothing more"), **{key: rule.label for key, rule in TIE_BREAKS.items()}}
    won = {NOT_WON: Phrase("is not won"), WON: Phrase("is won")}
    handicap = _("Handicap")
    return (
        _choice("count-order", _("What counts"), ORDERS, told["order"], order),
        _counted("min_games", told, order),
        _counted("drop_nights", told, order),
        *(_choice(f"count-tie-{index}", _(label), splits, chain[index], ties) for index, label in enumerate(TIES)),
        _choice("count-bye", _("A bye"), BYES, told["bye"], byes),
        _counted("bye_points", told, byes),
        _choice("count-bye_wins", _("A bye with fixed points"), won, WON if told["bye_wins"] else NOT_WON, byes),
        _choice("count-subs", _("A substitute"), SUBS, told["subs"], subs),
        _choice("count-handicap", _("Handicap"), HANDICAPS, told["handicap"], handicap),
        _counted("handicap_percent", told, handicap),
        _counted("handicap_cap", told, handicap),
    )


def _evening_fields(told: Mapping[str, Any]) -> tuple[OptionField, ...]:
    night, tables = _("A usual night"), _("Tables")
    sizes = [*(str(size) for size in told["sizes"]), "", ""]
    numbers = {str(size): Phrase("%(number)s players", number=size) for size in range(2, 9)}
    names = {key: Phrase("%(name)s. %(line)s", name=form.name, line=form.line) for key, form in FORMATS.items()}
    options = tuple(
        _setting(key, one, told["options"].get(one.key, one.default) if told["format"] == key else one.default)
        for key, form in FORMATS.items()
        for one in form.settings
    )
    return (
        _choice("night-format", _("Format"), names, told["format"], night),
        _numbered("night-rounds", _("Rounds"), "", told["rounds"], (1, MOST_ROUNDS), night),
        _choice("night-together", _("Partners"), TOGETHER, told["together"], night),
        _choice("size-0", _("At a table"), numbers, sizes[0], tables),
        _choice(
            "size-1", _("Where that does not come out even"), {"": Phrase("nothing else"), **numbers}, sizes[1], tables
        ),
        *options,
    )


def _setting(key: str, option: Option, value: object) -> OptionField:
    """A setting of the format `key`: a number, or yes and no."""
    name, group = f"option-{key}-{option.key}", _("Where the format is: %(name)s", name=spoken(FORMATS[key].name))
    if (option.least, option.most) == (0, 1):
        return _choice(name, spoken(option.name), {"0": Phrase("no"), "1": Phrase("yes")}, str(value), group)
    return _numbered(name, spoken(option.name), "", value, (option.least, option.most), group)


def _counted(key: str, told: Mapping[str, Any], group: str) -> OptionField:
    label, helps, most = NUMBERS[key]
    return _numbered(f"count-{key}", _(label), _(helps) if helps else "", told[key], (0, most), group)


def _numbered(key: str, label: str, helps: str, value: object, span: tuple[int, int], group: str) -> OptionField:
    return OptionField(key, label, helps, "number", str(value), "", (), *span, "", group)


def _choice(key: str, label: str, choices: Mapping[Any, Phrase], value: str, group: str) -> OptionField:
    told = tuple(Choice(one, spoken(words), "", one == value) for one, words in choices.items())
    return OptionField(key, label, "", "choice", value, "", told, 0, 0, "", group)


def _marked(fields: Sequence[OptionField], key: str, message: str) -> tuple[OptionField, ...]:
    return tuple(replace(one, error=message) if one.key == key else one for one in fields)
