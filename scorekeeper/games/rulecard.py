"""The rule card of a table: one page in plain language, made from its ruleset, to settle arguments with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorekeeper.games import pages
from scorekeeper.language import N_, _, spoken
from scorekeeper.option_words import house_rules, players_line, rules_line, value_words
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, why_unused
from scorekeeper.wording import join_names

Sentence = Callable[[Ruleset], str]
NOT_HERE, NOT_USUAL = N_("Not played here."), N_("No such rule.")


def rule_card(rules: Ruleset, *, game_id: str = "") -> pages.RuleCardPage:
    """Return the rules as a page; each line that differs from the usual rules says how those go."""
    usual = PRESETS[rules.preset]
    return pages.RuleCardPage(
        title=_("The rules of %(game)s", game=spoken(rules.name)),
        summary=f"{rules_line(rules)}. {players_line(rules)}.",
        sections=tuple(
            pages.RuleSection(_(heading), _lines(rules, usual, sentences)) for heading, sentences in SECTIONS.items()
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
            lines.append(pages.RuleLine(ours or _(NOT_HERE), differs, (theirs or _(NOT_USUAL)) if differs else ""))
    return tuple(lines)


def _deal(rules: Ruleset) -> str:
    return spoken(rules.play.deal) + " " + _("The deal passes to the left after every hand.")


def _redeal(rules: Ruleset) -> str:
    return {
        "none": "",
        "ten_or_two": _("Coke hand: who has no ten or higher and no two may show the hand and get a new one."),
        "ten": _("Coke hand: who has no ten or higher, twos or not, may show the hand and get a new one."),
    }[rules.redeal]


def _draw(rules: Ruleset) -> str:
    return _("Before play each player may change up to four cards, five with an ace.") if rules.draw else ""


def _trump_any_time(rules: Ruleset) -> str:
    if rules.trump_any_time:
        return _("Follow suit if you can, but trump may be played at any time.")
    return _("Follow suit if you can; only a player who has none of the suit led may play trump.")


def _play(rules: Ruleset) -> str:
    return f"{spoken(rules.play.trump)} {spoken(rules.play.lead)}"


def _cards(rules: Ruleset) -> str:
    return spoken(rules.play.cards)


def _no_trump(rules: Ruleset) -> str:
    if not rules.hand_totals:
        return ""
    return _("The bidder may name no trump.") if rules.no_trump else _("No trump may not be named.")


def _bids(rules: Ruleset) -> str:
    return _(
        "Bids go from %(lowest)s to %(highest)s, starting left of the dealer; each must be higher than the last.",
        lowest=rules.bid_min,
        highest=_("all points of the hand") if rules.bid_max is None else rules.bid_max,
    )


def _auction(rules: Ruleset) -> str:
    ends = _("the highest bid ends it at once") if rules.stop_at_max else _("it goes on after the highest bid")
    if rules.auction == "once_around":
        return _("Everybody calls once, the dealer last; %(ends)s.", ends=ends)
    return _("The bidding goes round until all others have passed; who passed is out; %(ends)s.", ends=ends)


def _dealer(rules: Ruleset) -> str:
    if rules.auction != "once_around":
        return ""
    if not rules.dealer_matches:
        return _("The dealer must bid more than the others to take the bid.")
    highest = _("even the highest") if rules.dealer_may_match_max else _("but not the highest")
    raises = _("and may bid more") if rules.dealer_raises else _("but may not bid more")
    return _("The dealer may take the bid by matching it, %(highest)s, %(raises)s.", highest=highest, raises=raises)


def _all_pass(rules: Ruleset) -> str:
    if rules.forced_bid is not None:
        template = N_("When everybody else passes, the dealer must bid %(bid)s.")
        if not rules.dealer_raises:
            template = N_("When everybody else passes, the dealer must bid exactly %(bid)s.")
        return _(template, bid=rules.forced_bid)
    redeal = value_words("redeal_by", rules.redeal_by)
    return _("When everybody passes, the hand is thrown in and %(redeal)s.", redeal=redeal)


def _special(rules: Ruleset) -> str:
    if rules.special_bid == "pitch":
        return _(
            "A pitch is above every number and promises %(what)s. Made from zero or above it wins the game at once; "
            "made from below zero it scores 4; failed it costs 4.",
            what=value_words("pitch_test", rules.pitch_test),
        )
    if rules.special_bid == "moon":
        return _(
            "A moon is above every number and promises every point. Made from zero or above it wins the game at once; "
            "made from below zero it brings the score to 0; failed it loses the game."
        )
    return ""


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


def _low(rules: Ruleset) -> str:
    if why_unused(rules, "low"):
        return ""
    return _("High goes to whoever takes the highest trump in play, Low to %(who)s.", who=value_words("low", rules.low))


def _game(rules: Ruleset) -> str:
    if why_unused(rules, "game_minimum"):
        return ""
    template = N_("Game: ten 10, ace 4, king 3, queen 2, jack 1; most card points take it.")
    if rules.game_minimum:
        template = N_(
            "Game: ten 10, ace 4, king 3, queen 2, jack 1; most card points take it; it takes at least %(points)s."
        )
    told = _(template, points=rules.game_minimum)
    return told if rules.trump_jack_counts else told + " " + _("The jack of trump counts nothing here.")


def _game_tie(rules: Ruleset) -> str:
    if why_unused(rules, "game_tie"):
        return ""
    return _("Card points tied: Game goes to %(who)s.", who=value_words("game_tie", rules.game_tie))


def _made(rules: Ruleset) -> str:
    return _("Who makes the bid scores everything taken, also above the bid. The others always score what they take.")


def _set(rules: Ruleset) -> str:
    told = _(
        "Who does not make the bid is set: nothing taken counts, and it costs %(costs)s.",
        costs=value_words("set_penalty", rules.set_penalty),
    )
    if rules.negative == "floor_zero":
        return told + " " + _("A score does not go below zero that way.")
    return told + " " + _("Scores go below zero.")


def _called(rules: Ruleset) -> str:
    if not any(seating.kind == "called" for seating in rules.seatings):
        return ""
    return _(
        "With five, the bidder names a trump card: who holds it is the partner for the hand, and both get the score or "
        "the full penalty. Whoever names a card of the own hand plays alone."
    )


_BID_OUT = {
    "make": N_(
        "The game ends when the side that made the bid has %(target)s or more and %(leads)s, all at that moment. "
        "Anybody else plays on."
    ),
    "take": N_(
        "The game ends when the side that took the bid has %(target)s or more and %(leads)s, all at that moment. "
        "Anybody else plays on."
    ),
}
_WINS = {
    "bidder_first": N_(
        "Who makes the bid and has %(target)s or more wins, whatever the others have. "
        "Otherwise the highest at %(target)s or above wins."
    ),
    "highest": N_("The highest score at %(target)s or above wins, bidder or not."),
    "fixed_hands": N_("After %(hands)s hands the highest score wins; thrown-in hands do not count."),
}
_HIGHEST_AHEAD = N_("The highest score at %(target)s or above and %(leads)s wins, bidder or not.")


def _wins(rules: Ruleset) -> str:
    leads = _("leads by %(points)s", points=rules.win_by) if rules.win_by > 1 else _("leads")
    template = _BID_OUT[rules.go_out] if rules.finish == "bid_out" else _WINS[rules.finish]
    if rules.finish == "highest" and rules.win_by > 1:
        template = _HIGHEST_AHEAD
    return _(template, target=rules.target, leads=leads, hands=rules.hands_limit)


def _level(rules: Ruleset) -> str:
    if rules.finish != "highest":
        return _("Level at the top: play on.")
    if rules.tie == "one_more_hand":
        after = (
            _("the highest score wins")
            if rules.tie_break_round == "decides"
            else _("it still takes %(target)s", target=rules.target)
        )
        return _("Level at the top: one more hand, after which %(after)s.", after=after)
    return _("Level at the top: %(then)s.", then=value_words("tie", rules.tie))


def _max_sets(rules: Ruleset) -> str:
    if rules.max_sets is None:
        return ""
    return _("A side that is set %(sets)s times loses at once.", sets=rules.max_sets)


SECTIONS: dict[str, tuple[Sentence, ...]] = {
    N_("The deal"): (_deal, _redeal, _draw),
    N_("Bidding"): (_bids, _auction, _dealer, _all_pass, _special),
    N_("Play"): (_play, _cards, _no_trump, _trump_any_time, _called),
    N_("Points"): (_points, _low, _game, _game_tie),
    N_("Scoring"): (_made, _set),
    N_("The end"): (_wins, _level, _max_sets),
}
