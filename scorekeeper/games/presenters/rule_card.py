"""The rule card of a table: one page in plain language, made from its ruleset, to settle arguments with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scorekeeper.games import pages
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.ruleset_labels import house_rules, players_line, rules_line, value_words
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules.options import BIDDING, OPTIONS, POINTS, SCORING, THE_DEAL, THE_END, THE_PLAY
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, why_unused

Sentence = Callable[[Ruleset], str]
NOT_HERE, NOT_USUAL = N_("Not played here."), N_("No such rule.")


def rule_card(rules: Ruleset, *, game_id: str = "") -> pages.RuleCardPage:
    """Return the rules as a page; each line that differs from the usual rules says how those go."""
    usual = PRESETS[rules.preset]
    return pages.RuleCardPage(
        title=_("The rules of %(game)s", game=spoken(rules.name)),
        summary=f"{rules_line(rules)}. {players_line(rules)}.",
        sections=tuple(
            pages.RuleSection(spoken(heading), _lines(rules, usual, sentences))
            for heading, sentences in SECTIONS.items()
        ),
        house=house_rules(rules),
        game_id=game_id,
        preset=rules.preset,
    )


def short_rules(rules: Ruleset) -> tuple[str, ...]:
    """Return the rules that a table looks up while it writes: the goal, the bids, and what a set costs."""
    told = (f"{rules_line(rules)}.", *(sentence(rules) for sentence in (_bids, _dealer, _all_pass, _set)))
    return tuple(sentence for sentence in told if sentence)


def _lines(rules: Ruleset, usual: Ruleset, sentences: Sequence[Sentence]) -> tuple[pages.RuleLine, ...]:
    lines = []
    for sentence in sentences:
        ours, theirs = sentence(rules), sentence(usual)
        if ours or theirs:
            differs = ours != theirs
            decided = not differs and sentence in DECIDED.get(rules.preset, ())
            usually = (theirs or _(NOT_USUAL)) if differs else ""
            lines.append(pages.RuleLine(ours or _(NOT_HERE), differs, usually, decided))
    return tuple(lines)


def _deal(rules: Ruleset) -> str:
    return spoken(rules.play.deal)


def _passes(rules: Ruleset) -> str:
    return _("The deal passes to the left after every hand.")


def _redeal(rules: Ruleset) -> str:
    new = _("six new cards") if rules.cards_each == 6 else _("a new hand")
    return {
        "none": "",
        "ten_or_two": _(
            "Coke hand: a player with no card of ten or higher, and no two, may ask for %(new)s.",
            new=new,
        ),
        "ten": _("Coke hand: a player with no card of ten or higher, twos or not, may ask for %(new)s.", new=new),
    }[rules.redeal]


def _follow(rules: Ruleset) -> str:
    if rules.trump_any_time:
        return _("Follow suit if you can, but trump may be played at any time.")
    if rules.play.follow:
        return spoken(rules.play.follow)
    return _("Follow suit if you can; only a player who has none of the suit led may play trump.")


def _play(rules: Ruleset) -> str:
    return f"{spoken(rules.play.trump)} {spoken(rules.play.lead)}"


def _cards(rules: Ruleset) -> str:
    return spoken(rules.play.cards)


def _no_trump(rules: Ruleset) -> str:
    if not rules.hand_totals:
        return ""
    if rules.no_trump:
        return _("The bidder may also choose to play without trump.")
    return _("Playing without trump is not allowed.")


def _bids(rules: Ruleset) -> str:
    highest = _("all points of the hand") if rules.bid_max is None else rules.bid_max
    return _("Bids go from %(lowest)s to %(highest)s.", lowest=rules.bid_min, highest=highest)


def _first_bid(rules: Ruleset) -> str:
    return _("The player to the left of the dealer bids first.")


def _higher(rules: Ruleset) -> str:
    return _("Each bid must be higher than the last.")


_AUCTIONS = {
    ("once_around", True): N_(
        "Everybody bids or passes once, the dealer last. The highest bid ends the bidding at once."
    ),
    ("once_around", False): N_("Everybody bids or passes once, the dealer last, even after the highest bid."),
    ("until_passed", True): N_(
        "The bidding goes around until all but one have passed. A player who has passed is out. "
        "The highest bid ends the "
        "bidding at once."
    ),
    ("until_passed", False): N_(
        "The bidding goes around until all but one have passed, even after the highest bid. A player who has passed is "
        "out."
    ),
}


def _auction(rules: Ruleset) -> str:
    return _(_AUCTIONS[rules.auction, rules.stop_at_max])


def _dealer(rules: Ruleset) -> str:
    if rules.auction != "once_around":
        return ""
    if not rules.dealer_matches:
        return _("The dealer must bid more than the others to take the bid.")
    highest = _("even the highest") if rules.dealer_may_match_max else _("but not the highest")
    raises = _("and may bid more") if rules.dealer_raises else _("but may not bid more")
    return _("The dealer may take the bid by matching it, %(highest)s, %(raises)s.", highest=highest, raises=raises)


def _all_pass(rules: Ruleset) -> str:
    if rules.forced_bid is None:
        redeal = value_words("redeal_by", rules.redeal_by)
        return _("If everybody passes, the hand is thrown in and %(redeal)s.", redeal=redeal)
    if rules.forced_exactly:
        return _("If everybody else passes, the dealer must bid exactly %(bid)s.", bid=rules.forced_bid)
    return _("If everybody else passes, the dealer must bid at least %(bid)s.", bid=rules.forced_bid)


def _special(rules: Ruleset) -> str:
    points = sum(category.value for category in rules.categories)
    if rules.special_bid == "pitch":
        told = _(
            "A pitch is higher than every number. It promises %(what)s. Made with a score of zero or more, it wins the "
            "game at once.",
            what=value_words("pitch_test", rules.pitch_test),
        )
        return told + " " + _("Made from below zero, it scores %(points)s.", points=points)
    if rules.special_bid == "moon":
        return _(
            "A moon is higher than every number. It promises all %(points)s points. Made with a score of zero or more, "
            "it wins the game at once; made from below zero, it brings the score up to 0. A failed "
            "moon loses the game.",
            points=points,
        )
    return ""


def _pitch_fails(rules: Ruleset) -> str:
    if rules.special_bid != "pitch":
        return ""
    return _("A failed pitch costs %(points)s.", points=sum(category.value for category in rules.categories))


_PITCH_SOURCE = {
    "points": N_("The published rules say that a pitch promises four tricks. This table counts points."),
    "tricks": N_("The published rules say that a pitch promises four tricks. So does this table."),
    "tricks_all": N_("The published rules say that a pitch promises four tricks. This table wants all six."),
}


def _pitch_source(rules: Ruleset) -> str:
    told = rules.special_bid == "pitch" and PRESETS[rules.preset].special_bid == "pitch"
    return _(_PITCH_SOURCE[rules.pitch_test]) if told else ""


def _points(rules: Ruleset) -> str:
    if not rules.categories:
        each = [_("%(total)s with %(players)s", total=total, players=players) for players, total in rules.hand_totals]
        return _(
            "A hand is worth one point a trick and 12 for the red cards: %(totals)s players.", totals=", ".join(each)
        )
    single = join_names([spoken(category.label) for category in rules.categories if category.value == 1])
    told = _("The points of a hand are %(points)s, one each.", points=single)
    more = [
        _("%(point)s counts %(value)s.", point=spoken(c.label), value=c.value) for c in rules.categories if c.value > 1
    ]
    return " ".join((told, *more))


_WON = {
    "high": N_("High goes to the winner of the highest trump in play."),
    "low": N_("Low goes to the winner of the lowest trump in play."),
    "jack": N_("Jack goes to the winner of the jack of trump."),
    "right": N_("Right goes to the winner of the jack of trump."),
    "left": N_("Left goes to the winner of the other jack of the same color."),
    "off_jack": N_(
        "Off jack goes to the winner of the other jack of the same color, which is a trump just below the jack."
    ),
    "high_joker": N_(
        "High joker and Low joker go to the winners of the two jokers, which are trumps just above the ten."
    ),
    "ace": N_("Ace and Ten go to the winners of the ace and the ten of trump."),
    "two": N_("Two stays with the player who was dealt the two of trump."),
    "three": N_("Three goes to the winner of the three of trump."),
}
"""Who owns a point, by category; one sentence speaks of both jokers, and of ace and ten."""
_MAY_BE_OUT = {
    "jack": N_("The jack may be out of play; then nobody scores it."),
    "right": N_("The jack may be buried, out of play; then nobody scores it."),
    "left": N_("It may be buried too; then nobody scores it."),
    "off_jack": N_("It may be out of play; then nobody scores it."),
    "high_joker": N_("A joker may be out of play; then nobody scores it."),
    "three": N_("The three may be out of play; then nobody scores it."),
}


def _owner(key: str) -> Sentence:
    """The sentence on who owns a point, and that its card may not have been dealt."""

    def told(rules: Ruleset) -> str:
        category = next((each for each in rules.categories if each.key == key), None)
        if category is None:
            return ""
        says = _(_WON[key])
        if key == "low" and rules.low == "dealt":
            says = _("Low goes to the player who was dealt the lowest trump in play.")
        return says if category.always else f"{says} {_(_MAY_BE_OUT[key])}"

    return told


_OWNERS = {key: _owner(key) for key in _WON}


def _game(rules: Ruleset) -> str:
    if why_unused(rules, "game_minimum"):
        return ""
    told = _("The most card points win Game: ten 10, ace 4, king 3, queen 2, jack 1.")
    if rules.game_minimum:
        told += " " + _("At least %(points)s are needed; otherwise nobody scores Game.", points=rules.game_minimum)
    return told if rules.trump_jack_counts else told + " " + _("The jack of trump counts nothing here.")


def _made(rules: Ruleset) -> str:
    return _(
        "A bidder who makes the bid scores everything they took, even beyond the bid. The others "
        "always score what they "
        "take."
    )


def _set(rules: Ruleset) -> str:
    told = _(
        "A bidder who falls short is set: they score nothing and lose %(costs)s.",
        costs=value_words("set_penalty", rules.set_penalty),
    )
    if rules.negative == "floor_zero":
        return told + " " + _("A set cannot take you below zero.")
    return told + " " + _("Scores can go below zero.")


def _has_called(rules: Ruleset) -> bool:
    return any(seating.kind == "called" for seating in rules.seatings)


def _called(rules: Ruleset) -> str:
    if not _has_called(rules):
        return ""
    return _(
        "With five, the bidder names a trump card. The player who holds it is the partner for the hand, and both get "
        "the score or the full penalty."
    )


def _called_alone(rules: Ruleset) -> str:
    return _("If the bidder holds the named card, the bidder plays alone.") if _has_called(rules) else ""


_BID_OUT = {
    "make": N_(
        "The game ends when the side that made the bid has %(target)s or more and leads by %(points)s or more, all at "
        "that moment. Otherwise play goes on."
    ),
    "take": N_(
        "The game ends when the side that took the bid has %(target)s or more and leads by %(points)s or more, all at "
        "that moment. Otherwise play goes on."
    ),
}
_WINS = {
    "bidder_first": N_(
        "A bidder who makes the bid and has %(target)s or more wins, whatever the others have. "
        "Otherwise the highest score at %(target)s or above wins."
    ),
    "highest": N_("The highest score at %(target)s or above wins, bidder or not."),
    "fixed_hands": N_("After %(hands)s hands the highest score wins; thrown-in hands do not count."),
}
_HIGHEST_AHEAD = N_("The highest score wins once it is %(target)s or more and %(points)s ahead, bidder or not.")


def _wins(rules: Ruleset) -> str:
    template = _BID_OUT[rules.go_out] if rules.finish == "bid_out" else _WINS[rules.finish]
    if rules.finish == "highest" and rules.win_by > 1:
        template = _HIGHEST_AHEAD
    return _(template, target=rules.target, points=rules.win_by, hands=rules.hands_limit)


def _level(rules: Ruleset) -> str:
    if rules.finish == "bid_out":
        return ""
    if rules.finish != "highest":
        return _("Tied at the top: play on.")
    if rules.tie == "one_more_hand":
        if rules.tie_break_round == "decides":
            return _("Tied at the top: one more hand, and then the highest score wins, even below the target.")
        return _("Tied at the top: one more hand, and it still takes %(target)s to win.", target=rules.target)
    return _("Tied at the top: %(then)s.", then=value_words("tie", rules.tie))


def _own(key: str) -> Sentence:
    """The sentence that the option `key` brings with it."""

    def told(rules: Ruleset) -> str:
        card, value = OPTIONS[key].card, getattr(rules, key)
        if isinstance(card, Phrase):
            card = {} if value == OPTIONS[key].default else {value: card}
        says = card[value] if card and value in card and why_unused(rules, key) is None else ""
        return _(says, value=value_words(key, value)) if says else ""

    return told


_OWN_LINES: dict[str, tuple[Sentence, ...]] = {
    THE_DEAL: (_deal, _passes, _redeal),
    BIDDING: (
        *(_bids, _first_bid, _higher, _auction, _dealer, _all_pass),
        *(_special, _pitch_fails, _pitch_source),
    ),
    THE_PLAY: (_play, _no_trump, _cards, _follow, _called, _called_alone),
    POINTS: (_points, *_OWNERS.values(), _game),
    SCORING: (_made, _set),
    THE_END: (_wins, _level),
}
"""What the card says of several options together, and of none; those with a sentence of their own follow."""
SECTIONS: Mapping[str, tuple[Sentence, ...]] = {
    heading: (*lines, *(_own(key) for key, option in OPTIONS.items() if option.section == heading))
    for heading, lines in _OWN_LINES.items()
}

_SETBACK_7 = frozenset((_higher, _all_pass, _wins, _special, _pitch_fails, _pitch_source))
_SOMERSET = frozenset((_passes, _bids, _auction, _all_pass, _called_alone))
DECIDED: Mapping[str, frozenset[Sentence]] = {
    "setback-21": frozenset((_passes, _all_pass, _OWNERS["low"])),
    "bowers-12": frozenset((_passes, _bids, _all_pass, _OWNERS["low"], _wins, _level)),
    "setback-7": _SETBACK_7,
    "setback-7-pitch": _SETBACK_7,
    "somerset-66": _SOMERSET,
    "horsley-66": _SOMERSET,
}
"""The sentences, by game, on which the published rules are silent or unclear: what they say is this app's decision."""
