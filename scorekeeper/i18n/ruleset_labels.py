"""Describe house rules in players' words: options and their values, the goal of a game, and the numbers of players."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, differing, why_unused

_SEATING_WORDS = {
    "partners": N_("%(players)s players, partners"),
    "alone": N_("%(players)s players, solo"),
    "called": N_("%(players)s players, bidder calls a partner"),
}
_ENDS = {
    "bid_out": N_("bid to go out"),
    "bidder_first": N_("bidder goes out first"),
    "highest": N_("high score wins"),
    "count_out": N_("first to get there wins"),
}
_SPECIAL = {"pitch": N_("a pitch wins outright"), "moon": N_("a moon wins outright")}


def value_words(option: str, value: Any) -> str:
    """Return the `value` of an option in words for players. `option` is a key of `OPTIONS`."""
    words = OPTIONS[option].values
    if several := OPTIONS[option].several:
        return ", ".join(spoken(several[key]) for key in str(value).split() if key in several)
    if value in words:
        return spoken(words[value])
    return _("none") if value is None else str(value)


def value_of(rules: Ruleset, option: str) -> Any:
    """Return the value of an option in `rules`. `option` is a key of `OPTIONS`.

    The value of the option for the points of a hand is a string with the keys of all points, separated by spaces.
    """
    if not OPTIONS[option].several:
        return getattr(rules, option)
    return " ".join(category.key for category in rules.categories)


def as_house_rule(option: str, value: Any) -> str:
    """Return a sentence that states the `value` of an option as a house rule, such as "Played to 31."."""
    entry = OPTIONS[option]
    if entry.off and (value is None or (value == 0 and not entry.nullable)):
        return spoken(entry.off)
    if isinstance(entry.line, str):
        return _(entry.line).format(value_words(option, value))
    return spoken(entry.line[value])


def house_rules(rules: Ruleset) -> tuple[str, ...]:
    """Return a sentence for each option in which `rules` differ from the usual rules of their game."""
    return tuple(ours for _usual, ours in differences(rules))


def differences(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """Return a (usual rule, rule in `rules`) pair of sentences for each option in which they differ."""
    usual = PRESETS[rules.preset]
    return tuple(
        (as_house_rule(key, value_of(usual, key)), as_house_rule(key, value_of(rules, key)))
        for key in differing(usual, rules)
    )


def fitting_options(preset: Ruleset) -> tuple[str, ...]:
    """Return the keys of the options that the new-game form shows for the game `preset`, in display order."""
    fitting = (key for key, option in OPTIONS.items() if _fits(preset, key) and not option.seated)
    return tuple(sorted(fitting, key=lambda key: OPTIONS[key].group.place))


def _fits(preset: Ruleset, key: str) -> bool:
    option = OPTIONS[key]
    return option.game(preset) and (preset.has_bids or not option.bidding) and getattr(preset, key) not in option.own


def rules_line(rules: Ruleset) -> str:
    """Return the goal of a game in one line, for example "To 21, bid to go out, win by 2"."""
    if rules.finish == "fixed_hands":
        return ngettext("%(num)s hand, high score wins", "%(num)s hands, high score wins", rules.hands_limit or 0)
    parts = [_("To %(target)s", target=rules.target), _(_ENDS[rules.finish])]
    if rules.win_by > 1 and why_unused(rules, "win_by") is None:
        parts.append(_("win by %(points)s", points=rules.win_by))
    if rules.bidder_lead and why_unused(rules, "bidder_lead") is None:
        parts.append(_("win by %(points)s", points=rules.bidder_lead))
    if rules.special_bid != "none":
        parts.append(_(_SPECIAL[rules.special_bid]))
    return ", ".join(parts)


def players_line(rules: Ruleset) -> str:
    """Return the numbers of players that `rules` allow, for example "4 players, partners; or 2 to 7 players, solo"."""
    kinds: dict[str, list[int]] = {}
    for seating in rules.seatings:
        kinds.setdefault(seating.kind, []).append(seating.players)
    seatings = [_(_SEATING_WORDS[kind], players=numbers_text(counts)) for kind, counts in kinds.items()]
    return reduce(lambda one, other: _("%(one)s; or %(other)s", one=one, other=other), seatings)


def seating_words(rules: Ruleset, seating: Seating) -> str:
    """Return a seating in words, for example "4 players, partners" or "3 players, solo".

    If the same number of players can form teams in several ways, the teams are named, for example "6 players, 3 teams
    of 2".
    """
    if seating not in team_choices(rules):
        return _(_SEATING_WORDS[seating.kind], players=seating.players)
    return _("%(players)s players, %(teams)s", players=seating.players, teams=_teams(seating))


def teams_lines(rules: Ruleset) -> tuple[str, ...]:
    """Return a sentence for each number of players above 4 that can play in teams.

    A sentence has the form "With 6 players: 2 teams of 3." If there are several possibilities, they are joined, for
    example "2 teams of 3 or 3 teams of 2".
    """
    choices: dict[int, list[str]] = {}
    for seating in (each for each in rules.seatings if each.kind == "partners" and each.players > 4):
        choices.setdefault(seating.players, []).append(_teams(seating))
    return tuple(
        _("With %(players)s players: %(teams)s.", players=players, teams=_either(teams))
        for players, teams in choices.items()
    )


def team_choices(rules: Ruleset) -> tuple[Seating, ...]:
    """Return the seatings with partners that the player must choose between.

    A seating is included only if another seating has the same number of players and also has partners.
    """
    partners = [seating for seating in rules.seatings if seating.kind == "partners"]
    counts = Counter(seating.players for seating in partners)
    return tuple(seating for seating in partners if counts[seating.players] > 1)


def numbers_text(numbers: Iterable[int]) -> str:
    """Return the distinct numbers as a string, for example "4", "4 or 6", or "4, 6 or 8".

    If there are three or more numbers and they are all consecutive, the string is a range such as "2 to 8".
    """
    told = sorted(set(numbers))
    if len(told) > 2 and told == list(range(told[0], told[-1] + 1)):
        return _("%(fewest)s to %(most)s", fewest=told[0], most=told[-1])
    return _either(list(map(str, told)))


def _teams(seating: Seating) -> str:
    return _("%(teams)s teams of %(players)s", teams=seating.teams, players=seating.players // seating.teams)


def _either(words: Sequence[str]) -> str:
    if len(words) == 1:
        return words[0]
    return _("%(one)s or %(other)s", one=", ".join(words[:-1]), other=words[-1])
