"""Make the rule card of a table: one page with the table's rules in plain words, to settle arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import groupby
from operator import itemgetter

from scorekeeper.games.pages.common import GameFacts, HouseRuleLine, RuleCardPage, RuleLine, RuleSection
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.ruleset_labels import (
    differences,
    numbers_text,
    players_line,
    rules_line,
    teams_lines,
    value_words,
)
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules.explain import untied_game_minimum
from scorekeeper.rules.options import BIDDING, NEEDED, OPTIONS, POINTS, SCORING, THE_DEAL, THE_END, THE_PLAY
from scorekeeper.rules.parts import Category, Topic
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, why_unused
from scorekeeper.rules.scoring import lead_to_win

Sentence = Callable[[Ruleset], str]
NOT_HERE, NOT_USUAL = N_("Doesn't apply."), N_("No rule for this.")


def rule_card(rules: Ruleset, *, game_id: str = "", facts: GameFacts | None = None) -> RuleCardPage:
    """Return the rules as a page. Each rule that differs from the usual rules is listed together with the usual rule.

    `game_id` is the public id of a game, or "" for the usual rules of a kind of game. `facts` is what simulated hands
    say about the game, if the page is to show it.
    """
    usual = PRESETS[rules.preset]
    return RuleCardPage(
        title=_("How to play %(game)s", game=spoken(rules.name)),
        summary=f"{rules_line(rules)}.",
        sections=tuple(
            RuleSection(spoken(heading), lines)
            for heading, sentences in SECTIONS.items()
            if (lines := _lines(rules, usual, sentences))
        ),
        house=tuple(HouseRuleLine(usual=theirs, ours=ours) for theirs, ours in differences(rules)),
        game_id=game_id,
        preset=rules.preset,
        has_game=not why_unused(rules, "game_minimum"),
        facts=facts,
    )


def short_rules(rules: Ruleset) -> tuple[str, ...]:
    """Return sentences about the rules that players look up while they score.

    The sentences are about the goal, the bids, and the cost of a set. In a game without bidding, the sentences are
    about the goal, and the points for the jack and the turned-up card.
    """
    asked = (_bids, _dealer, _all_pass, _set, _own("hang_jack"), _own("turned_up_points"))
    lines = (f"{rules_line(rules)}.", *(sentence(rules) for sentence in asked))
    return tuple(line for line in lines if line)


def _lines(rules: Ruleset, usual: Ruleset, sentences: Sequence[Sentence]) -> tuple[RuleLine, ...]:
    lines = []
    decided = {_misdeal, *(TOPICS[topic] for topic in rules.decided)}
    for sentence in sentences:
        ours, theirs = sentence(rules), sentence(usual)
        if ours or theirs:
            differs = ours != theirs
            usually = (theirs or _(NOT_USUAL)) if differs else ""
            lines.append(RuleLine(ours or _(NOT_HERE), differs, usually, not differs and sentence in decided))
    return tuple(lines)


def _players(rules: Ruleset) -> str:
    return " ".join((f"{players_line(rules)}.", *teams_lines(rules), *_seats(rules)))


def _seats(rules: Ruleset) -> Iterator[str]:
    """Yield sentences that tell where partners sit."""
    sizes = {seating.players // seating.teams for seating in rules.seatings if seating.kind == "partners"}
    if sizes - {2}:
        yield _("Partners sit across from each other; in teams of three or four, they take every other seat.")
    elif sizes:
        yield _("Partners sit across from each other.")


_PACKS = (
    N_("A standard 52-card deck."),
    N_("A standard 52-card deck and a joker."),
    N_("A standard 52-card deck and two jokers, one high and one low."),
)
"""Sentences about the deck, by the number of jokers in it. They are not used for a game with its own sentence."""
_ADDED = ("", N_("Add a joker."), N_("Add two jokers, one high and one low."))


def _pack(rules: Ruleset) -> str:
    if not rules.play.pack:
        return _(_PACKS[rules.jokers])
    return " ".join(filter(None, (spoken(rules.play.pack), _(_ADDED[rules.jokers]) if rules.jokers else "")))


def _deal(rules: Ruleset) -> str:
    if rules.play.deal:
        return spoken(rules.play.deal)
    template = N_("Deal %(cards)s cards to each player.")
    if rules.play.batch:
        template = N_("Deal %(cards)s cards to each player, %(batch)s at a time.")
    return " ".join((_(template, **_counts(rules)), *_fewer_cards(rules)))


def _fewer_cards(rules: Ruleset) -> Iterator[str]:
    """Yield a sentence such as "With 7 players, deal 6 to each." for each unusual number of cards."""
    dealt = sorted({(each.players, rules.cards_for(each.players)) for each in rules.seatings})
    fewer = [(players, cards) for players, cards in dealt if cards != rules.cards_each]
    for cards, group in groupby(fewer, key=itemgetter(1)):
        players = numbers_text(players for players, _cards in group)
        yield _("With %(players)s players, deal %(cards)s to each.", players=players, cards=cards)


def _counts(rules: Ruleset) -> dict[str, int]:
    return {"cards": rules.cards_each, "batch": rules.play.batch, "tricks": rules.tricks}


def _after_deal(rules: Ruleset) -> str:
    return spoken(rules.play.after_deal)


def _deck_runs_out(rules: Ruleset) -> str:
    return spoken(rules.play.deck_runs_out)


_TOO_MANY = {
    True: N_(
        "If more than %(kept)s of your trumps score, discard down to %(kept)s anyway, and add the discarded ones to "
        "the cards that your side wins."
    ),
    False: N_(
        "If more than %(kept)s of your trumps score, discard down to %(kept)s anyway; nobody scores the discarded ones."
    ),
}
"""What players do with scoring trumps that they can't keep. The key says whether every point is taken in every hand."""


def _discards(rules: Ruleset) -> str:
    scoring = sum(1 for category in rules.categories if category.card or category.key != "game")
    if not rules.discard_to or scoring <= rules.discard_to:
        return ""
    return _(_TOO_MANY[all(category.always for category in rules.categories)], kept=rules.discard_to)


def _passes(rules: Ruleset) -> str:
    return _("After every hand the deal passes to the left.")


def _misdeal(rules: Ruleset) -> str:
    return _("After a misdeal, the same dealer deals again.")


_COKE_HANDS = {
    "none": "",
    "ten_or_two": N_("Coke hand: if you have nothing above a nine and no twos, you may ask for new cards."),
    "ten": N_("Coke hand: if you have nothing above a nine (twos are fine), you may ask for new cards."),
}


def coke_hand_text(rules: Ruleset) -> str:
    """Return a sentence about when a player may ask for new cards, or "" if the rules have no coke hands."""
    return _(template) if (template := _COKE_HANDS[rules.redeal]) else ""


def _lead(rules: Ruleset) -> str:
    return spoken(rules.play.lead)


def _follow(rules: Ruleset) -> str:
    if rules.trump_any_time:
        return _("Follow suit if you can, but you may play trump any time.")
    if rules.play.trumps_only:
        return _("Only trumps are played. When you run out of trumps, you're out of the hand.")
    return _("Follow suit if you can. If you're out of that suit, you may play trump or any other card.")


def _trick(rules: Ruleset) -> str:
    if rules.play.trumps_only and not rules.trump_any_time:
        return _(
            "The highest trump wins the trick. The winner leads next; if they have no trump left, the next player who "
            "has one leads."
        )
    wins = _(
        "The highest trump wins the trick, or the highest card of the suit led if nobody played trump. The winner "
        "leads next."
    )
    if not rules.tricks or rules.play.trumps_only or rules.play.deal:
        return wins
    return wins + " " + _("There are %(tricks)s tricks in a hand.", **_counts(rules))


def _ranks(rules: Ruleset) -> str:
    return (
        _("The ace is the highest card of a suit, then king, queen, jack, ten and so on down.") if rules.ranks else ""
    )


def _cards(rules: Ruleset) -> str:
    play = rules.play
    told = "" if play.cards_of and not rules.counts(play.cards_of) else spoken(play.cards)
    if rules.counts("joker") and play.cards_of != "joker":
        told += " " + _("The joker is a trump. It ranks between the jacks and the ten.")
    return told.strip()


def _no_trump(rules: Ruleset) -> str:
    if not rules.hand_totals:
        return ""
    if rules.no_trump:
        return _("The bidder may also choose to play with no trump suit, and then leads any card.")
    return _("Playing with no trump isn't allowed.")


def _without_trump(rules: Ruleset) -> str:
    if not rules.no_trump:
        return ""
    return _(
        "With no trump, S/S belongs to no suit and can't win a trick. If it's led, the next card sets the suit. With "
        "five players, the bidder may then name any card as the partner's."
    )


def _where_they_bid(sentence: Sentence) -> Sentence:
    """Return a function that returns "" for games without bidding, and otherwise does the same as `sentence`."""

    @wraps(sentence)
    def told(rules: Ruleset) -> str:
        return sentence(rules) if rules.has_bids else ""

    return told


@_where_they_bid
def _bids(rules: Ruleset) -> str:
    if rules.bid_max is None:
        return _("Bid from %(lowest)s up to all the points in the hand, or pass.", lowest=rules.bid_min)
    return _("Bid from %(lowest)s to %(highest)s, or pass.", lowest=rules.bid_min, highest=rules.bid_max)


@_where_they_bid
def _first_bid(rules: Ruleset) -> str:
    return _("The player to the dealer's left bids first.")


@_where_they_bid
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


@_where_they_bid
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


@_where_they_bid
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


@_where_they_bid
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
    if not _has_called(rules) and not rules.may_call:
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


@_where_they_bid
def _set(rules: Ruleset) -> str:
    floor = _("A set can't take you below zero.") if rules.negative == "floor_zero" else _("Scores can go below zero.")
    return f"{_(_SETS[rules.set_penalty])} {floor}"


def _more(rules: Ruleset) -> str:
    return spoken(rules.play.more)


def _has_called(rules: Ruleset) -> bool:
    return rules.called_partner if rules.may_call else any(seating.kind == "called" for seating in rules.seatings)


def _called(rules: Ruleset) -> str:
    if not _has_called(rules) and not rules.may_call:
        return ""
    called = _(
        "The bidder names a trump card. The player holding it is the bidder's partner for the hand. The bidder and the "
        "partner each score everything the two of them take. The rest are one side for the hand: each of them scores "
        "everything that side takes. If the bid fails, the bidder and the partner each pay the full penalty."
    )
    if rules.hand_totals:
        return " ".join((_("With five players, the bidder calls a partner."), called))
    if rules.play.call:
        called = " ".join((called, spoken(rules.play.call)))
    if _has_called(rules):
        return called
    return " ".join((_("With five players, you can play with a called partner."), called))


def _plays_alone(rules: Ruleset) -> str:
    if not _has_called(rules) and not rules.may_call:
        return ""
    return _("If you name a card that you hold yourself, or that nobody holds, you play alone.")


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


def _own(key: str) -> Sentence:
    """Return a function that makes the rule card's sentence about the option `key`.

    The function returns "" if the option needs no sentence or has no effect.
    """

    def sentence(rules: Ruleset) -> str:
        card, value = OPTIONS[key].card, getattr(rules, key)
        if isinstance(card, Phrase):
            card = {} if value == OPTIONS[key].default else {value: card}
        template = card[value] if card and value in card and why_unused(rules, key) is None else ""
        return _(template, value=value_words(key, value)) if template else ""

    return sentence


_FIRST_LINES: dict[str, tuple[Sentence, ...]] = {
    NEEDED: (_players, _pack),
    THE_DEAL: (_deal, _after_deal, _deck_runs_out, _discards, _passes, _misdeal, coke_hand_text),
    BIDDING: (
        *(_bids, _first_bid, _higher, _auction, _dealer, _all_pass),
        *(_special, _moon_fails, _pitch_fails, _pitch_source),
    ),
    THE_PLAY: (_lead, _no_trump, _without_trump, _ranks, _cards, _follow, _trick, _called, _plays_alone, _more),
    POINTS: (points_line, *_DEFINITIONS.values(), _game),
    SCORING: (_made, _set),
    THE_END: (_wins, _ties),
}
"""Functions for the first lines of each section, by the heading of the section.

These lines are about several options or about none. `SECTIONS` adds the lines that are about a single option.
"""
SECTIONS: Mapping[str, tuple[Sentence, ...]] = {
    heading: (*lines, *(_own(key) for key, option in OPTIONS.items() if option.section == heading))
    for heading, lines in _FIRST_LINES.items()
}
TOPICS: Mapping[Topic, Sentence] = {
    "pack": _pack,
    "deal": _deal,
    "after_deal": _after_deal,
    "deck_runs_out": _deck_runs_out,
    "discards": _discards,
    "deal_passes": _passes,
    "bids": _bids,
    "higher": _higher,
    "auction": _auction,
    "dealer": _dealer,
    "all_pass": _all_pass,
    "special_bid": _special,
    "moon_fails": _moon_fails,
    "pitch_fails": _pitch_fails,
    "follow": _follow,
    "trick": _trick,
    "no_trump": _without_trump,
    "points": points_line,
    "low": _DEFINITIONS["low"],
    "game": _game,
    "made": _made,
    "set": _set,
    "called": _called,
    "plays_alone": _plays_alone,
    "winning": _wins,
    "ties": _ties,
}
"""The function that returns the rule card's line about a topic, for each topic that `Parts.decided` may contain."""
