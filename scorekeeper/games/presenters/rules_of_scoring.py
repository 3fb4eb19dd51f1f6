"""Say in plain words what is scored and how a game ends, for the rule card."""

from collections.abc import Mapping

from scorekeeper.games.presenters.rules_of_bidding import where_they_bid
from scorekeeper.games.presenters.rules_of_play import Sentence
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules.explain import untied_game_minimum
from scorekeeper.rules.options import POINTS, SCORING, THE_END
from scorekeeper.rules.parts import Category, Topic
from scorekeeper.rules.ruleset import Ruleset, why_unused
from scorekeeper.rules.scoring import lead_to_win


def points_line(rules: Ruleset) -> str:
    """Return a line about the points of a hand, such as "Points in a hand: High, Low, Jack and Game, 1 each."."""
    if not rules.categories:
        totals = [
            _("%(total)s with %(players)s players", total=total, players=players)
            for players, total in rules.hand_totals
        ]
        return _(
            "Each trick is worth 1 point. The red cards, S/S among them, are worth 12 in all; each shows its "
            "points in a red circle. Points in a hand: %(totals)s.",
            totals=", ".join(totals),
        )
    single = [spoken(category.label) for category in rules.categories if category.value == 1]
    more = [
        _("%(point)s is worth %(value)s.", point=spoken(c.label), value=c.value)
        for c in rules.categories
        if c.value > 1
    ]
    if not single:
        return " ".join(more)
    return " ".join((_("Points in a hand: %(points)s, 1 each.", points=join_names(single)), *more))


_DEFINED = {
    "high": N_("High: win the highest trump in play."),
    "low": N_("Low: win the lowest trump in play."),
    "jack": N_("Jack: win the jack of trump."),
    "right": N_("Right: win the jack of trump."),
    "left": N_("Left: win the other jack of the same color."),
    "off_jack": N_("Off jack: win the other jack of the same color, a trump just below the jack."),
    "joker": N_("Joker: win the joker."),
    "high_joker": N_(
        "High joker, Low joker: win a joker; each scores on its own. Jokers are trumps that rank just above the ten."
    ),
    "ace": N_("Ace: win the ace of trump."),
    "ten": N_("Ten: win the ten of trump."),
    "off_ace": N_("Off ace: win the other ace of the same color, a trump just below the ace."),
    "two": N_("Two: be dealt the two of trump. It counts for you no matter who wins it."),
    "three": N_("Three: win the three of trump."),
    "off_three": N_("Off three: win the other three of the same color, a trump just below the three."),
    "five": N_("Five: win the five of trump."),
    "off_five": N_("Off five: win the other five of the same color, a trump just below the five."),
    "game": "",
}
"""How to score each point, by its key. One sentence covers both jokers.

`_game` makes the sentence about Game, if Game is scored by card points.
"""
_AS_ONE_CARD = {
    "high": N_("High: win the ace of trump."),
    "low": N_("Low: win the two of trump."),
    "game": N_("Game: win the ten of trump."),
}
_DEALT_LOW = {
    False: N_("Low: be dealt the lowest trump in play. It counts for you no matter who wins it."),
    True: N_("Low: be dealt the two of trump. It counts for you no matter who wins it."),
}
"""How to score Low if it belongs to the player who was dealt it. The key says whether only the two of trump is Low."""
_MAY_BE_OUT = {
    "right": N_("If it's buried, nobody scores it."),
    "left": N_("If it's buried, nobody scores it."),
}
_JOKER_OUT = {
    (False, False): N_("If nobody was dealt a joker, nobody scores it."),
    (True, False): N_("If a joker is discarded, nobody scores it."),
    (True, True): N_("If a joker is discarded or wasn't dealt, nobody scores it."),
}
"""When nobody scores a joker. The keys are (whether players discard, whether trumps may stay in the deck)."""


def _definition(key: str) -> Sentence:
    """Return a function that makes the sentence about a point: who scores it, and when nobody does.

    `key` is the key of the point's category.
    """

    def sentence(rules: Ruleset) -> str:
        category = next((each for each in rules.categories if each.key == key), None)
        defined = _how_to_score(rules, category) if category else ""
        # Where the dealer takes the rest and no trump is left behind, every trump is in play.
        if category is None or not defined or category.always or _has_all_trumps(rules):
            return defined
        if key == "high_joker":
            discards = rules.discard_to > 0
            return f"{defined} {_(_JOKER_OUT[discards, discards and rules.play.leaves_trumps])}"
        out = N_("If it's discarded, nobody scores it.")
        if not rules.discard_to:
            out = N_("If nobody was dealt it, nobody scores it.")
        elif rules.play.leaves_trumps:
            out = N_("If it's discarded or wasn't dealt, nobody scores it.")
        return f"{defined} {_(_MAY_BE_OUT.get(key, out))}"

    return sentence


def _has_all_trumps(rules: Ruleset) -> bool:
    return rules.play.dealer_takes_rest and not rules.play.leaves_trumps


def _how_to_score(rules: Ruleset, category: Category) -> str:
    key = category.key
    if key in ("ace", "ten") and rules.counts("ace") and rules.counts("ten"):
        return _("Ace, Ten: win the ace or the ten of trump; each scores on its own.") if key == "ace" else ""
    if key == "low" and rules.low == "dealt":
        return _(_DEALT_LOW[bool(category.card)])
    template = _AS_ONE_CARD.get(key, _DEFINED[key]) if category.card else _DEFINED[key]
    defined = _(template) if template else ""
    if key == "low" and "low" in rules.decided:
        return " ".join((defined, _("Some tables give it to the player who was dealt it.")))
    return defined


_DEFINITIONS = {key: _definition(key) for key in _DEFINED}


_GAME_TIES = {
    "nobody": N_("Tie for Game: nobody gets the point."),
    "bidder": N_("Tie for Game, even 0 to 0: the bidder's side gets the point if it's in the tie."),
    "defenders": N_("Tie for Game, even 0 to 0: the defenders get the point."),
    "dealer": N_("Tie for Game, even 0 to 0: the dealer's side gets the point if it's in the tie."),
}


def _game(rules: Ruleset) -> str:
    if why_unused(rules, "game_minimum"):
        return ""
    parts = [_("Game: win the most card points. A ten counts 10, an ace 4, a king 3, a queen 2 and a jack 1.")]
    if rules.game_minimum:
        parts.append(_("It takes at least %(points)s; otherwise nobody scores Game.", points=rules.game_minimum))
    if not rules.trump_jack_counts:
        parts.append(_("The jack of trump doesn't count."))
    if rules.game_tie != "nobody" or not untied_game_minimum(rules):
        parts.append(_(_GAME_TIES[rules.game_tie]))
    return " ".join(parts)


_MADE: Mapping[tuple[str, bool], str] = {
    ("taken", True): N_(
        "Make your bid and you score every point you took, even above the bid. Defenders always score what they take."
    ),
    ("taken", False): N_(
        "Make your bid and you score every point you took, even above the bid. Defenders score nothing."
    ),
    ("bid", True): N_(
        "Make your bid and you score the bid, however much you took. Defenders always score what they take."
    ),
    ("bid", False): N_("Make your bid and you score the bid, however much you took. Defenders score nothing."),
}


def _made(rules: Ruleset) -> str:
    if not rules.has_bids:
        return _("Nobody bids. Every side scores the points it takes.")
    return _(_MADE[rules.made_scores, rules.defenders_score])


_SETS = {
    "bid": N_("Miss your bid and you're set: you score nothing and lose the amount of the bid."),
    "double_shortfall": N_(
        "Miss your bid and you're set: you score nothing and lose double the points you were short."
    ),
}


@where_they_bid
def _set(rules: Ruleset) -> str:
    floor = _("A set can't take you below zero.") if rules.negative == "floor_zero" else _("Scores can go below zero.")
    return f"{_(_SETS[rules.set_penalty])} {floor}"


_BID_OUT = {
    "make": N_(
        "You win when you make your bid, have %(target)s or more, and lead by at least %(points)s. Otherwise play on."
    ),
    "take": N_(
        "You win if you had the bid, even if you were set, have %(target)s or more after the hand, and lead by at "
        "least %(points)s. Otherwise play on."
    ),
}
_BIDDER_FIRST = N_(
    "Make your bid and reach %(target)s to win, no matter what the others have. Otherwise the highest score of "
    "%(target)s or more wins."
)
_BIDDER_FIRST_AHEAD = N_(
    "Make your bid and reach %(target)s with a lead of at least %(points)s to win. If you get there without that lead, "
    "play on. Otherwise the highest score of %(target)s or more wins with that lead."
)
_HIGHEST = N_("The highest score of %(target)s or more wins, bidder or not.")
_HIGHEST_AHEAD = N_("High score wins once it's %(target)s or more and at least %(points)s ahead, bidder or not.")


def _count_out(rules: Ruleset) -> str:
    points = [spoken(category.label) for category in rules.categories]
    if rules.turned_up_worth:
        points.insert(0, _("turned-up card"))
    return _(
        "The first side to reach %(target)s wins at once. Points count in this order: %(points)s. The count stops when "
        "a side gets there.",
        target=rules.target,
        points=", ".join(points),
    )


def _wins(rules: Ruleset) -> str:
    if rules.finish == "fixed_hands":
        return ngettext(
            "High score after %(num)s hand wins. A hand that all passed doesn't count.",
            "High score after %(num)s hands wins. Hands that all passed don't count.",
            rules.hands_limit or 0,
        )
    if rules.finish == "count_out":
        return _count_out(rules)
    if rules.finish == "bid_out":
        template = _BID_OUT[rules.go_out]
    elif rules.finish == "bidder_first":
        template = _BIDDER_FIRST_AHEAD if rules.bidder_lead else _BIDDER_FIRST
    else:
        template = _HIGHEST_AHEAD if rules.win_by > 1 else _HIGHEST
    return _(template, target=rules.target, points=lead_to_win(rules))


def _ties(rules: Ruleset) -> str:
    if rules.finish in ("bid_out", "count_out"):
        return ""
    if rules.finish != "highest" or rules.tie == "play_on":
        return _("Tied for the lead? Play on.")
    if rules.tie == "bidder":
        return _("Tied for the lead? The bidder's side wins if it's in the tie; otherwise play on.")
    if rules.tie_break_round == "decides":
        return _(
            "Tied for the lead? Play one more hand; then high score wins, even below %(target)s.", target=rules.target
        )
    return _("Tied for the lead? Play one more hand; it still takes %(target)s to win.", target=rules.target)


LINES: Mapping[str, tuple[Sentence, ...]] = {
    POINTS: (points_line, *_DEFINITIONS.values(), _game),
    SCORING: (_made, _set),
    THE_END: (_wins, _ties),
}
"""The first lines of each section, by its heading. They are about several options or about none."""
TOPICS: Mapping[Topic, Sentence] = {
    "points": points_line,
    "low": _DEFINITIONS["low"],
    "game": _game,
    "made": _made,
    "set": _set,
    "winning": _wins,
    "ties": _ties,
}
"""The line about each topic that `Parts.decided` may contain."""
