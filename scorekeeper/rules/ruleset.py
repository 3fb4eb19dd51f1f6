"""A ruleset holds the rules of one game with a value for every option. Checks make sure that people can play by it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import reduce
from operator import attrgetter
from typing import Any

from scorekeeper.rules.options import OPTIONS, Options
from scorekeeper.rules.parts import BOWERS, JOKERS, POINTS, Category
from scorekeeper.rules.phrase import Phrase, RuleViolation


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Options):
    """The rules of one table: the parts that no option changes, and a value for every option."""

    @property
    def dealer_raises(self) -> bool:
        """Return whether the dealer may bid more than the high bid or the forced bid.

        If the result is False, the dealer may match the high bid or make the forced bid, but not bid more.
        """
        return self.dealer_may_raise or not self.dealer_matches

    @property
    def forced_exactly(self) -> bool:
        """Return whether the dealer must bid exactly `forced_bid` if all others passed (RULES 10)."""
        return not self.dealer_raises if self.forced_bid_exact is None else self.forced_bid_exact


_NAMES = tuple(each.name for each in fields(Ruleset) if each.init)
_VALUES = attrgetter(*_NAMES)


def changed(rules: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    """Return `rules` with other values for `options`, unchecked. `dataclasses.replace` takes three times as long."""
    return Ruleset(**{**dict(zip(_NAMES, _VALUES(rules), strict=True)), **options})


def why_unused(rules: Ruleset, option: str) -> Phrase | None:
    """Return why `option` has no effect under these rules, or None if the option has an effect (RULES 1)."""
    entry = OPTIONS[option]
    if getattr(rules, option) in entry.own:
        return _OWN
    if entry.bidding and not rules.has_bids:
        return Phrase("nobody bids in this game")
    return None if entry.game(rules) and entry.needs(rules) else entry.idle


_OWN = Phrase("it belongs to the game itself")


def with_options(preset: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    """Return `preset` with the values in `options`, which maps option keys to values.

    A value may also be in the record format. Raises `RuleViolation` for an unknown option, for a value out of range,
    and for a combination that nobody can play by. An option that has no effect under these rules may only keep its
    value or get its default. The violation's `field` is the option.
    """
    options = {key: OPTIONS[key].read(value) if key in OPTIONS else value for key, value in options.items()}
    for key, value in options.items():
        check_value(key, value)
    base = with_points(preset, options["points"]) if "points" in options else preset
    rules = changed(base, options | {"points": base.points})
    for key, value in options.items():
        usual, own = getattr(preset if key == "points" else base, key), OPTIONS[key].own
        if getattr(rules, key) == usual:
            continue
        reason = _OWN if value in own or usual in own else why_unused(rules, key)
        if reason and (value != OPTIONS[key].default or usual in own):
            message = Phrase("“%(option)s” can't be changed here: %(why)s.", option=key, why=reason)
            raise RuleViolation("option_unused", message, field=key)
    check_combination(rules)
    return rules


def differing(preset: Ruleset, rules: Ruleset) -> dict[str, Any]:
    """Return the options of `rules` that differ from `preset`, in the order of `OPTIONS`.

    The highest bid is left out if it follows from the points.
    """
    base = preset
    if rules.points != preset.points:
        base = changed(with_points(preset, rules.points), {"points": preset.points})
    return {key: getattr(rules, key) for key in OPTIONS if getattr(rules, key) != getattr(base, key)}


def with_points(game: Ruleset, points: str) -> Ruleset:
    """Return `game` with the points that `points` names, and with bids up to the sum of these points (RULES 7).

    `points` holds category keys with spaces between, or "" for the usual points.
    """
    if set(points.split()) == {category.key for category in game.usual_points}:
        points = ""
    if points == game.points:
        return game
    chosen = changed(game, {"points": points})
    return chosen if game.bid_max is None else changed(chosen, {"bid_max": _worth(chosen)})


def offered_points(game: Ruleset) -> tuple[Category, ...]:
    """Return the points that players can choose from in `game`.

    Points whose card is not in the deck are left out. If two points are names for the same card, only the one that the
    game uses is included. Bowers are included only if the game uses that name for its jacks.
    """
    own = {(each.card, each.off): each.key for each in game.usual_points if each.card not in ("", *JOKERS)}
    return tuple(
        each
        for key, each in POINTS.items()
        if (not each.card or each.card in (*game.ranks, *JOKERS))
        and own.get((each.card, each.off), key) == key
        and (key not in BOWERS or game.counts(key))
    )


def _worth(rules: Ruleset) -> int:
    return sum(category.value for category in rules.categories) or max(total for _, total in rules.hand_totals)


def check_combination(rules: Ruleset) -> None:
    """Raise `RuleViolation` if nobody can play by these rules, whatever the number of players."""
    _check_points(rules)
    most = _worth(rules)
    top, lowest, forced = rules.bid_max or most, rules.bid_min, rules.forced_bid
    if top > most:
        message = Phrase(
            "A hand has only %(most)s points, so the highest bid allowed can't be %(top)s.", most=most, top=top
        )
        raise RuleViolation("option_combination", message, field="bid_max")
    if lowest > top:
        message = Phrase(
            "The lowest bid allowed, %(lowest)s, is above the highest, %(highest)s.", lowest=lowest, highest=top
        )
        raise RuleViolation("option_combination", message, field="bid_min")
    if forced is not None and not lowest <= forced <= top:
        message = Phrase(
            "The dealer can't be stuck with %(bid)s: bids go from %(lowest)s to %(highest)s.",
            bid=forced,
            lowest=lowest,
            highest=top,
        )
        raise RuleViolation("option_combination", message, field="forced_bid")
    if rules.finish == "fixed_hands" and rules.hands_limit is None:
        raise RuleViolation("option_combination", "Enter the number of hands.", field="hands_limit")


def _check_points(rules: Ruleset) -> None:
    """Raise `RuleViolation` unless each point has its own card and the deck has that card.

    Also raise `RuleViolation` if only one of the points for the high joker and the low joker is used.
    """
    carried: dict[tuple[str, bool], Category] = {}
    for category in rules.categories:
        card = (category.card, category.off)
        if category.card not in ("", *rules.ranks, *JOKERS):
            message = Phrase("The deck of this game has no card for %(point)s.", point=category.label)
            raise RuleViolation("option_combination", message, field="points")
        if category.card and card in carried:
            message = Phrase(
                "%(one)s and %(other)s are the same card. Choose one of them.",
                one=carried[card].label,
                other=category.label,
            )
            raise RuleViolation("option_combination", message, field="points")
        carried[card] = category
    if rules.counts("high_joker") != rules.counts("low_joker"):
        message = Phrase("With two jokers, choose High joker and Low joker.")
        raise RuleViolation("option_combination", message, field="points")


def check_value(key: str, value: Any) -> None:
    """Raise `RuleViolation` if no option has this `key`, or if the option can't have this `value`."""
    entry = OPTIONS.get(key)
    if entry is None:
        name = str(key)[:40]
        raise RuleViolation("option_unknown", Phrase("There is no option named “%(name)s”.", name=name), field=name)
    if entry.allows(value):
        return
    if entry.several:
        message = Phrase(
            "“%(option)s” must name some of these: %(points)s.", option=key, points=", ".join(entry.several)
        )
    elif entry.values:
        message = Phrase("“%(option)s” must be %(values)s.", option=key, values=_or(entry.values))
    else:
        low, high = entry.numbers
        message = Phrase(
            "“%(option)s” must be a whole number from %(low)s to %(high)s.", option=key, low=low, high=high
        )
    raise RuleViolation("option_value", message, field=key)


def _value(value: Any) -> str:
    known = {True: Phrase("yes"), False: Phrase("no"), None: Phrase("none")}
    return known[value] if isinstance(value, bool | None) else str(value)


def _or(values: Iterable[Any]) -> str:
    return reduce(lambda one, other: Phrase("%(one)s or %(other)s", one=one, other=other), map(_value, values))
