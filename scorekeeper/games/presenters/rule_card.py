"""The rule card of a table: its rules in plain words on one page, to settle arguments with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scorekeeper.games import pages
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.ruleset_labels import differences, players_line, rules_line, value_words
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules.explain import untied_game_minimum
from scorekeeper.rules.options import BIDDING, NEEDED, OPTIONS, POINTS, SCORING, THE_DEAL, THE_END, THE_PLAY
from scorekeeper.rules.parts import Topic
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, why_unused

Sentence = Callable[[Ruleset], str]
NOT_HERE, NOT_USUAL = N_("Doesn’t apply."), N_("No rule for this.")


def rule_card(rules: Ruleset, *, game_id: str = "") -> pages.RuleCardPage:
    """Return the rules as a page; each line that differs from the usual rules also gives the usual one."""
    usual = PRESETS[rules.preset]
    return pages.RuleCardPage(
        title=_("How to play %(game)s", game=spoken(rules.name)),
        summary=f"{rules_line(rules)}.",
        sections=tuple(
            pages.RuleSection(spoken(heading), _lines(rules, usual, sentences))
            for heading, sentences in SECTIONS.items()
        ),
        house=tuple(pages.HouseRuleLine(usual=theirs, ours=ours) for theirs, ours in differences(rules)),
        game_id=game_id,
        preset=rules.preset,
        has_game=not why_unused(rules, "game_minimum"),
    )


def short_rules(rules: Ruleset) -> tuple[str, ...]:
    """Return the rules that players look up while they score: the goal, the bids, and the cost of a set."""
    lines = (f"{rules_line(rules)}.", *(sentence(rules) for sentence in (_bids, _dealer, _all_pass, _set)))
    return tuple(line for line in lines if line)


def _lines(rules: Ruleset, usual: Ruleset, sentences: Sequence[Sentence]) -> tuple[pages.RuleLine, ...]:
    lines = []
    decided = {TOPICS[topic] for topic in rules.decided}
    for sentence in sentences:
        ours, theirs = sentence(rules), sentence(usual)
        if ours or theirs:
            differs = ours != theirs
            usually = (theirs or _(NOT_USUAL)) if differs else ""
            lines.append(pages.RuleLine(ours or _(NOT_HERE), differs, usually, not differs and sentence in decided))
    return tuple(lines)


def _players(rules: Ruleset) -> str:
    return f"{players_line(rules)}."


def _pack(rules: Ruleset) -> str:
    return spoken(rules.play.pack) or _("A standard 52-card deck.")


def _deal(rules: Ruleset) -> str:
    if rules.play.deal:
        return spoken(rules.play.deal)
    if rules.play.batch:
        return _("Deal %(cards)s cards to each player, %(batch)s at a time.", **_counts(rules))
    return _("Deal %(cards)s cards to each player.", **_counts(rules))


def _counts(rules: Ruleset) -> dict[str, int]:
    return {"cards": rules.cards_each, "batch": rules.play.batch, "tricks": rules.tricks}


def _after_deal(rules: Ruleset) -> str:
    return spoken(rules.play.after_deal)


def _passes(rules: Ruleset) -> str:
    return _("After every hand the deal passes to the left.")


_COKE_HANDS = {
    "none": "",
    "ten_or_two": N_("Coke hand: if you have nothing above a nine and no twos, you may ask for new cards."),
    "ten": N_("Coke hand: if you have nothing above a nine (twos are fine), you may ask for new cards."),
}


def coke_hand_text(rules: Ruleset) -> str:
    """Return the sentence on when a player may ask for new cards; empty if the rules have no coke hands."""
    return _(template) if (template := _COKE_HANDS[rules.redeal]) else ""


def _lead(rules: Ruleset) -> str:
    return spoken(rules.play.lead)


def _follow(rules: Ruleset) -> str:
    if rules.trump_any_time:
        return _("Follow suit if you can, but you may play trump any time.")
    if rules.play.trumps_only:
        return _("Only trumps are played. When you run out of trumps, you’re out of the hand.")
    return _("Follow suit if you can. If you’re out of that suit, you may play trump or any other card.")


def _trick(rules: Ruleset) -> str:
    if rules.play.trumps_only and not rules.trump_any_time:
        return _("The highest trump wins the trick. The winner leads next.")
    wins = _(
        "The highest trump wins the trick, or the highest card of the suit led if nobody played trump. The winner "
        "leads next."
    )
    if not rules.tricks or rules.play.trumps_only:
        return wins
    return wins + " " + _("There are %(tricks)s tricks in a hand.", **_counts(rules))


def _cards(rules: Ruleset) -> str:
    return spoken(rules.play.cards)


def _no_trump(rules: Ruleset) -> str:
    if not rules.hand_totals:
        return ""
    if rules.no_trump:
        return _("The bidder may also choose to play with no trump suit.")
    return _("Playing with no trump isn’t allowed.")


def _bids(rules: Ruleset) -> str:
    if rules.bid_max is None:
        return _("Bid from %(lowest)s up to all the points in the hand, or pass.", lowest=rules.bid_min)
    return _("Bid from %(lowest)s to %(highest)s, or pass.", lowest=rules.bid_min, highest=rules.bid_max)


def _first_bid(rules: Ruleset) -> str:
    return _("The player to the dealer’s left bids first.")


def _higher(rules: Ruleset) -> str:
    if rules.dealer_matches:
        return _("Each bid must be higher than the last, except the dealer’s.")
    return _("Each bid must be higher than the last.")


_AUCTIONS = {
    ("once_around", True): N_("One bid each, dealer last. A bid of %(top)s ends the bidding."),
    ("once_around", False): N_("One bid each, dealer last. A bid of %(top)s doesn’t end the bidding."),
    ("until_passed", True): N_(
        "Bidding goes around until all but one have passed. Once you pass, you’re out of the bidding. A bid of %(top)s "
        "ends it."
    ),
    ("until_passed", False): N_(
        "Bidding goes around until all but one have passed. Once you pass, you’re out of the bidding. A bid of %(top)s "
        "doesn’t end it."
    ),
}


def _auction(rules: Ruleset) -> str:
    beaten = rules.special_bid != "none" or (rules.dealer_matches and rules.dealer_may_match_max)
    if rules.auction == "once_around" and not rules.stop_at_max and not beaten:
        return _("One bid each, dealer last.")
    return _(_AUCTIONS[rules.auction, rules.stop_at_max], top=_top(rules))


def _top(rules: Ruleset) -> str:
    return _("all the points") if rules.bid_max is None else str(rules.bid_max)


_MATCHES = {
    (True, True): N_("The dealer may match the high bid, even a bid of %(top)s, or raise it."),
    (True, False): N_("The dealer may match the high bid, even a bid of %(top)s, but may not raise it."),
    (False, True): N_("The dealer may match the high bid (except a bid of %(top)s) or raise it."),
    (False, False): N_("The dealer may match the high bid (except a bid of %(top)s) but may not raise it."),
}


def _dealer(rules: Ruleset) -> str:
    if rules.auction != "once_around":
        return ""
    if not rules.dealer_matches:
        return _("The dealer may not match the high bid.")
    return _(_MATCHES[rules.dealer_may_match_max, rules.dealer_raises], top=_top(rules))


def _all_pass(rules: Ruleset) -> str:
    if rules.forced_bid is None:
        if rules.redeal_by == "same":
            return _("If everyone passes, throw in the hand; the same dealer deals again.")
        return _("If everyone passes, throw in the hand; the next player deals.")
    if rules.forced_exactly:
        return _("If everyone else passes, the dealer must bid exactly %(bid)s.", bid=rules.forced_bid)
    return _("If everyone else passes, the dealer must bid at least %(bid)s.", bid=rules.forced_bid)


def _special(rules: Ruleset) -> str:
    points = sum(category.value for category in rules.categories)
    if rules.special_bid == "pitch":
        return _(
            "A pitch outranks every bid and promises %(what)s. Make it with a score of zero or more and you win the "
            "game at once. Make it from below zero and you score %(points)s.",
            what=value_words("pitch_test", rules.pitch_test),
            points=points,
        )
    if rules.special_bid == "moon":
        return _(
            "A moon outranks every bid and promises all %(points)s points. Make it with a score of zero or more and "
            "you win the game at once. Make it from below zero and your score goes up to 0. If it fails, you lose the "
            "game.",
            points=points,
        )
    return ""


def _pitch_fails(rules: Ruleset) -> str:
    if rules.special_bid != "pitch":
        return ""
    points = sum(category.value for category in rules.categories)
    fails = _("If a pitch fails, you lose %(points)s.", points=points)
    if rules.pitch_test == "points":
        fails += " " + _("It also fails if fewer than %(points)s points are out.", points=points)
    return fails


_PITCH_SOURCE = {
    "points": N_("In the published rules, a pitch promises four tricks, not all the points."),
    "tricks": N_("The published rules say the same."),
    "tricks_all": N_("The published rules ask for only four tricks."),
}


def _pitch_source(rules: Ruleset) -> str:
    published = rules.special_bid == "pitch" and PRESETS[rules.preset].special_bid == "pitch"
    return _(_PITCH_SOURCE[rules.pitch_test]) if published else ""


def _points(rules: Ruleset) -> str:
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
    single = join_names([spoken(category.label) for category in rules.categories if category.value == 1])
    more = [
        _("%(point)s is worth %(value)s.", point=spoken(c.label), value=c.value)
        for c in rules.categories
        if c.value > 1
    ]
    return " ".join((_("Points in a hand: %(points)s, 1 each.", points=single), *more))


_DEFINED = {
    "high": N_("High: win the highest trump in play."),
    "low": N_("Low: win the lowest trump in play."),
    "jack": N_("Jack: win the jack of trump."),
    "right": N_("Right: win the jack of trump."),
    "left": N_("Left: win the other jack of the same color."),
    "off_jack": N_("Off jack: win the other jack of the same color, a trump just below the jack."),
    "high_joker": N_("High joker and Low joker: win the two jokers, trumps just above the ten."),
    "ace": N_("Ace and Ten: win the ace and the ten of trump."),
    "two": N_("Two: be dealt the two of trump. It counts for you no matter who wins it."),
    "three": N_("Three: win the three of trump."),
}
"""How to score each point; one sentence covers both jokers, and one the ace and the ten."""
_MAY_BE_OUT = {
    "jack": N_("If nobody was dealt it, nobody scores it."),
    "right": N_("If it’s buried, nobody scores it."),
    "left": N_("If it’s buried, nobody scores it."),
    "off_jack": N_("If nobody was dealt it, nobody scores it."),
    "high_joker": N_("If nobody was dealt a joker, nobody scores it."),
    "three": N_("If nobody was dealt it, nobody scores it."),
}


def _definition(key: str) -> Sentence:
    """Return the sentence that says who scores a point, and that its card may not have been dealt."""

    def sentence(rules: Ruleset) -> str:
        category = next((each for each in rules.categories if each.key == key), None)
        if category is None:
            return ""
        defined = _(_DEFINED[key])
        if key == "low" and rules.low == "dealt":
            defined = _("Low: be dealt the lowest trump in play. It counts for you no matter who wins it.")
        return defined if category.always else f"{defined} {_(_MAY_BE_OUT[key])}"

    return sentence


_DEFINITIONS = {key: _definition(key) for key in _DEFINED}


_GAME_TIES = {
    "nobody": N_("Tie for Game: nobody gets the point."),
    "bidder": N_("Tie for Game, even 0 to 0: the bidder’s side gets the point if it’s in the tie."),
    "defenders": N_("Tie for Game, even 0 to 0: the defenders get the point."),
}


def _game(rules: Ruleset) -> str:
    if why_unused(rules, "game_minimum"):
        return ""
    parts = [_("Game: win the most card points. A ten counts 10, an ace 4, a king 3, a queen 2 and a jack 1.")]
    if rules.game_minimum:
        parts.append(_("It takes at least %(points)s; otherwise nobody scores Game.", points=rules.game_minimum))
    if not rules.trump_jack_counts:
        parts.append(_("The jack of trump doesn’t count."))
    if rules.game_tie != "nobody" or not untied_game_minimum(rules):
        parts.append(_(_GAME_TIES[rules.game_tie]))
    return " ".join(parts)


def _made(rules: Ruleset) -> str:
    return _(
        "Make your bid and you score every point you took, even above the bid. Defenders always score what they take."
    )


_SETS = {
    "bid": N_("Miss your bid and you’re set: you score nothing and lose the amount of the bid."),
    "double_shortfall": N_(
        "Miss your bid and you’re set: you score nothing and lose double the points you were short."
    ),
}


def _set(rules: Ruleset) -> str:
    floor = _("A set can’t take you below zero.") if rules.negative == "floor_zero" else _("Scores can go below zero.")
    return f"{_(_SETS[rules.set_penalty])} {floor}"


def _has_called(rules: Ruleset) -> bool:
    return any(seating.kind == "called" for seating in rules.seatings)


def _called(rules: Ruleset) -> str:
    if not _has_called(rules):
        return ""
    return _(
        "With five players, the bidder names a trump card. The player holding it is the bidder’s partner for the "
        "hand. If they’re set, each of them pays the full penalty."
    )


def _plays_alone(rules: Ruleset) -> str:
    return _("Name a card you hold yourself and you play alone.") if _has_called(rules) else ""


_BID_OUT = {
    "make": N_(
        "You win when you make your bid, have %(target)s or more, and lead by at least %(points)s. Otherwise play on."
    ),
    "take": N_(
        "You win when you had the bid, made or not, have %(target)s or more, and lead by at least %(points)s. "
        "Otherwise play on."
    ),
}
_BIDDER_FIRST = N_(
    "Make your bid and reach %(target)s to win, no matter what the others have. Otherwise the highest score of "
    "%(target)s or more wins."
)
_HIGHEST = N_("The highest score of %(target)s or more wins, bidder or not.")
_HIGHEST_AHEAD = N_("High score wins once it’s %(target)s or more and at least %(points)s ahead, bidder or not.")


def _wins(rules: Ruleset) -> str:
    if rules.finish == "fixed_hands":
        return ngettext(
            "High score after %(num)s hand wins. A thrown-in hand doesn’t count.",
            "High score after %(num)s hands wins. Thrown-in hands don’t count.",
            rules.hands_limit or 0,
        )
    if rules.finish == "bid_out":
        template = _BID_OUT[rules.go_out]
    elif rules.finish == "bidder_first":
        template = _BIDDER_FIRST
    else:
        template = _HIGHEST_AHEAD if rules.win_by > 1 else _HIGHEST
    return _(template, target=rules.target, points=rules.win_by)


def _ties(rules: Ruleset) -> str:
    if rules.finish == "bid_out":
        return ""
    if rules.finish != "highest" or rules.tie == "play_on":
        return _("Tied for the lead? Play on.")
    if rules.tie == "bidder":
        return _("Tied for the lead? The bidder’s side wins if it’s in the tie; otherwise play on.")
    if rules.tie_break_round == "decides":
        return _(
            "Tied for the lead? Play one more hand; then high score wins, even below %(target)s.", target=rules.target
        )
    return _("Tied for the lead? Play one more hand; it still takes %(target)s to win.", target=rules.target)


def _own(key: str) -> Sentence:
    """Return the sentence that stands in the entry of the option `key`."""

    def sentence(rules: Ruleset) -> str:
        card, value = OPTIONS[key].card, getattr(rules, key)
        if isinstance(card, Phrase):
            card = {} if value == OPTIONS[key].default else {value: card}
        template = card[value] if card and value in card and why_unused(rules, key) is None else ""
        return _(template, value=value_words(key, value)) if template else ""

    return sentence


_FIRST_LINES: dict[str, tuple[Sentence, ...]] = {
    NEEDED: (_players, _pack),
    THE_DEAL: (_deal, _after_deal, _passes, coke_hand_text),
    BIDDING: (
        *(_bids, _first_bid, _higher, _auction, _dealer, _all_pass),
        *(_special, _pitch_fails, _pitch_source),
    ),
    THE_PLAY: (_lead, _no_trump, _cards, _follow, _trick, _called, _plays_alone),
    POINTS: (_points, *_DEFINITIONS.values(), _game),
    SCORING: (_made, _set),
    THE_END: (_wins, _ties),
}
"""Lines about no option or several; those of single options follow."""
SECTIONS: Mapping[str, tuple[Sentence, ...]] = {
    heading: (*lines, *(_own(key) for key, option in OPTIONS.items() if option.section == heading))
    for heading, lines in _FIRST_LINES.items()
}
TOPICS: Mapping[Topic, Sentence] = {
    "deal_passes": _passes,
    "bids": _bids,
    "higher": _higher,
    "auction": _auction,
    "all_pass": _all_pass,
    "special_bid": _special,
    "pitch_fails": _pitch_fails,
    "low": _DEFINITIONS["low"],
    "plays_alone": _plays_alone,
    "winning": _wins,
    "ties": _ties,
}
"""The line that each topic of `Parts.decided` names."""
