"""The page that starts a game: which game, the seats, the house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.games import pages
from scorekeeper.games.forms.house_rules import option_text
from scorekeeper.games.forms.start import Setup, name_at, seating_value
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.games.presenters.vocabulary import LETTERS
from scorekeeper.i18n.catalog import ngettext, spoken
from scorekeeper.i18n.ruleset_labels import fitting_options, players_line, rules_line, seating_words, value_words
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset
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
    notice: str = "",
) -> pages.NewGamePage:
    """Return the page for what is chosen so far, with the message of `violation` beside the field it is about.

    `saved` are the house rules saved on this phone.
    """
    field_name = violation.field or "" if violation else ""
    message = violation.message if violation else ""
    in_options = field_name in fitting_options(setup.preset) or field_name == "rules_name"
    in_seats = field_name.startswith("name-")
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
        options_open=in_options,
        known_names=tuple(known_names),
        error=spoken(message) if not (in_options or in_seats) or field_name == "rules_name" else "",
        client_id=new_tap_id(),
        saved=tuple(saved),
        rules_name=setup.rules_name,
        notice=notice,
        changed=len(setup.options),
        sheet_fields=sheet_fields(setup.preset.preset, setup.seating, setup.options),
    )


def sheet_fields(preset: str, seating: Seating, options: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the query fields for a blank sheet of `preset` with these house rules, which are not checked yet."""
    rules = {f"rule-{key}": option_text(value) for key, value in options.items()}
    return {"preset": preset, "players": seating_value(seating)} | rules


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
    return tuple(
        _option(preset, key, options.get(key, getattr(preset, key)), message if key == wrong else "")
        for key in fitting_options(preset)
    )


def about_option(option: str, message: str) -> str:
    """Return a message about an option with the option's label in place of its key; any other message as it is."""
    return spoken(message, option=spoken(OPTIONS[option].label)) if option in OPTIONS else spoken(message)


def _option(preset: Ruleset, key: str, value: Any, error: str) -> pages.OptionField:
    option = OPTIONS[key]
    low, high = option.numbers
    return pages.OptionField(
        key=f"rule-{key}",
        label=spoken(option.label),
        help=spoken(option.help),
        kind="choice" if option.values else "number",
        value=option_text(value),
        usual=value_words(key, getattr(preset, key)),
        choices=tuple(
            pages.Choice(option_text(choice), value_words(key, choice), "", choice == value) for choice in option.values
        ),
        low=low,
        high=high,
        error=error,
        group=spoken(option.group.heading),
    )


def _game_choice(rules: Ruleset, setup: Setup, *, kept: bool) -> pages.GameChoice:
    line = f"{rules_line(rules)}. {players_line(rules)}."
    chosen = rules.preset == setup.preset.preset
    return pages.GameChoice(rules.preset, spoken(rules.name), line, chosen, pressed=chosen and not kept)
