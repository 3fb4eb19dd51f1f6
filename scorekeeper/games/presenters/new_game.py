"""The page that starts a game: which game, the seats, the house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorekeeper.games import pages
from scorekeeper.games.forms.house_rules import option_text
from scorekeeper.games.forms.start import Setup, name_at, seating_value
from scorekeeper.games.presenters.seating import drawn_words, team_fields
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.games.presenters.vocabulary import LETTERS
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.ruleset_labels import (
    as_house_rule,
    fitting_options,
    house_rules,
    players_line,
    rules_line,
    seating_words,
    value_words,
)
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules.local_rules import LOCAL_RULES
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, why_unused, with_options
from scorekeeper.rules.table import sides_of
from scorekeeper.rules.violation import RuleViolation

OFFERED = ("setback-21", "pitch-11", "setback-7", "setback-7-pitch", "bowers-12", "somerset-66")
"""The games that the page shows at once, the best known first; the others stand under "More games"."""


def first_setup() -> Setup:
    """Return the setup for a phone that never started a game."""
    preset = PRESETS[OFFERED[0]]
    return Setup(preset, preset.seatings[0], ("",) * preset.seatings[0].players)


def setup_page(
    setup: Setup,
    known_names: Sequence[str],
    violation: RuleViolation | None = None,
    *,
    saved: Sequence[pages.SavedRules] = (),
    people: Sequence[pages.PersonChip] = (),
    notice: str = "",
) -> pages.NewGamePage:
    """Return the page for the choices made so far, with the message of `violation` beside its field.

    `saved` are the house rules saved on this phone, and `people` its people, the likeliest first.
    """
    field_name = violation.field or "" if violation else ""
    message = violation.message if violation else ""
    in_options = field_name in fitting_options(setup.preset) or field_name == "rules_name"
    in_seats = field_name.startswith(("name-", "team-"))
    cards = [_game_choice(rules, setup, kept=any(each.chosen for each in saved)) for rules in PRESETS.values()]
    return pages.NewGamePage(
        games=tuple(sorted((card for card in cards if card.key in OFFERED), key=lambda card: OFFERED.index(card.key))),
        more_games=tuple(card for card in cards if card.key not in OFFERED),
        preset=setup.preset.preset,
        seatings=tuple(
            pages.Choice(seating_value(seating), seating_words(seating), "", seating == setup.seating)
            for seating in setup.preset.seatings
        ),
        seating=seating_value(setup.seating),
        seats=_seats(setup, field_name, spoken(message)),
        options=option_fields(setup.preset, setup.options, field_name, message),
        options_open=in_options or setup.rules_open,
        local=_local_rules(setup),
        known_names=tuple(known_names),
        error=spoken(message) if not (in_options or in_seats) or field_name == "rules_name" else "",
        client_id=new_tap_id(),
        saved=tuple(saved),
        rules_name=setup.rules_name,
        notice=notice,
        changed=len(setup.options),
        people=tuple(people),
        teams=team_fields(setup, field_name, spoken(message)),
        drawn=drawn_words(setup),
        to_swap="" if setup.to_swap is None else str(setup.to_swap),
        partners=setup.seating.kind == "partners" and setup.seating.players > 2,
        sheet_fields=sheet_fields(setup.preset.preset, setup.seating, setup.options),
    )


def sheet_fields(preset: str, seating: Seating, options: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the query fields for a blank sheet of `preset` with these house rules, which are not checked yet."""
    rules = {f"rule-{key}": option_text(value) for key, value in options.items()}
    return {"preset": preset, "players": seating_value(seating)} | rules


def _local_rules(setup: Setup) -> tuple[pages.Choice, ...]:
    """Return the named house rules for the chosen game, each with what differs from the usual rules."""
    return tuple(
        pages.Choice(
            local.key,
            spoken(local.name),
            " ".join(house_rules(with_options(setup.preset, local.options))) or _("Usual rules."),
            dict(setup.options) == dict(local.options),
        )
        for local in LOCAL_RULES.values()
        if local.preset == setup.preset.preset
    )


def _seats(setup: Setup, field_name: str, message: str) -> tuple[pages.SeatField, ...]:
    sides = sides_of(setup.seating)
    seats = []
    for seat in range(setup.seating.players):
        side = next(index for index, members in enumerate(sides) if seat in members)
        partners = [other + 1 for other in sides[side] if other != seat]
        key = f"name-{seat}"
        seats.append(
            pages.SeatField(
                index=seat,
                key=key,
                value=name_at(setup.names, seat),
                letter=LETTERS[side],
                partner=_partner_words(partners),
                deals=seat == setup.dealer,
                error=message if key == field_name else "",
                swaps=seat == setup.to_swap,
            )
        )
    return tuple(seats)


def _partner_words(seats: Sequence[int]) -> str:
    """Return "(partner: seat 3)", or nothing for a player without one."""
    if not seats:
        return ""
    numbers = join_names(list(map(str, seats)))
    return ngettext("(partner: seat %(seats)s)", "(partners: seats %(seats)s)", len(seats), seats=numbers)


def option_fields(
    preset: Ruleset, options: Mapping[str, Any], wrong: str = "", message: str = ""
) -> tuple[pages.OptionField, ...]:
    """Return a field for each option that can matter in the game `preset`, with the values of `options`.

    The field of the option `wrong` gets `message` as its error.
    """
    message = about_option(wrong, message)
    # The values may be anything that was typed; an option asks only whether others are what it needs.
    rules = replace(preset, **options)
    fields = [_option(preset, rules, key, message if key == wrong else "") for key in fitting_options(preset)]
    first = sorted((field for field in fields if field.common), key=lambda field: _place(field.key))
    return (*first, *(field for field in fields if not field.common))


def _place(field: str) -> int:
    switch = OPTIONS[field.removeprefix("rule-")].common
    return switch.place if switch else 0


def about_option(option: str, message: str) -> str:
    """Return a message with the label of the option in place of its key; a message about no option stays as it is."""
    return spoken(message, option=spoken(OPTIONS[option].label)) if option in OPTIONS else spoken(message)


def _option(preset: Ruleset, rules: Ruleset, key: str, error: str) -> pages.OptionField:
    option, value, usual = OPTIONS[key], getattr(rules, key), getattr(preset, key)
    # Asked first only where it has an effect: a switch that is refused would be none.
    switch = option.common if option.allows(value) and why_unused(rules, key) is None and not error else None
    low, high = option.numbers
    return pages.OptionField(
        key=f"rule-{key}",
        label=spoken(switch.label if switch else option.label),
        help=spoken(option.help),
        kind="choice" if option.values or switch else "number",
        value=option_text(value),
        usual=value_words(key, usual),
        choices=_choices(key, value, switch.values if switch else option.values),
        low=low,
        high=high,
        error=error,
        group=spoken(option.group.heading),
        common=switch is not None,
        usual_value=option_text(usual),
        line=_(option.line) if isinstance(option.line, str) else "",
        off=spoken(option.off or ""),
        says=as_house_rule(key, value) if value != usual and option.allows(value) else "",
    )


def _choices(key: str, value: Any, words: Mapping[Any, str]) -> tuple[pages.Choice, ...]:
    """Return the values to choose from, each with its house rule as the hint; `value` is one even if it is unusual."""
    offered = dict(words)
    if words and value not in words and OPTIONS[key].allows(value):
        offered[value] = value_words(key, value)
    return tuple(
        pages.Choice(option_text(each), spoken(text), as_house_rule(key, each), each == value)
        for each, text in offered.items()
    )


def _game_choice(rules: Ruleset, setup: Setup, *, kept: bool) -> pages.GameChoice:
    line = f"{rules_line(rules)}. {players_line(rules)}."
    chosen = rules.preset == setup.preset.preset
    return pages.GameChoice(rules.preset, spoken(rules.name), line, chosen, pressed=chosen and not kept)
