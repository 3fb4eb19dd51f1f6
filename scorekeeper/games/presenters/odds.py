"""Models of the page that shows how a game would have ended with other rules.

Make the page that shows how the win probability changed during a game.

Build the page that shows how a game would have ended with other rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from operator import sub
from typing import TYPE_CHECKING

from babel.numbers import format_decimal
from msgspec import Struct

from scorekeeper.games.logic.game_odds import HandOdds, Worth, game_odds, has_odds, luck, swings, turning_point
from scorekeeper.games.logic.score_chart import MOST_MARKED, SHAPES
from scorekeeper.games.pages.common import Moment, OddsChart, OddsLine, OddsPage, OddsRow, OddsView
from scorekeeper.games.presenters.snapshot import LETTERS, Snapshot, bid_text
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.i18n.ruleset_labels import as_house_rule, rules_line
from scorekeeper.i18n.sentences import SideName, said, score_text, signed
from scorekeeper.insight.model import MOST_SIDES, STRENGTH, Model, prior_hands
from scorekeeper.insight.odds import MOST_TARGET, is_solved, solved
from scorekeeper.insight.what_if import Ending, ending, other_rules, played_hands
from scorekeeper.rules.game import Game
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import leaders_of
from scorekeeper.web.locale import page_language

if TYPE_CHECKING:
    from scorekeeper.insight.win_odds import WinOdds


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
FELL = N_("Hand {hand} turned it: the chance of winning of {side} fell from {before} to {after}.")
"""Sentences about the turning point.

`ROSE` and `FELL` are for hands that the others don't fit, such as one that changed the chance of another side more than
that of the bidder's.
"""


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
        missing = _missing(over=game.over, sides=len(sides), target=game.table.rules.target)
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
        start=percents(hands[0].before),
        compared=_is_comparable(hands),
        model=_(
            "These are estimates. Simple programs played %(hands)s hands of this kind of game against each other, and"
            " the app worked out each side's chances from them and from the rules of your game. It assumes that"
            " everyone plays equally well. Real players bid differently, so the chances are rough.",
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
    chances = percents(known[1].win(game.tally, game.dealer))
    names = LETTERS if len(chances) == 2 else [side.name for side in snapshot.sides]
    told = ", ".join(f"{name} {chance}" for name, chance in zip(names, chances, strict=False))
    return _("Chances of winning after hand %(hand)s: %(chances)s", hand=len(game.hands), chances=told)


def turning_text(turning: HandOdds, sides: Sequence[SideName]) -> str:
    """Return a sentence about the hand that changed the win probabilities most, of the side of `_most`."""
    side = _most(turning)
    rose = turning.swing[side] > 0
    template = ROSE if rose else FELL
    if side == turning.side and turning.line.made:
        template = MADE_AND_ROSE if rose else MADE_AND_FELL
    elif side == turning.side and not rose:
        template = SET_AND_FELL
    before, after = (percents(chances)[side] for chances in (turning.before, turning.after))
    return said(template, hand=turning.line.number, side=sides[side], before=before, after=after)


def _most(odds: HandOdds) -> int:
    """Return the side whose win probability changed most. Of several, it is the bidder's, or else one that gained."""
    swing = odds.swing
    return max(range(len(swing)), key=lambda side: (round(abs(swing[side]), 9), side == odds.side, swing[side]))


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


def percents(chances: Sequence[float]) -> tuple[str, ...]:
    """Return the win probabilities of all sides as text, such as ("62%", "38%"). They add up to 100%."""
    return tuple(f"{share}%" for share in _shares(chances))


def _shares(chances: Sequence[float]) -> tuple[int, ...]:
    """Return win probabilities in percent, rounded so that they add up to 100.

    As in `percent`, only a side that has won or lost has 100 or 0.
    """
    shares = [max(int(100 * p), int(p > 0)) for p in chances]
    rounded = sorted(range(len(shares)), key=lambda side: shares[side] - 100 * chances[side])
    missing = 100 - sum(shares)
    for side in rounded[: max(missing, 0)]:
        shares[side] += 1
    shares[shares.index(max(shares))] += min(missing, 0)
    return tuple(shares)


def _missing(*, over: bool, sides: int, target: int) -> str:
    if not over:
        return _("The chances of winning appear here after the end of the game.")
    if sides > MOST_SIDES:
        return _("The chances of winning are only calculated for two or three sides.")
    if sides == MOST_SIDES and target > MOST_TARGET[sides]:
        return _(
            "With three sides, the chances of winning are only calculated for games to %(most)s or less: longer games"
            " have too many possible scores.",
            most=MOST_TARGET[sides],
        )
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
        win=percents(odds.after),
        swing=_swing(odds),
        turning=turning,
        luck="" if odds.luck is None else _gain([round(100 * each) for each in odds.luck]) or "0",
        more=_worth(odds.more),
    )


def _worth(worth: Worth | None) -> str:
    """Return a difference in percentage points with its uncertainty, such as "−6 ± 2", or "" for None."""
    return "" if worth is None else f"{signed(round(100 * worth.gain))} ± {max(ceil(100 * worth.plus_minus), 1)}"


def _gain(points: Sequence[int]) -> str:
    """Return the side whose chance changed most, and by how many percentage points, such as "A +30", or "" for none.

    Of two sides, it is the one that gained.
    """
    side = max(range(len(points)), key=lambda each: (abs(points[each]), points[each]))
    return f"{LETTERS[side]} {signed(points[side])}" if points[side] else ""


def _swing(odds: HandOdds) -> str:
    """Return `_gain` of a hand. It is the difference of the percentages on the page, so that it never seems wrong."""
    return _gain(tuple(map(sub, _shares(odds.after), _shares(odds.before))))


def _moments(
    game: Game, hands: Sequence[HandOdds], turning: HandOdds | None, sides: Sequence[SideName]
) -> Iterator[Moment]:
    if turning is not None:
        yield Moment(_("Turning point"), turning_text(turning, sides))
    if game.tally.outcome is not None and game.tally.outcome.winner is not None:
        chances = [each.before[game.tally.outcome.winner] for each in hands]
        least = min(chances)
        hand = chances.index(least)
        start = _("%(percent)s, at the start", percent=percent(least))
        after = _("%(percent)s, after hand %(hand)s", percent=percent(least), hand=hand)
        yield Moment(_("The winner's low point"), after if hand else start)
    if _is_comparable(hands):
        points = [round(100 * each) for each in luck(hands)[0]]
        most = max(points)
        side = sides[points.index(most)].name
        even = _("Neither side") if len(sides) == 2 else _("nobody")
        text = _("%(side)s, %(points)s in all hands", side=side, points=signed(most))
        yield Moment(_("More luck"), even if most <= LITTLE else text)


def _is_comparable(hands: Sequence[HandOdds]) -> bool:
    """Return whether nearly all bids are common enough in the model to say which side had more luck."""
    bid = sum(each.side is not None for each in hands)
    return bid > 0 and luck(hands)[1] >= MOSTLY * bid


def _chart(hands: Sequence[HandOdds], turning: HandOdds | None, sides: Sequence[SideName]) -> OddsChart:
    """Return the chart with a line for each side. Of two sides, the line of the first one shows both chances."""
    chances = (hands[0].before, *(each.after for each in hands))
    step = -(-len(hands) // MOST_TICKS)
    lines, told, ring = [], [], ""
    for side in range(1 if len(sides) == 2 else len(sides)):
        heights = (TOP + (BOTTOM - TOP) * (1 - each[side]) for each in chances)
        points = [f"{_x(place, len(hands)):g} {height:.1f}" for place, height in enumerate(heights)]
        marks = "".join(f"M{point}{SHAPES[side]}" for point in points) if len(hands) <= MOST_MARKED else ""
        lines.append(OddsLine(side, "M" + "L".join(points), marks))
        if turning is not None and (len(sides) == 2 or side == _most(turning)):
            ring = f"M{points[hands.index(turning) + 1]}{RING}"
        name, percentages = sides[side].name, ", ".join(percents(each)[side] for each in chances)
        told.append(_("Chances of %(side)s before the first hand and after each hand:", side=name) + f" {percentages}.")
    return OddsChart(
        lines=tuple(lines),
        turning=ring,
        hands=tuple((_x(number, len(hands)), number) for number in range(step, len(hands) + 1, step)),
        told=" ".join(told),
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
