"""Make the parts of the new-game page about seats: the result of a random draw, and the fields for team names.

Make the page that starts a game, where players choose the game, the seats, and the house rules.

Make the page on which a finished game is added by its final score, such as one that was scored on paper.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from types import SimpleNamespace
from typing import Any

from msgspec import structs

from scorekeeper.games.forms.house_rules import PLAYERS, FindForm, findable_games, game_with, option_text
from scorekeeper.games.forms.start import Setup, name_at, seating_value
from scorekeeper.games.logic.new_game import FILLERS, NUMBERS, find_games, folded, known_word
from scorekeeper.games.pages.common import Choice, OptionField
from scorekeeper.games.pages.start import (
    FinishedSide,
    GameChoice,
    GameGroup,
    GameSearch,
    NewGamePage,
    PersonChip,
    SavedRules,
    SeatField,
    TeamField,
)
from scorekeeper.games.presenters.rules_of_scoring import points_line
from scorekeeper.games.presenters.snapshot import LETTERS, new_tap_id
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.ruleset_labels import (
    as_house_rule,
    fitting_options,
    house_rules,
    players_line,
    rules_line,
    seating_words,
    value_words,
)
from scorekeeper.i18n.sentences import isolated, join_names, side_names
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import LOCAL_RULES, PRESETS
from scorekeeper.rules.ruleset import Ruleset, offered_points, why_unused, with_options
from scorekeeper.rules.table import sides_of
from scorekeeper.web.locale import page_language


def drawn_words(setup: Setup) -> str:
    """Return a sentence with the result of a random draw, or "" if nothing was drawn."""
    players = _players(setup)
    if setup.drawn == "dealer":
        return _("First dealer: %(name)s.", name=players[setup.dealer])
    if setup.drawn == "partners":
        teams = "; ".join(join_names([players[seat] for seat in side]) for side in sides_of(setup.seating))
        return _("New partners: %(teams)s.", teams=teams)
    if setup.drawn == "seats":
        return _("New seats, clockwise: %(names)s.", names=", ".join(players))
    return ""


def team_fields(setup: Setup, field_name: str, message: str) -> tuple[TeamField, ...]:
    """Return a field for the name of each team, or () in a game without partners.

    The field called `field_name` shows `message` as its error.
    """
    players = _players(setup)
    return tuple(
        TeamField(
            f"team-{side}",
            name_at(setup.teams, side),
            LETTERS[side],
            join_names([players[seat] for seat in members]),
            message if field_name == f"team-{side}" else "",
        )
        for side, members in enumerate(sides_of(setup.seating))
        if len(members) > 1
    )


def _players(setup: Setup) -> Sequence[str]:
    """Return the players' names by seat, with a label such as "Seat 2" for an empty seat."""
    return [
        isolated(name_at(setup.names, seat)) or _("Seat %(number)s", number=seat + 1)
        for seat in range(setup.seating.players)
    ]


OFFERED = ("setback-21", "pitch-11", "setback-7", "setback-7-pitch", "bowers-12", "somerset-66")
"""The games that the page shows at once, the best known first; the others are under "More games"."""
FAMILIES: Mapping[str, tuple[str, ...]] = {
    N_("Pitch"): (
        *("auction-pitch-7", "smudge", "five-point", "six-point", "seven-point", "nine-point"),
        *("ten-point-52", "eleven-point", "thirteen-point", "call-partner-pitch"),
    ),
    N_("Smear"): ("smear-4", "smear-5", "smear-6", "smear-52"),
    N_("Pedro and Cinch"): ("pedro-62", "cinch-51"),
}
"""The games under "More games", by heading; a game without a heading comes last."""
OTHER_GAMES: Mapping[str, str] = {
    "don": N_("Scorekeeper doesn't have Don, which scores other cards. Its nearest relative here is All Fours."),
}
"""Maps words to sentences. If a search has the word but finds no game, its sentence names a similar game."""
MOST_PLAYED = 4
"""Maximum number of games that are shown at the top because this phone played them."""


def first_setup() -> Setup:
    """Return the setup for a phone that never started a game."""
    preset = PRESETS[OFFERED[0]]
    return Setup(preset, preset.seatings[0], ("",) * preset.seatings[0].players)


def setup_page(
    setup: Setup,
    known_names: Sequence[str],
    violation: RuleViolation | None = None,
    *,
    saved: Sequence[SavedRules] = (),
    people: Sequence[PersonChip] = (),
    notice: str = "",
    played: Sequence[str] = (),
    search: FindForm | None = None,
    built: str = "",
) -> NewGamePage:
    """Return the page for the choices made so far. The message of `violation` is shown at the field that is wrong.

    `saved` are the house rules that are saved on this phone. `people` are the people of the phone's home table,
    likeliest first. `played` are the presets of the phone's games as keys, latest first. `notice` tells what was just
    done. `search` is the search for a game. If the player makes up a game, `built` is a sentence that names the game on
    which the new game is based.
    """
    field_name = violation.field or "" if violation else ""
    message = violation.message if violation else ""
    in_options = field_name in fitting_options(setup.preset) or field_name == "rules_name"
    in_seats = field_name.startswith(("name-", "team-"))
    kept = any(each.chosen for each in saved)
    every_game = {key: _game_choice(rules, setup, kept=kept) for key, rules in PRESETS.items()}
    finder, cards = _search(search or FindForm(formdata=None), every_game)
    shown_first = {key: cards[key] for key in (*played[:MOST_PLAYED], *(game.key for game in finder.found))}
    fields = sheet_fields(setup.preset.preset, setup.seating, setup.options)
    rest = {key: card for key, card in cards.items() if key not in shown_first}
    return NewGamePage(
        played=tuple(cards[key] for key in played[:MOST_PLAYED] if cards[key] not in finder.found),
        search=finder,
        built=built,
        games=tuple(rest[key] for key in OFFERED if key in rest),
        more_games=_more_games(rest),
        line=cards[setup.preset.preset].line,
        name=cards[setup.preset.preset].name,
        preset=setup.preset.preset,
        seatings=tuple(
            Choice(seating_value(seating), seating_words(setup.preset, seating), "", seating == setup.seating)
            for seating in setup.preset.seatings
        ),
        seating=seating_value(setup.seating),
        seats=seat_fields(setup, field_name, spoken(message)),
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
        rule_fields={field: value for field, value in fields.items() if field != "players"},
        sheet_fields=fields,
    )


def sheet_fields(preset: str, seating: Seating, options: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the query fields in the address of a blank score sheet for the game `preset`.

    `options` are the house rules, which may still be invalid.
    """
    rules = {f"rule-{key}": option_text(value) for key, value in options.items()}
    return {"preset": preset, "players": seating_value(seating)} | rules


def _local_rules(setup: Setup) -> tuple[Choice, ...]:
    """Return the named house rules for the chosen game.

    The hint of each choice lists the differences from the usual rules.
    """
    return tuple(
        Choice(
            local.key,
            spoken(local.name),
            " ".join(house_rules(with_options(setup.preset, local.options))) or _("Usual rules."),
            dict(setup.options) == dict(local.options),
        )
        for local in LOCAL_RULES.values()
        if local.preset == setup.preset.preset
    )


def seat_fields(setup: Setup, field_name: str, message: str) -> tuple[SeatField, ...]:
    """Return a field for the name at each seat. The field called `field_name` shows `message` as its error."""
    sides = sides_of(setup.seating)
    seats = []
    for seat in range(setup.seating.players):
        side = next(index for index, members in enumerate(sides) if seat in members)
        partners = [other + 1 for other in sides[side] if other != seat]
        key = f"name-{seat}"
        seats.append(
            SeatField(
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
    """Return words such as "(partner: seat 3)", or "" for a player without a partner.

    `seats` are the seats of the player's partners, numbered from 1.
    """
    if not seats:
        return ""
    numbers = join_names(list(map(str, seats)))
    return ngettext("(partner: seat %(seats)s)", "(partners: seats %(seats)s)", len(seats), seats=numbers)


def option_fields(
    preset: Ruleset, options: Mapping[str, Any], wrong: str = "", message: str = ""
) -> tuple[OptionField, ...]:
    """Return a field for each option that can matter in the game `preset`, with the values in `options`.

    `wrong` is the key of an option that was refused, or "". Its field shows the error `message`.
    """
    message = about_option(wrong, message)
    # The values may be anything that was typed; an option asks only whether others are what it needs.
    base = game_with(preset, options)
    rules = replace(base, **options)
    fields = [_option(base, rules, key, message if key == wrong else "") for key in fitting_options(preset)]
    first = sorted((field for field in fields if field.common), key=lambda field: _place(field.key))
    return (*first, *(field for field in fields if not field.common))


def _place(field: str) -> int:
    switch = OPTIONS[field.removeprefix("rule-")].common
    return switch.place if switch else 0


def about_option(option: str, message: str) -> str:
    """Return the error `message` in the reader's language.

    If `option` is the key of an option, the label of the option is filled into the message.
    """
    return spoken(message, option=spoken(OPTIONS[option].label)) if option in OPTIONS else spoken(message)


def _option(preset: Ruleset, rules: Ruleset, key: str, error: str) -> OptionField:
    option, value, usual = OPTIONS[key], getattr(rules, key), getattr(preset, key)
    if option.several:
        return _several(PRESETS[rules.preset], rules, key, error)
    # Asked first only where it has an effect: a switch that is refused would be none.
    switch = option.common if option.allows(value) and why_unused(rules, key) is None and not error else None
    low, high = option.numbers
    return OptionField(
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
        off_at="" if option.nullable else "0",
        says=as_house_rule(key, value) if value != usual and option.allows(value) else "",
    )


def _several(preset: Ruleset, rules: Ruleset, key: str, error: str) -> OptionField:
    """Return the field for the points of a hand, where the player can choose several points together."""
    option, offered = OPTIONS[key], offered_points(preset)
    chosen, usual = ({category.key for category in each.categories} for each in (rules, preset))
    value, usual_value = (" ".join(each.key for each in offered if each.key in keys) for keys in (chosen, usual))
    return OptionField(
        key=f"rule-{key}",
        label=spoken(option.label),
        help=spoken(option.help),
        kind="several",
        value=value,
        usual=value_words(key, usual_value),
        choices=tuple(
            Choice(each.key, spoken(each.label), str(each.value) if each.value > 1 else "", each.key in chosen)
            for each in offered
        ),
        low=0,
        high=0,
        error=error,
        group=spoken(option.group.heading),
        usual_value=usual_value,
        line=_(str(option.line)),
        says=as_house_rule(key, value) if value != usual_value else "",
    )


def _choices(key: str, value: Any, words: Mapping[Any, str]) -> tuple[Choice, ...]:
    """Return the choices for the option `key`, each with its house rule as the hint.

    `words` maps each usual value to its label. An unusual `value` is added as one more choice.
    """
    offered = dict(words)
    if words and value not in words and OPTIONS[key].allows(value):
        offered[value] = value_words(key, value)
    return tuple(
        Choice(option_text(each), spoken(text), as_house_rule(key, each), each == value)
        for each, text in offered.items()
    )


def _more_games(cards: Mapping[str, GameChoice]) -> tuple[GameGroup, ...]:
    named = {*OFFERED, *(key for keys in FAMILIES.values() for key in keys)}
    families = {_(heading): keys for heading, keys in FAMILIES.items()} | {
        _("Other games"): tuple(key for key in cards if key not in named)
    }
    return tuple(
        GameGroup(heading, games)
        for heading, keys in families.items()
        if (games := tuple(cards[key] for key in keys if key in cards))
    )


def _search(form: FindForm, cards: Mapping[str, GameChoice]) -> tuple[GameSearch, Mapping[str, GameChoice]]:
    """Return the search for a game, and a dict of all game cards by preset key.

    In both results, the cards that the search found are marked.
    """
    text, wanted = form.text, form.wanted_players
    asked = bool(text) or wanted is not None
    found = find_games(text, findable_games(), wanted) if asked else ()
    cards = {key: structs.replace(card, found=key in found or not asked) for key, card in cards.items()}
    anyone = Choice("", _("Any number"), "", wanted is None)
    counts = (
        Choice(value, ngettext("%(num)s player", "%(num)s players", count), "", count == wanted)
        for value, count in PLAYERS.items()
    )
    finder = GameSearch(
        text=text,
        players=(anyone, *counts),
        found=tuple(cards[key] for key in found),
        asked=asked,
        chosen_players="" if wanted is None else f"{wanted}",
        numbers=" ".join(NUMBERS),
        fillers=" ".join(sorted(FILLERS)),
        other_games=(others := {word: _(sentence) for word, sentence in OTHER_GAMES.items()}),
        other=others.get(known_word(text, others), ""),
    )
    return finder, cards


def _game_choice(rules: Ruleset, setup: Setup, *, kept: bool) -> GameChoice:
    line = f"{rules_line(rules)}. {players_line(rules)}."
    chosen = rules.preset == setup.preset.preset
    return structs.replace(_texts(page_language())[rules.preset], line=line, chosen=chosen, pressed=chosen and not kept)


@cache
def _texts(_language: str) -> Mapping[str, GameChoice]:
    """Return a dict of game cards by preset key, with the names and sentences that are the same on every page.

    The cards are in the reader's language. `_language` only makes the cache keep the cards of each language apart.
    """
    return {
        game.key: GameChoice(
            key=game.key,
            name=spoken(rules.name),
            line="",
            chosen=False,
            pressed=False,
            about=points_line(rules),
            also=_("Also called %(names)s.", names=", ".join(map(spoken, rules.also))) if rules.also else "",
            names="|".join(dict.fromkeys(map(folded, game.names))),
            players=" ".join(map(str, sorted(game.players))),
        )
        for game in findable_games()
        for rules in (PRESETS[game.key],)
    }


def finished_page(
    setup: Setup, known_names: Sequence[str], day: str, today: date, violation: RuleViolation | None = None
) -> SimpleNamespace:
    """Return the page for adding a game with the players and rules of `setup`, played on `day` (text of the form).

    `today` is offered while `day` is empty. The message of `violation` is shown at the name that is wrong, or above the
    form.
    """
    field, message = (violation.field or "", spoken(violation.message)) if violation else ("", "")
    seats = seat_fields(setup, field, message)
    sides = sides_of(setup.seating)
    fields = dict(sheet_fields(setup.preset.preset, setup.seating, setup.options))
    fields["seating"] = fields.pop("players")
    teams = {f"team-{side}": name_at(setup.teams, side) for side in range(len(sides))}
    return SimpleNamespace(
        name=spoken(setup.preset.name),
        line=seating_words(setup.preset, setup.seating),
        fields=fields | {"first_dealer": str(setup.dealer)} | {key: name for key, name in teams.items() if name},
        sides=tuple(
            FinishedSide(index, LETTERS[index], name_at(setup.teams, index), tuple(seats[seat] for seat in members))
            for index, members in enumerate(sides)
        ),
        changed=len(setup.options),
        known_names=tuple(known_names),
        day=day or today.isoformat(),
        typed=bool(day),
        today=today.isoformat(),
        client_id=new_tap_id(),
        error="" if any(seat.error for seat in seats) else message,
    )


def named_sides(setup: Setup) -> tuple[str, ...]:
    """Return the names of the sides, for the question who won."""
    names = [isolated(name_at(setup.names, seat)) or _("Seat %(number)s", number=seat + 1) for seat in range(8)]
    return tuple(side.name for side in side_names(sides_of(setup.seating), names, setup.teams))
