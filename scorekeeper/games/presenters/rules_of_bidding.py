"""Say the rules of bidding in plain words, for the rule card."""

from collections.abc import Mapping
from functools import wraps

from scorekeeper.games.presenters.rules_of_play import Sentence, has_called
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.ruleset_labels import value_words
from scorekeeper.rules.options import BIDDING
from scorekeeper.rules.parts import Topic
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset


def where_they_bid(sentence: Sentence) -> Sentence:
    """Return a function that returns "" for games without bidding, and otherwise does the same as `sentence`."""

    @wraps(sentence)
    def told(rules: Ruleset) -> str:
        return sentence(rules) if rules.has_bids else ""

    return told


@where_they_bid
def _bids(rules: Ruleset) -> str:
    if rules.bid_max is None:
        return _("Bid from %(lowest)s up to all the points in the hand, or pass.", lowest=rules.bid_min)
    return _("Bid from %(lowest)s to %(highest)s, or pass.", lowest=rules.bid_min, highest=rules.bid_max)


@where_they_bid
def _first_bid(rules: Ruleset) -> str:
    return _("The player to the dealer's left bids first.")


@where_they_bid
def _higher(rules: Ruleset) -> str:
    if rules.dealer_matches:
        return _("Each bid must be higher than the last, except the dealer's.")
    return _("Each bid must be higher than the last.")


_AUCTIONS = {
    ("once_around", "any"): N_("One bid each, dealer last. A bid of %(top)s ends the bidding."),
    ("once_around", "pitch"): N_("One bid each, dealer last. A pitch ends the bidding; a bid of %(top)s doesn't."),
    ("once_around", "moon"): N_("One bid each, dealer last. A moon ends the bidding; a bid of %(top)s doesn't."),
    ("once_around", ""): N_("One bid each, dealer last. A bid of %(top)s doesn't end the bidding."),
    ("until_passed", "any"): N_(
        "Bidding goes around until all but one have passed. Once you pass, you're out of the bidding. A bid of %(top)s "
        "ends it."
    ),
    ("until_passed", "pitch"): N_(
        "Bidding goes around until all but one have passed. Once you pass, you're out of the bidding. A pitch ends "
        "it; a bid of %(top)s doesn't."
    ),
    ("until_passed", "moon"): N_(
        "Bidding goes around until all but one have passed. Once you pass, you're out of the bidding. A moon ends "
        "it; a bid of %(top)s doesn't."
    ),
    ("until_passed", ""): N_(
        "Bidding goes around until all but one have passed. Once you pass, you're out of the bidding. A bid of %(top)s "
        "doesn't end it."
    ),
}
"""Sentences about the auction, by the kind of auction and the bid that ends it.

The second part of a key is "any" if the highest number ends the auction, "pitch" or "moon" if only that bid does, and
"" if no bid does.
"""


@where_they_bid
def _auction(rules: Ruleset) -> str:
    matched = rules.dealer_matches and rules.dealer_may_match_max
    if rules.auction == "once_around" and not rules.stop_at_max and rules.special_bid == "none" and not matched:
        return _("One bid each, dealer last.")
    last = "any" if rules.special_bid == "none" else rules.special_bid
    return _(_AUCTIONS[rules.auction, last if rules.stop_at_max else ""], top=_top(rules))


def _top(rules: Ruleset) -> str:
    return _("all the points") if rules.bid_max is None else str(rules.bid_max)


_MATCHES = {
    (True, True): N_("The dealer may match the high bid, even a bid of %(top)s, or raise it."),
    (True, False): N_("The dealer may match the high bid, even a bid of %(top)s, but may not raise it."),
    (False, True): N_("The dealer may match the high bid (except a bid of %(top)s) or raise it."),
    (False, False): N_("The dealer may match the high bid (except a bid of %(top)s) but may not raise it."),
}


@where_they_bid
def _dealer(rules: Ruleset) -> str:
    if rules.auction != "once_around":
        return ""
    if not rules.dealer_matches:
        return _("The dealer may not match the high bid.")
    return _(_MATCHES[rules.dealer_may_match_max, rules.dealer_raises], top=_top(rules))


_STUCK_AT_ZERO = {
    True: N_("If everyone else passes, the dealer bids 0, names trump, and can't be set."),
    False: N_("If everyone else passes, the dealer bids 0 and can't be set, or bids more."),
}


@where_they_bid
def _all_pass(rules: Ruleset) -> str:
    if rules.forced_bid is None:
        if rules.redeal_by == "same":
            return _("If all pass, nobody scores; the same dealer deals again.")
        return _("If all pass, nobody scores; the next player deals.")
    if rules.forced_bid == 0:
        return _(_STUCK_AT_ZERO[rules.forced_exactly])
    if rules.forced_exactly:
        return _("If everyone else passes, the dealer must bid exactly %(bid)s.", bid=rules.forced_bid)
    return _("If everyone else passes, the dealer must bid at least %(bid)s.", bid=rules.forced_bid)


def _special(rules: Ruleset) -> str:
    points = sum(category.value for category in rules.points_of(rules.special_bid))
    if rules.special_bid == "pitch":
        what = _("all %(points)s points", points=points)
        if rules.slam_worth:
            what = _("all %(points)s points, one of them for taking all the tricks", points=points)
        elif rules.pitch_test != "points":
            what = value_words("pitch_test", rules.pitch_test)
        pitch = _(
            "A pitch outranks every bid and promises %(what)s. Make it with a score of zero or more and you win the "
            "game at once. Make it from below zero and you score %(points)s.",
            what=what,
            points=points,
        )
        if rules.negative == "floor_zero":
            pitch = _(
                "A pitch outranks every bid and promises %(what)s. Make it and you win the game at once.", what=what
            )
        return " ".join((spoken(rules.play.special), pitch)).lstrip()
    if rules.special_bid == "moon":
        if rules.negative == "floor_zero":
            return _(
                "A moon outranks every bid and promises all %(points)s points. Make it and you win the game at once. "
                "If it fails, you lose the game.",
                points=points,
            )
        return _(
            "A moon outranks every bid and promises all %(points)s points. Make it with a score of zero or more and "
            "you win the game at once. Make it from below zero and it only brings you to 0. If it fails, you lose the "
            "game.",
            points=points,
        )
    return ""


def _moon_fails(rules: Ruleset) -> str:
    if rules.special_bid != "moon" or all(seating.sides == 2 for seating in rules.seatings):
        return ""
    fails = _(
        "With more than two sides, the game ends when a moon fails. The highest score of the other sides wins, even "
        "below %(target)s; if they tie for it, nobody wins.",
        target=rules.target,
    )
    if not has_called(rules) and not rules.may_call:
        return fails
    values = {"target": rules.target, "points": sum(category.value for category in rules.points_of("moon"))}
    if rules.negative == "floor_zero":
        shared = _(
            "A called partner shares the moon. If it's made, the partner's score also goes up to %(target)s, but the "
            "bidder wins the game. If the moon fails, both lose %(points)s, and neither of them can win.",
            **values,
        )
        return f"{fails} {shared}"
    shared = _(
        "A called partner shares the moon. If it's made, the partner's score also goes up to %(target)s, or to 0 from "
        "below zero. A bidder who had zero or more wins the game. If the bidder was below zero, the highest score of "
        "%(target)s or more wins. If the moon fails, both lose %(points)s, and neither of them can win.",
        **values,
    )
    return f"{fails} {shared}"


def _pitch_fails(rules: Ruleset) -> str:
    if rules.special_bid != "pitch":
        return ""
    points = sum(category.value for category in rules.points_of("pitch"))
    fails = _("If a pitch fails, you lose %(points)s.", points=points)
    if rules.pitch_test == "points":
        fails += " " + _("It also fails if fewer than %(points)s points are in play.", points=points)
    return fails


_PITCH_SOURCE = {
    "points": N_("In the published rules, a pitch promises four tricks, not all the points."),
    "tricks": N_("The published rules say the same."),
    "tricks_all": N_("The published rules ask for only four tricks."),
}


def _pitch_source(rules: Ruleset) -> str:
    if rules.special_bid != "pitch" or PRESETS[rules.preset].special_bid != "pitch":
        return ""
    return "" if rules.play.special else _(_PITCH_SOURCE[rules.pitch_test])


LINES: Mapping[str, tuple[Sentence, ...]] = {
    BIDDING: (
        *(_bids, _first_bid, _higher, _auction, _dealer, _all_pass),
        *(_special, _moon_fails, _pitch_fails, _pitch_source),
    ),
}
"""The first lines of each section, by its heading. They are about several options or about none."""
TOPICS: Mapping[Topic, Sentence] = {
    "bids": _bids,
    "higher": _higher,
    "auction": _auction,
    "dealer": _dealer,
    "all_pass": _all_pass,
    "special_bid": _special,
    "moon_fails": _moon_fails,
    "pitch_fails": _pitch_fails,
}
"""The line about each topic that `Parts.decided` may contain."""
