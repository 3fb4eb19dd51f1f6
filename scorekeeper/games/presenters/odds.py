"""Models of the page that shows how a game would have ended with other rules.

Make the page that shows how the win probability changed during a game.

Build the page that shows how a game would have ended with other rules.
"""

from collections.abc import Iterator, Sequence
from math import ceil

from babel.numbers import format_decimal
from msgspec import Struct

from scorekeeper.games.logic.game_odds import HandOdds, Worth, game_odds, has_odds, luck, swings, turning_point
from scorekeeper.games.logic.score_chart import MOST_MARKED, SHAPES
from scorekeeper.games.pages.common import Moment, OddsChart, OddsPage, OddsRow, OddsView
from scorekeeper.games.presenters.snapshot import LETTERS, Snapshot, bid_text
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.i18n.ruleset_labels import as_house_rule, rules_line
from scorekeeper.i18n.sentences import SideName, said, score_text, signed
from scorekeeper.insight.model import STRENGTH, Model, prior_hands
from scorekeeper.insight.odds import WinOdds, is_solved, solved
from scorekeeper.insight.what_if import Ending, ending, other_rules, played_hands
from scorekeeper.rules.game import Game
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import leaders_of
from scorekeeper.web.locale import page_language


class OtherEnd(Struct, frozen=True):
    """How the recorded hands would have ended with another rule."""

    rule: str
    """The rule as a sentence, such as "Win by 2."."""
    side: int | None
    """The side that would have won; None if nobody would have won yet, or at all."""
    letter: str
    """Letter of that side, or ""."""
    winner: str
    """Name of that side, or why there is none."""
    different: bool
    """Whether that side lost the game as it was played."""
    score: str
    hands: int
    """Number of the last hand that would have counted, from 1."""


class WhatIfPage(Struct, frozen=True):
    """The end of a game with other rules, one at a time."""

    game_id: str
    ended: str
    """The winner and why, in a sentence or two; empty before the end."""
    ends: tuple[OtherEnd, ...]
    """The rules with which the game would have ended otherwise."""
    same: tuple[str, ...]
    """The rules with which the same side would have won after the same hand, as sentences."""
    missing: str = ""
    """Why the game can't be replayed with other rules; empty if it can."""
    early: bool = False
    """Whether the players ended the game early, so that the hands don't say who would have won."""


LEFT, RIGHT, TOP, BOTTOM = 44, 306, 12, 132
"""Edges of the drawing, in canvas units. The canvas is 320 units wide and 160 high."""
MOST_TICKS = 12
"""Maximum number of ticks on the horizontal axis."""
RING = "m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0z"
"""SVG path of the ring around the turning point, drawn around (0, 0)."""
LITTLE = 1
"""If a side had more luck by at most this many percentage points, neither side is named."""
MOSTLY = 0.8
"""If at least this share of the hands can be compared with average hands, the page says which side had more luck."""
SET_AND_FELL = N_(
    "Hand {hand} turned it: {side} {side:were|was} set, and their chance of winning fell from {before} to {after}."
)
MADE_AND_ROSE = N_(
    "Hand {hand} turned it: {side} made their bid, and their chance of winning rose from {before} to {after}."
)
MADE_AND_FELL = N_(
    "Hand {hand} turned it: {side} made their bid, but their chance of winning fell from {before} to {after}."
)
ROSE = N_("Hand {hand} turned it: the chance of winning of {side} rose from {before} to {after}.")
"""Sentences about the turning point. `ROSE` is for hands that the others don't fit, such as one with no bidder."""


def needs_solving(snapshot: Snapshot) -> bool:
    """Return whether `odds_page` would have to calculate the win probabilities of a ruleset for the first time."""
    return has_odds(snapshot.game) and not is_solved(snapshot.game.table, snapshot.own)


def odds_page(snapshot: Snapshot) -> OddsPage:
    """Return the page with the win probabilities of a game. If there are none, the page says why.

    Raises `SolvingError` if another thread is calculating win probabilities at the moment.
    """
    game, sides = snapshot.game, snapshot.sides
    named = tuple((index, LETTERS[index], side.name) for index, side in enumerate(sides))
    outcome = outcome_view(game, sides)
    ended = f"{outcome.headline}. {outcome.reason}" if outcome else ""
    known = solved(game.table, snapshot.own) if has_odds(game) else None
    if known is None:
        missing = _missing(over=game.over, two_sides=len(sides) == 2)
        return OddsPage(snapshot.public_id, named, ended, None, (), (), (), "", missing)
    counted, own = prior_hands(game.table), known[0].hands
    hands = game_odds(game, *known, STRENGTH + own if own else counted)
    turning = _turning(hands)
    return OddsPage(
        game_id=snapshot.public_id,
        sides=named,
        ended=ended,
        chart=_chart(hands, turning, sides),
        moments=tuple(_moments(game, hands, turning, sides)),
        rows=tuple(_row(each, snapshot.names, turning=each is turning) for each in hands),
        start=_both(hands[0].before),
        compared=_is_comparable(hands),
        model=_(
            "These are estimates. Simple programs played %(hands)s hands of this kind of game against each other, and"
            " the app worked out each side's chances from them and from the rules of your game. It assumes that both"
            " sides play equally well. Real players bid differently, so the chances are rough.",
            hands=hands_text(counted),
        )
        + (" " + _("Your table's %(hands)s latest hands count, too.", hands=hands_text(own)) if own else ""),
    )


def odds_view(snapshot: Snapshot) -> OddsView | None:
    """Return the win probabilities of a game in short, or None if there are none, or if they aren't calculated yet."""
    game, sides = snapshot.game, snapshot.sides
    known = _known(snapshot) if has_odds(game) else None
    if known is None:
        return None
    hands = swings(game, known[1])
    turning = _turning(hands)
    return OddsView(
        sides=tuple((index, LETTERS[index], side.name) for index, side in enumerate(sides)),
        chart=_chart(hands, turning, sides),
        turned="" if turning is None else turning_text(turning, sides),
    )


def _known(snapshot: Snapshot) -> tuple[Model, WinOdds] | None:
    """Return what is already calculated."""
    table, own = snapshot.game.table, snapshot.own
    return solved(table, own) if is_solved(table, own) else None


def chances_text(snapshot: Snapshot) -> str:
    """Return the chances of winning at the start of the hand in play, or "" if they aren't known or the game is over.

    The sentence says after which hand, so that it stays true on a phone that plays on without a signal.
    """
    game = snapshot.game
    known = _known(snapshot) if not game.over and game.hands else None
    if known is None:
        return ""
    chances = _both(known[1].win(game.tally, game.dealer)[0])
    told = ", ".join(f"{letter} {chance}" for letter, chance in zip(LETTERS, chances, strict=False))
    return _("Chances of winning after hand %(hand)s: %(chances)s", hand=len(game.hands), chances=told)


def turning_text(turning: HandOdds, sides: Sequence[SideName]) -> str:
    """Return a sentence about the hand that changed the win probabilities most, from the view of the bidder's side."""
    rose = turning.swing > 0
    side, template = turning.side, ROSE
    if side is not None and turning.line.made:
        template = MADE_AND_ROSE if rose == (side == 0) else MADE_AND_FELL
    elif side is not None and rose == (side == 1):
        template = SET_AND_FELL
    else:
        side = 0 if rose else 1
    before, after = (_both(p)[side] for p in (turning.before, turning.after))
    return said(template, hand=turning.line.number, side=sides[side], before=before, after=after)


def _turning(hands: Sequence[HandOdds]) -> HandOdds | None:
    """Return the turning point, or None if no hand changed a percentage."""
    turning = turning_point(hands)
    return None if turning is None or not _swing(turning) else turning


def busy_page(snapshot: Snapshot) -> OddsPage:
    """Return the page while another thread calculates win probabilities."""
    missing = _("The app is calculating at the moment. Load this page again in a few seconds.")
    return OddsPage(snapshot.public_id, (), "", None, (), (), (), "", missing)


def hands_text(hands: int) -> str:
    """Return a number of simulated hands in the reader's format, such as "50,000"."""
    return format_decimal(hands, locale=page_language())


def percent(p: float) -> str:
    """Return a probability as text, such as "62%". Only a side that has won or lost has 100% or 0%."""
    return f"{round(100 * p) if p in {0.0, 1.0} else min(max(round(100 * p), 1), 99)}%"


def _both(p: float) -> tuple[str, str]:
    """Return the probability `p` of the first side and that of the other side as text, such as ("62%", "38%")."""
    first = percent(p)
    return first, f"{100 - int(first[:-1])}%"


def _missing(*, over: bool, two_sides: bool) -> str:
    if not over:
        return _("The chances of winning appear here after the end of the game.")
    if not two_sides:
        return _("The chances of winning are only calculated for two sides.")
    return _("The chances of winning can't be calculated for a game by these rules.")


def _row(odds: HandOdds, names: Sequence[str], *, turning: bool) -> OddsRow:
    hand, side = odds.line.entry.hand, odds.side
    return OddsRow(
        number=odds.line.number,
        side=side,
        letter="" if side is None else LETTERS[side],
        bidder="" if hand.bidder is None else names[hand.bidder],
        bid=bid_text(hand.bid),
        was_set=odds.line.made is False,
        score=score_text(odds.score),
        win=_both(odds.after),
        swing=_swing(odds),
        turning=turning,
        luck="" if odds.usual is None else _gain(round(100 * (odds.after - odds.usual))) or "0",
        more=_worth(odds.more),
    )


def _worth(worth: Worth | None) -> str:
    """Return a difference in percentage points with its uncertainty, such as "−6 ± 2", or "" for None."""
    return "" if worth is None else f"{signed(round(100 * worth.gain))} ± {max(ceil(100 * worth.plus_minus), 1)}"


def _gain(points: int) -> str:
    """Return the side that gained, and how many percentage points, such as "A +30". `points` are those of side 0."""
    return f"{LETTERS[0 if points > 0 else 1]} +{abs(points)}" if points else ""


def _swing(odds: HandOdds) -> str:
    """Return the side that gained, and by how many percentage points, such as "A +30", or "" if nothing changed.

    The number is the difference of the percentages on the page, so that it never seems to be wrong.
    """
    return _gain(int(_both(odds.after)[0][:-1]) - int(_both(odds.before)[0][:-1]))


def _moments(
    game: Game, hands: Sequence[HandOdds], turning: HandOdds | None, sides: Sequence[SideName]
) -> Iterator[Moment]:
    if turning is not None:
        yield Moment(_("Turning point"), turning_text(turning, sides))
    if game.tally.outcome is not None and game.tally.outcome.winner is not None:
        chances = [each.before if game.tally.outcome.winner == 0 else 1 - each.before for each in hands]
        least = min(chances)
        hand = chances.index(least)
        start = _("%(percent)s, at the start", percent=percent(least))
        after = _("%(percent)s, after hand %(hand)s", percent=percent(least), hand=hand)
        yield Moment(_("The winner's low point"), after if hand else start)
    if _is_comparable(hands):
        points = round(100 * luck(hands)[0])
        side = sides[0 if points > 0 else 1].name
        even, text = _("Neither side"), _("%(side)s, %(points)s in all hands", side=side, points=signed(abs(points)))
        yield Moment(_("More luck"), even if abs(points) <= LITTLE else text)


def _is_comparable(hands: Sequence[HandOdds]) -> bool:
    """Return whether nearly all bids are common enough in the model to say which side had more luck."""
    bid = sum(each.side is not None for each in hands)
    return bid > 0 and luck(hands)[1] >= MOSTLY * bid


def _chart(hands: Sequence[HandOdds], turning: HandOdds | None, sides: Sequence[SideName]) -> OddsChart:
    def at(place: int, p: float) -> str:
        return f"{_x(place, len(hands)):g} {TOP + (BOTTOM - TOP) * (1 - p):.1f}"

    points = [at(0, hands[0].before), *(at(place, each.after) for place, each in enumerate(hands, 1))]
    step = -(-len(hands) // MOST_TICKS)
    chances = ", ".join(_both(p)[0] for p in (hands[0].before, *(each.after for each in hands)))
    return OddsChart(
        path="M" + "L".join(points),
        marks="".join(f"M{point}{SHAPES[0]}" for point in points) if len(hands) <= MOST_MARKED else "",
        turning="" if turning is None else f"M{points[hands.index(turning) + 1]}{RING}",
        hands=tuple((_x(number, len(hands)), number) for number in range(step, len(hands) + 1, step)),
        told=_("Chances of %(side)s before the first hand and after each hand:", side=sides[0].name) + f" {chances}.",
    )


def _x(place: int, hands: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * place / hands, 1)


MOST_HANDS = 100
"""A game with more hands is not replayed, because that would take too long: each rule replays them all."""


def has_what_if(game: Game) -> bool:
    """Return whether a game can be replayed with other rules: it must be over and have 1 to `MOST_HANDS` hands."""
    return game.over and 0 < len(game.hands) <= MOST_HANDS


def what_if_page(snapshot: Snapshot) -> WhatIfPage:
    """Return the page with the end of a game with other rules. If there is none, the page says why."""
    game, sides = snapshot.game, snapshot.sides
    outcome = outcome_view(game, sides)
    ended = f"{outcome.headline}. {outcome.reason}" if outcome else ""
    if not has_what_if(game):
        return WhatIfPage(snapshot.public_id, ended, (), (), _what_if_missing(game))
    played = played_hands(game)
    ours = ending(game.table, played)
    winner = game.outcome.winner if game.outcome else None
    ends, same = [], []
    for rule in other_rules(game.table):
        end, words = ending(rule.table, played), rule_words(rule.option, rule.value, rule.table.rules)
        if (_result(game, end), end.hands) == (_result(game, ours), ours.hands):
            same.append(words)
        else:
            ends.append(_other_end(game, words, end, winner, sides))
    # Most people look for rules that would have changed who won.
    ends.sort(key=lambda end: (not end.different, end.side is None))
    early = game.tally.outcome is None and game.outcome is not None and game.outcome.rule != "time"
    return WhatIfPage(snapshot.public_id, ended, tuple(ends), tuple(same), early=early)


def rule_words(option: str, value: object, rules: Ruleset) -> str:
    """Return a changed rule in words. `rules` are all rules, of which `option` has the new `value`.

    Another way of winning is told together with the target and the lead, which may change with it.
    """
    return f"{rules_line(rules)}." if option == "finish" else as_house_rule(option, value)


def _result(game: Game, end: Ending) -> tuple[bool, int | None]:
    """Return whether the game is over with `end`, and which side won, or None for nobody.

    If time ran out in the game, it is over, and the side ahead wins if no rule ended the game before.
    """
    if end.tally.outcome is not None:
        return True, end.tally.outcome.winner
    leaders = leaders_of(end.tally.totals)
    on_time = game.stopped is not None and game.stopped.rule == "time"
    return on_time, leaders[0] if on_time and len(leaders) == 1 else None


def _other_end(game: Game, rule: str, end: Ending, winner: int | None, sides: Sequence[SideName]) -> OtherEnd:
    over, side = _result(game, end)
    winning_second = side == 1 and len(sides) == 2
    return OtherEnd(
        rule=rule,
        side=side,
        letter="" if side is None else LETTERS[side],
        winner=sides[side].name if side is not None else _("nobody") if over else _("not over yet"),
        different=side is not None and winner not in (None, side),
        score=score_text(end.tally.totals[::-1] if winning_second else end.tally.totals),
        hands=end.hands,
    )


def _what_if_missing(game: Game) -> str:
    if not game.over:
        return _("When the game is over, see here how it would have ended with other rules.")
    if not game.hands:
        return _("No hands were entered.")
    return _("A game of more than %(most)s hands can't be scored again here.", most=MOST_HANDS)
