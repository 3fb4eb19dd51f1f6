"""Explain why a game ended or goes on, what a hand changed, and what each side needs to win.

The functions return message keys with parameters; `scorekeeper.i18n.sentences` puts them into words. In `params`,
the values of `side` and `other` are side indexes, the value of `both` is a pair of side indexes, and the value of
`what` is the names of points. Every other value is a number or a key such as "pitch".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.rules.cards import CARD_POINTS_IN_ALL
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import (
    Hand,
    Outcome,
    Scored,
    Tally,
    bidding_sides,
    dearest_set,
    lead_of,
    lead_to_win,
    leaders_of,
    may_go_out,
    offending_sides,
    pitch_tricks,
    put_up,
)
from scorekeeper.rules.table import Table


@dataclass(frozen=True, slots=True)
class Message:
    """The key of a translatable sentence, with the values to fill in.

    A value in `params` is a side, a pair of sides, names of points, a number, or a key such as "pitch". The module
    `i18n.sentences` turns a message into text.
    """

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)


def needs(table: Table, tally: Tally) -> tuple[tuple[Message, ...], ...]:
    """Return, for each side, the messages that say what the side needs to win at this score (RULES 1).

    Once the game is over, the tuple of each side is empty.
    """
    if tally.outcome is not None:
        return ((),) * len(table.sides)
    goal = _GOALS[table.rules.finish]
    return tuple(
        (
            goal(table, tally, side),
            *_special(table.rules, tally, side),
            *_last_set(table.rules, tally, side),
            *_nearly_too_low(table, tally, side),
        )
        for side in range(len(table.sides))
    )


def why_over(table: Table, outcome: Outcome, before: Sequence[int], after: Tally, hand: Hand | None) -> Message:
    """Return the message that says why the game ended, with the rule and the numbers that decided it.

    `hand` is the last hand that counts, or None if no hand counts or if the players ended the game. `before` holds the
    totals by side before `hand`, and `after` is the score after `hand`.
    """
    params: dict[str, Any] = {"target": table.rules.target, "hands": after.hands, "win_by": table.rules.win_by}
    winner = outcome.winner
    if table.rules.lose_at_minus is not None:
        params["limit"] = -table.rules.lose_at_minus
    if winner is not None:
        params |= {"side": winner, "total": after.totals[winner], "lead": lead_of(after.totals, winner)}
        params["was"] = before[winner]
        params["rest"] = max(total for side, total in enumerate(after.totals) if side != winner)
    if hand is not None and hand.bidder is not None:
        params |= {"bid": hand.bid, "bidder": table.side_of[hand.bidder]}
    if outcome.rule == "max_sets" and winner is not None:
        params |= {"other": 1 - winner, "sets": after.sets[1 - winner]}
    if outcome.rule == "lose_at" and winner is not None and len(table.sides) == 2:
        params["other"] = 1 - winner
    if outcome.rule == "moon_failed":
        params["other"] = params["bidder"]
    if outcome.rule == "conceded" and winner is not None and len(table.sides) == 2:
        params["other"] = 1 - winner
    if outcome.rule.startswith("final"):
        params["score"] = after.totals
    return Message(f"over.{outcome.rule}{_shade(table, outcome, params)}", params)


def why_not_over(table: Table, after: Tally, hand: Hand) -> Message | None:
    """Return the message that says why the game goes on after `hand`, or None if nobody would expect it to end.

    Players expect the end if a side has reached the target, if one more hand has to settle a tie, or if the last of a
    fixed number of hands ended in a tie.
    """
    rules = table.rules
    ahead = leaders_of(after.totals)
    top = after.totals[ahead[0]]
    if after.outcome is not None or hand.thrown_in:
        return None
    if rules.finish == "fixed_hands":
        return Message("on.hands_level", {"total": top}) if after.hands >= (rules.hands_limit or 0) else None
    if after.level:
        return Message("on.tie_break", {"total": top})
    if top < rules.target:
        return None
    lead = lead_of(after.totals, ahead[0])
    rest = top - lead
    needed = lead_to_win(rules)
    params = {
        "side": ahead[0],
        "total": top,
        "rest": rest,
        "lead": lead,
        "win_by": needed,
        "target": rules.target,
    }
    if lead < needed:
        return Message("on.level" if lead == 0 else "on.lead", params)
    if rules.finish == "bidder_first":
        return Message("on.bidder_behind", params)
    if ahead[0] not in may_go_out(rules, bidding_sides(table, hand)):
        return Message("on.defender", params)
    return Message("on.set", params)


def effects(table: Table, before: Tally, after: Tally, hand: Hand, scored: Scored) -> tuple[Message, ...]:
    """Return messages about how `hand` changed the score, first for the bidder's side, then for other sides.

    A side other than the bidder's has a message only if its score changed. Further messages explain why a point didn't
    count, or that a player revoked.

    `before` and `after` are the scores before and after the hand. A called partner who gets the same points as the
    bidder shares the bidder's message. In a game with a called partner, one message gives the points of each defender.
    """
    if hand.thrown_in:
        return (Message("hand.thrown_in"),)
    if not table.rules.has_bids:
        return _counts(table, before, after, hand, scored)
    ours = bidding_sides(table, hand)
    messages = [_bid_effect(before, after, hand, ours, scored)]
    named = ours if "both" in messages[0].params else ours[:1]
    messages.extend(_uncounted(table, hand, scored))
    offenders = offending_sides(table, hand)
    messages.extend(
        Message("hand.revoked", {"side": table.side_of[seat]}) for seat in (hand.revoked,) if seat is not None
    )
    for side in dict.fromkeys((*ours, *offenders)) if table.called else range(len(table.sides)):
        change = scored.delta[side]
        if side not in named and change != 0:
            messages.append(Message("hand.scores" if change > 0 else "hand.loses", _moved(before, after, side, change)))
    if table.called and hand.taken[1] and table.rules.defenders_score:
        messages.append(Message("hand.others", {"points": hand.taken[1]}))
    least = untied_game_minimum(table.rules)
    if least and (hand.points or {}).get("game", 0) is None:
        messages.append(Message("hand.no_game", {"points": least}))
    return tuple(messages)


def _uncounted(table: Table, hand: Hand, scored: Scored) -> Iterator[Message]:
    """Yield messages about points that a side took in `hand` but that don't count by the rules of this table."""
    assert hand.bidder is not None
    party = table.party_of(hand.bidder)
    took = hand.taken[party]
    if table.rules.made_scores == "bid" and scored.made and isinstance(hand.bid, int) and took > hand.bid:
        yield Message("hand.only_bid", {"points": took})
    if not table.rules.defenders_score and sum(hand.taken) > took:
        yield Message("hand.no_defense")


_OTHER_POINTS = {"turned_up": Phrase("turned-up card"), "hung": Phrase("hung jack")}


def _counts(table: Table, before: Tally, after: Tally, hand: Hand, scored: Scored) -> tuple[Message, ...]:
    """Return one message for each side that scores in a hand without a bidder.

    The messages are in the order in which the sides' points count. If some points don't count because a side has
    reached the target, the last message says so.
    """
    labels = {category.key: category.label for category in table.rules.categories} | _OTHER_POINTS
    counted: dict[int, list[str]] = {}
    left = list(scored.delta)
    missed = False
    for key, side, points in put_up(table, hand):
        missed = missed or points > left[side]
        if not missed:
            left[side] -= points
            hung = key == "jack" and hand.jack_hung
            counted.setdefault(side, []).append("" if key == "taken" else labels["hung" if hung else key])
    messages = []
    for side, keys in counted.items():
        params = _moved(before, after, side, scored.delta[side])
        if "" in keys:
            messages.append(Message("hand.scores", params))
        else:
            messages.append(Message("hand.counts", params | {"what": tuple(keys)}))
    return (*messages, Message("hand.out", {"target": table.rules.target})) if missed else tuple(messages)


def untied_game_minimum(rules: Ruleset) -> int:
    """Return the number of card points that a side needs for the point Game, if that number rules out a tie. Else 0.

    A number rules out a tie if it is more than half of all card points, since only one side can have that many.
    """
    return rules.game_minimum if 2 * rules.game_minimum > CARD_POINTS_IN_ALL else 0


def _bid_effect(before: Tally, after: Tally, hand: Hand, ours: Sequence[int], scored: Scored) -> Message:
    """Return the message about how `hand` changed the score of the side that bid.

    `ours` are the sides that share the bid, the bidder's side first. If a called partner gets the same points as the
    bidder, the message covers both sides. `before` and `after` are the scores before and after the hand.
    """
    side = ours[0]
    change = scored.delta[side]
    verdict = "made" if scored.made else "set"
    if change == 0 and not scored.made:
        return Message("hand.set_nothing", {"side": side, "total": after.totals[side]})
    if len(ours) > 1 and all(scored.delta[each] == change for each in ours):
        return Message(f"hand.both_{verdict}", {"both": tuple(ours), "points": abs(change)})
    params = _moved(before, after, side, change)
    if hand.conceded:
        return Message("hand.gave_up", params)
    if hand.bid == "moon" and scored.made:
        return Message("hand.made_moon", params)
    if isinstance(hand.bid, str):
        return Message(f"hand.{verdict}_call", {**params, "call": hand.bid})
    return Message(f"hand.{verdict}", params)


def _moved(before: Tally, after: Tally, side: int, change: int) -> dict[str, Any]:
    return {"side": side, "points": abs(change), "was": before.totals[side], "total": after.totals[side]}


def _shade(table: Table, outcome: Outcome, params: Mapping[str, Any]) -> str:
    """Return the suffix of the message key that says why the game ended, or "" if no suffix is needed.

    Some end rules have several messages. The suffix then depends on the house rules, the number of sides, the result,
    and the message's `params`.
    """
    if outcome.rule == "bid_out":
        return ".take" if table.rules.go_out == "take" else ""
    if outcome.rule == "bidder_first":
        return ".against" if params["rest"] >= params["total"] else ""
    if outcome.rule == "highest":
        return ".lead" if table.rules.win_by > 1 else ""
    if outcome.rule == "conceded":
        return ".all" if len(table.sides) > 2 else ""
    if outcome.rule == "moon_failed":
        return ".tied" if outcome.winner is None else ".best" if len(table.sides) > 2 else ""
    if outcome.rule == "lose_at":
        return ".tied" if outcome.winner is None else ".best" if len(table.sides) > 2 else ""
    if outcome.rule == "final.lose_at":
        return ".tied" if outcome.winner is None else ""
    if outcome.rule == "final.moon":
        return ".tied" if outcome.winner is None else ".missed" if params["total"] < table.rules.target else ""
    if outcome.rule == "final":
        return "" if outcome.winner is not None else ".level"
    if outcome.winner is None and outcome.rule.removeprefix("final.") in ("time", "agreed"):
        return ".nobody"
    return ""


def _best_other(tally: Tally, side: int) -> int:
    return tally.totals[side] - lead_of(tally.totals, side)


def _bid_out(table: Table, tally: Tally, side: int) -> Message:
    rules = table.rules
    gap = rules.target - tally.totals[side]
    lead = lead_of(tally.totals, side)
    params = {"side": side, "gap": gap, "win_by": rules.win_by, "target": rules.target}
    if gap > 0:
        # If this side takes just enough, the others may get the rest of the hand's points.
        close = _best_other(tally, side) + _spare(table, gap) > rules.target - rules.win_by
        return Message("need.bid_out_lead" if close else "need.bid_out", params)
    if rules.go_out == "take":
        return Message("need.take_lead", params)
    spare = max(table.most - 2 * rules.bid_min, 0) if rules.defenders_score else 0
    return Message("need.bid" if lead - spare >= rules.win_by else "need.bid_lead", params)


def _bidder_first(table: Table, tally: Tally, side: int) -> Message:
    gap = table.rules.target - tally.totals[side]
    by = table.rules.bidder_lead
    if by:
        close = gap <= 0 or _best_other(tally, side) + _spare(table, gap) > table.rules.target - by
        key = "need.lead" if gap <= 0 else "need.points_lead" if close else "need.points"
        return Message(key, {"side": side, "gap": gap, "win_by": by})
    if gap <= 0:
        return Message("need.ahead_or_bid", {"side": side})
    contested = _others_arrive(table, tally, side, gap) or _others_pitch(table, tally, side, gap)
    return Message("need.points_contested" if contested else "need.points", {"side": side, "gap": gap})


def _others_arrive(table: Table, tally: Tally, side: int, gap: int) -> bool:
    """Return whether another side can reach the target in the same hand as `side`.

    `side` still needs `gap` points to reach the target, and takes them in that hand.
    """
    return _best_other(tally, side) + _spare(table, gap) >= table.rules.target


def _spare(table: Table, gap: int) -> int:
    """Return the most points that another side can score in a hand in which one side takes exactly `gap` points."""
    # The other points go to others. A called partner gets as many as the bidder.
    rest = table.most - gap if table.rules.defenders_score else 0
    return max(rest, min(gap, table.most) if table.called else 0, 0)


def _others_pitch(table: Table, tally: Tally, side: int, gap: int) -> bool:
    """Return whether another side can win by a pitch bid in the hand in which `side` reaches the target.

    `side` still needs `gap` points to reach the target. Another side can win by a pitch only if the rules let a pitch
    promise tricks instead of points.
    """
    by_tricks = table.rules.special_bid == "pitch" and pitch_tricks(table.rules) is not None
    return by_tricks and gap <= table.most and _best_other(tally, side) >= 0


def _highest(table: Table, tally: Tally, side: int) -> Message:
    rules = table.rules
    gap = rules.target - tally.totals[side]
    params = {"side": side, "gap": gap, "win_by": rules.win_by}
    if tally.level and rules.tie_break_round == "decides":
        return Message("need.decides" if len(tally.totals) == 2 else "need.decides_any", params)
    tie = "_or_tie" if rules.tie == "bidder" else ""
    if gap <= 0:
        return Message("need.lead" if rules.win_by > 1 else f"need.ahead{tie}", params)
    if rules.win_by > 1 and _best_other(tally, side) + _spare(table, gap) > rules.target - rules.win_by:
        return Message("need.points_lead", params)
    return Message(f"need.points_ahead{tie}" if _others_arrive(table, tally, side, gap) else "need.points", params)


def _count_out(table: Table, tally: Tally, side: int) -> Message:
    gap = table.rules.target - tally.totals[side]
    return Message("need.points", {"side": side, "gap": gap}) if gap > 0 else Message("need.ahead", {"side": side})


def _fixed_hands(table: Table, tally: Tally, side: int) -> Message:
    left = (table.rules.hands_limit or 0) - tally.hands
    lead = lead_of(tally.totals, side)
    if left <= 0:
        return Message("need.ahead", {"side": side})
    key = "leads" if lead > 0 else "behind" if lead < 0 else "level"
    return Message(f"need.hands_{key}", {"side": side, "lead": abs(lead), "left": left})


_GOALS = {
    "bid_out": _bid_out,
    "bidder_first": _bidder_first,
    "highest": _highest,
    "fixed_hands": _fixed_hands,
    "count_out": _count_out,
}


def _special(rules: Ruleset, tally: Tally, side: int) -> Sequence[Message]:
    if rules.special_bid == "none":
        return ()
    wins = "wins" if tally.totals[side] >= 0 else "scores"
    return (Message(f"need.{rules.special_bid}_{wins}", {"side": side}),)


def _last_set(rules: Ruleset, tally: Tally, side: int) -> Sequence[Message]:
    if rules.max_sets is None or tally.sets[side] != rules.max_sets - 1:
        return ()
    return (Message("need.last_set", {"side": side}),)


def _nearly_too_low(table: Table, tally: Tally, side: int) -> Sequence[Message]:
    """Return a tuple with a warning message if being set once more can make `side` lose the game, else ()."""
    low = table.rules.lose_at_minus
    if low is None or tally.totals[side] - dearest_set(table) > -low:
        return ()
    return (Message("need.lose_at", {"side": side, "limit": -low}),)
