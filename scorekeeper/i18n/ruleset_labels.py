"""House rules in players' words: options and their values, the goal of a game, and who can play it."""

from __future__ import annotations

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
}
_SPECIAL = {"pitch": N_("a pitch wins outright"), "moon": N_("a moon wins outright")}


def value_words(option: str, value: Any) -> str:
    """Return a value of an option as players say it."""
    words = OPTIONS[option].values
    if value in words:
        return spoken(words[value])
    return _("none") if value is None else str(value)


def as_house_rule(option: str, value: Any) -> str:
    """Return a value of an option as a house rule, a sentence: "Played to 31."."""
    entry = OPTIONS[option]
    if entry.off and not value:
        return spoken(entry.off)
    if isinstance(entry.line, str):
        return _(entry.line).format(value_words(option, value))
    return spoken(entry.line[value])


def house_rules(rules: Ruleset) -> tuple[str, ...]:
    """Return a sentence for each option in which this table differs from the usual rules of its game."""
    return tuple(ours for _usual, ours in differences(rules))


def differences(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """Return (the usual rule, the rule of this table) for each option in which they differ, as sentences."""
    usual = PRESETS[rules.preset]
    return tuple(
        (as_house_rule(key, getattr(usual, key)), as_house_rule(key, value))
        for key, value in differing(usual, rules).items()
    )


def fitting_options(preset: Ruleset) -> tuple[str, ...]:
    """Return the options that can matter in a game of this kind, group after group, in the order they are asked."""
    fitting = (key for key, option in OPTIONS.items() if option.game(preset))
    return tuple(sorted(fitting, key=lambda key: OPTIONS[key].group.place))


def rules_line(rules: Ruleset) -> str:
    """Return the goal of the game in a line: "To 21, bid to go out, win by 2"."""
    if rules.finish == "fixed_hands":
        return ngettext("%(num)s hand, high score wins", "%(num)s hands, high score wins", rules.hands_limit or 0)
    parts = [_("To %(target)s", target=rules.target), _(_ENDS[rules.finish])]
    if rules.win_by > 1 and why_unused(rules, "win_by") is None:
        parts.append(_("win by %(points)s", points=rules.win_by))
    if rules.special_bid != "none":
        parts.append(_(_SPECIAL[rules.special_bid]))
    return ", ".join(parts)


def players_line(rules: Ruleset) -> str:
    """Return who can play: "4 players, partners; or 2 to 7 players, solo"."""
    kinds: dict[str, list[int]] = {}
    for seating in rules.seatings:
        kinds.setdefault(seating.kind, []).append(seating.players)
    seatings = [_(_SEATING_WORDS[kind], players=_range(counts)) for kind, counts in kinds.items()]
    return reduce(lambda one, other: _("%(one)s; or %(other)s", one=one, other=other), seatings)


def seating_words(seating: Seating) -> str:
    """Return "4 players, partners" or "3 players, solo"."""
    return _(_SEATING_WORDS[seating.kind], players=seating.players)


def _range(counts: list[int]) -> str:
    counts = sorted(counts)
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return _("%(fewest)s to %(most)s", fewest=counts[0], most=counts[-1])
    return reduce(lambda one, other: _("%(one)s or %(other)s", one=one, other=other), map(str, counts))
