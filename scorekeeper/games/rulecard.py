"""The rule card of a table: one page in plain language, made from its ruleset, to settle arguments with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorekeeper.games import pages
from scorekeeper.option_words import house_rules, players_line, rules_line, value_words
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, why_unused
from scorekeeper.wording import join_names

Sentence = Callable[[Ruleset], str]
NOT_HERE, NOT_USUAL = "Not played here.", "No such rule."


def rule_card(rules: Ruleset, *, game_id: str = "") -> pages.RuleCardPage:
    """Return the rules as a page; each line that differs from the usual rules says how those go."""
    usual = PRESETS[rules.preset]
    return pages.RuleCardPage(
        title=f"The rules of {rules.name}",
        summary=f"{rules_line(rules)}. {players_line(rules)}.",
        sections=tuple(
            pages.RuleSection(heading, _lines(rules, usual, sentences)) for heading, sentences in SECTIONS.items()
        ),
        house=house_rules(rules),
        game_id=game_id,
    )


def _lines(rules: Ruleset, usual: Ruleset, sentences: Sequence[Sentence]) -> tuple[pages.RuleLine, ...]:
    lines = []
    for sentence in sentences:
        ours, theirs = sentence(rules), sentence(usual)
        if ours or theirs:
            differs = ours != theirs
            lines.append(pages.RuleLine(ours or NOT_HERE, differs, (theirs or NOT_USUAL) if differs else ""))
    return tuple(lines)


def _deal(rules: Ruleset) -> str:
    return f"{rules.play.deal} The deal passes to the left after every hand."


def _redeal(rules: Ruleset) -> str:
    return {
        "none": "",
        "ten_or_two": "Coke hand: who has no ten or higher and no two may show the hand and get a new one.",
        "ten": "Coke hand: who has no ten or higher, twos or not, may show the hand and get a new one.",
    }[rules.redeal]


def _draw(rules: Ruleset) -> str:
    return "Before play each player may change up to four cards, five with an ace." if rules.draw else ""


def _trump_any_time(rules: Ruleset) -> str:
    if rules.trump_any_time:
        return "Follow suit if you can, but trump may be played at any time."
    return "Follow suit if you can; only a player who has none of the suit led may play trump."


def _play(rules: Ruleset) -> str:
    return f"{rules.play.trump} {rules.play.lead}"


def _cards(rules: Ruleset) -> str:
    return rules.play.cards


def _no_trump(rules: Ruleset) -> str:
    if not rules.hand_totals:
        return ""
    return "The bidder may name no trump." if rules.no_trump else "No trump may not be named."


def _bids(rules: Ruleset) -> str:
    top = "all points of the hand" if rules.bid_max is None else str(rules.bid_max)
    return f"Bids go from {rules.bid_min} to {top}, starting left of the dealer; each must be higher than the last."


def _auction(rules: Ruleset) -> str:
    ends = "the highest bid ends it at once" if rules.stop_at_max else "it goes on after the highest bid"
    if rules.auction == "once_around":
        return f"Everybody calls once, the dealer last; {ends}."
    return f"The bidding goes round until all others have passed; who passed is out; {ends}."


def _dealer(rules: Ruleset) -> str:
    if rules.auction != "once_around":
        return ""
    if not rules.dealer_matches:
        return "The dealer must bid more than the others to take the bid."
    highest = "even the highest" if rules.dealer_may_match_max else "but not the highest"
    raises = "and may bid more" if rules.dealer_raises else "but may not bid more"
    return f"The dealer may take the bid by matching it, {highest}, {raises}."


def _all_pass(rules: Ruleset) -> str:
    if rules.forced_bid is not None:
        exactly = "" if rules.dealer_raises else "exactly "
        return f"When everybody else passes, the dealer must bid {exactly}{rules.forced_bid}."
    return f"When everybody passes, the hand is thrown in and {value_words('redeal_by', rules.redeal_by)}."


def _special(rules: Ruleset) -> str:
    if rules.special_bid == "pitch":
        what = value_words("pitch_test", rules.pitch_test)
        return (
            f"A pitch is above every number and promises {what}. Made from zero or above it wins the game at once; "
            "made from below zero it scores 4; failed it costs 4."
        )
    if rules.special_bid == "moon":
        return (
            "A moon is above every number and promises every point. Made from zero or above it wins the game at once; "
            "made from below zero it brings the score to 0; failed it loses the game."
        )
    return ""


def _points(rules: Ruleset) -> str:
    if not rules.categories:
        totals = ", ".join(f"{total} with {players}" for players, total in rules.hand_totals)
        return f"A hand is worth one point a trick and 12 for the red cards: {totals} players."
    single = join_names([category.label for category in rules.categories if category.value == 1])
    more = "".join(f" {c.label} counts {c.value}." for c in rules.categories if c.value > 1)
    return f"The points of a hand are {single}, one each.{more}"


def _low(rules: Ruleset) -> str:
    if why_unused(rules, "low"):
        return ""
    return f"High goes to whoever takes the highest trump in play, Low to {value_words('low', rules.low)}."


def _game(rules: Ruleset) -> str:
    if why_unused(rules, "game_minimum"):
        return ""
    needs = f"; it takes at least {rules.game_minimum}" if rules.game_minimum else ""
    jack = "" if rules.trump_jack_counts else " The jack of trump counts nothing here."
    return f"Game: ten 10, ace 4, king 3, queen 2, jack 1; most card points take it{needs}.{jack}"


def _game_tie(rules: Ruleset) -> str:
    if why_unused(rules, "game_tie"):
        return ""
    return f"Card points tied: Game goes to {value_words('game_tie', rules.game_tie)}."


def _made(rules: Ruleset) -> str:
    return "Who makes the bid scores everything taken, also above the bid. The others always score what they take."


def _set(rules: Ruleset) -> str:
    floor = "A score does not go below zero that way." if rules.negative == "floor_zero" else "Scores go below zero."
    costs = value_words("set_penalty", rules.set_penalty)
    return f"Who does not make the bid is set: nothing taken counts, and it costs {costs}. {floor}"


def _called(rules: Ruleset) -> str:
    if not any(seating.kind == "called" for seating in rules.seatings):
        return ""
    return (
        "With five, the bidder names a trump card: who holds it is the partner for the hand, and both get the score or "
        "the full penalty. Whoever names a card of the own hand plays alone."
    )


def _wins(rules: Ruleset) -> str:
    lead = f" and leads by {rules.win_by}" if rules.win_by > 1 else ""
    return {
        "bid_out": f"The game ends when the side that {'made' if rules.go_out == 'make' else 'took'} the bid has "
        f"{rules.target} or more{lead or ' and leads'}, all at that moment. Anybody else plays on.",
        "bidder_first": f"Who makes the bid and has {rules.target} or more wins, whatever the others have. "
        f"Otherwise the highest at {rules.target} or above wins.",
        "highest": f"The highest score at {rules.target} or above{lead} wins, bidder or not.",
        "fixed_hands": f"After {rules.hands_limit} hands the highest score wins; thrown-in hands do not count.",
    }[rules.finish]


def _level(rules: Ruleset) -> str:
    if rules.finish != "highest":
        return "Level at the top: play on."
    if rules.tie == "one_more_hand":
        after = "the highest score wins" if rules.tie_break_round == "decides" else f"it still takes {rules.target}"
        return f"Level at the top: one more hand, after which {after}."
    return f"Level at the top: {value_words('tie', rules.tie)}."


def _max_sets(rules: Ruleset) -> str:
    return "" if rules.max_sets is None else f"A side that is set {rules.max_sets} times loses at once."


SECTIONS: dict[str, tuple[Sentence, ...]] = {
    "The deal": (_deal, _redeal, _draw),
    "Bidding": (_bids, _auction, _dealer, _all_pass, _special),
    "Play": (_play, _cards, _no_trump, _trump_any_time, _called),
    "Points": (_points, _low, _game, _game_tie),
    "Scoring": (_made, _set),
    "The end": (_wins, _level, _max_sets),
}
