"""Say the rules of the deal and of the play in plain words, for the rule card."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.ruleset_labels import numbers_text, players_line, teams_lines
from scorekeeper.rules.options import NEEDED, THE_DEAL, THE_PLAY
from scorekeeper.rules.parts import Topic
from scorekeeper.rules.ruleset import Ruleset

Sentence = Callable[[Ruleset], str]
"""Makes a line of the rule card, or "" if there is nothing to say."""


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


def misdeal(rules: Ruleset) -> str:
    """Return a sentence about who deals after a misdeal."""
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


def _more(rules: Ruleset) -> str:
    return spoken(rules.play.more)


def has_called(rules: Ruleset) -> bool:
    """Return whether the bidder calls a partner, with any number of players."""
    return rules.called_partner if rules.may_call else any(seating.kind == "called" for seating in rules.seatings)


def _called(rules: Ruleset) -> str:
    if not has_called(rules) and not rules.may_call:
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
    if has_called(rules):
        return called
    return " ".join((_("With five players, you can play with a called partner."), called))


def _plays_alone(rules: Ruleset) -> str:
    if not has_called(rules) and not rules.may_call:
        return ""
    return _("If you name a card that you hold yourself, or that nobody holds, you play alone.")


LINES: Mapping[str, tuple[Sentence, ...]] = {
    NEEDED: (_players, _pack),
    THE_DEAL: (_deal, _after_deal, _deck_runs_out, _discards, _passes, misdeal, coke_hand_text),
    THE_PLAY: (_lead, _no_trump, _without_trump, _ranks, _cards, _follow, _trick, _called, _plays_alone, _more),
}
"""The first lines of each section, by its heading. They are about several options or about none."""
TOPICS: Mapping[Topic, Sentence] = {
    "pack": _pack,
    "deal": _deal,
    "after_deal": _after_deal,
    "deck_runs_out": _deck_runs_out,
    "discards": _discards,
    "deal_passes": _passes,
    "follow": _follow,
    "trick": _trick,
    "no_trump": _without_trump,
    "called": _called,
    "plays_alone": _plays_alone,
}
"""The line about each topic that `Parts.decided` may contain."""
