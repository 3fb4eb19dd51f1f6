"""Explain a game: why it ended or goes on, the effect of a hand, the needs of each side.

The answers are message keys with parameters; `scorekeeper.i18n.sentences` words them. In `params`, `side` and `other`
are side indexes, `both` two of them; everything else is a number or a word of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.rules.cards import CARD_POINTS_IN_ALL
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import Hand, Outcome, Scored, Tally, bidding_sides, lead_of, leaders_of, pitch_tricks
from scorekeeper.rules.table import Table


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence to be worded: its key and its values."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)


def needs(table: Table, tally: Tally) -> tuple[tuple[Message, ...], ...]:
    """Return the needs of each side to win at this score (RULES 1); empty once the game is over."""
    if tally.outcome is not None:
        return ((),) * len(table.sides)
    goal = _GOALS[table.rules.finish]
    return tuple(
        (goal(table, tally, side), *_special(table.rules, tally, side), *_last_set(table.rules, tally, side))
        for side in range(len(table.sides))
    )


def why_over(table: Table, outcome: Outcome, before: Sequence[int], after: Tally, hand: Hand | None) -> Message:
    """Return why the game ended: the rule and the numbers it compared.

    `before` holds the totals before `hand`, `after` is the score after it. `hand` is the last one that counts, None if
    no hand ended the game.
    """
    params: dict[str, Any] = {"target": table.rules.target, "hands": after.hands, "win_by": table.rules.win_by}
    winner = outcome.winner
    if winner is not None:
        params |= {"side": winner, "total": after.totals[winner], "lead": lead_of(after.totals, winner)}
        params["was"] = before[winner]
        params["rest"] = max(total for side, total in enumerate(after.totals) if side != winner)
    if hand is not None and hand.bidder is not None:
        params |= {"bid": hand.bid, "bidder": table.side_of[hand.bidder]}
    if outcome.rule in ("max_sets", "moon_failed") and winner is not None:
        params |= {"other": 1 - winner, "sets": after.sets[1 - winner]}
    if outcome.rule == "conceded" and winner is not None and len(table.sides) == 2:
        params["other"] = 1 - winner
    if outcome.rule.startswith("final"):
        params["score"] = after.totals
    return Message(f"over.{outcome.rule}{_shade(table, outcome, params)}", params)


def why_not_over(table: Table, after: Tally, hand: Hand) -> Message | None:
    """Return why the game goes on although a side has reached the target; None if no side has."""
    rules = table.rules
    ahead = leaders_of(after.totals)
    top = after.totals[ahead[0]]
    if after.outcome is not None or hand.bidder is None:
        return None
    if rules.finish == "fixed_hands":
        return Message("on.hands_level", {"total": top}) if after.hands >= (rules.hands_limit or 0) else None
    if after.level:
        return Message("on.tie_break", {"total": top})
    if top < rules.target:
        return None
    lead = lead_of(after.totals, ahead[0])
    rest = top - lead
    params = {
        "side": ahead[0],
        "total": top,
        "rest": rest,
        "lead": lead,
        "win_by": rules.win_by,
        "target": rules.target,
    }
    if lead < rules.win_by:
        return Message("on.level" if lead == 0 else "on.lead", params)
    if ahead[0] not in bidding_sides(table, hand):
        return Message("on.defender", params)
    return Message("on.set", params)


def effects(table: Table, before: Tally, after: Tally, hand: Hand, scored: Scored) -> tuple[Message, ...]:
    """Return the effect of a hand on the score: the bidder's side first, then every other side that scores.

    If a called partner gets the same as the bidder, one message names both.
    """
    if hand.bidder is None or hand.bid is None:
        return (Message("hand.thrown_in"),)
    ours = bidding_sides(table, hand)
    messages = [_bid_effect(before, after, hand, ours, scored)]
    named = ours if "both" in messages[0].params else ours[:1]
    for side in (*ours, *range(len(table.sides))):
        change = scored.delta[side]
        if side not in named and change != 0:
            messages.append(Message("hand.scores" if change > 0 else "hand.loses", _moved(before, after, side, change)))
            named = (*named, side)
    least = untied_game_minimum(table.rules)
    if least and (hand.points or {}).get("game", 0) is None:
        messages.append(Message("hand.no_game", {"points": least}))
    return tuple(messages)


def untied_game_minimum(rules: Ruleset) -> int:
    """Return the card points that Game takes if nobody can tie for it, else 0: two sides cannot both have over half."""
    return rules.game_minimum if 2 * rules.game_minimum > CARD_POINTS_IN_ALL else 0


def _bid_effect(before: Tally, after: Tally, hand: Hand, ours: Sequence[int], scored: Scored) -> Message:
    """Return what the bid brought the bidder's side, or both sides if a called partner gets the same."""
    side = ours[0]
    change = scored.delta[side]
    verdict = "made" if scored.made else "set"
    if change == 0 and not scored.made:
        return Message("hand.set_nothing", {"side": side, "total": after.totals[side]})
    if len(ours) > 1 and all(scored.delta[each] == change for each in ours):
        return Message(f"hand.both_{verdict}", {"both": tuple(ours), "points": abs(change)})
    params = _moved(before, after, side, change)
    if isinstance(hand.bid, str):
        return Message(f"hand.{verdict}_call", {**params, "call": hand.bid})
    return Message(f"hand.{verdict}", params)


def _moved(before: Tally, after: Tally, side: int, change: int) -> dict[str, Any]:
    return {"side": side, "points": abs(change), "was": before.totals[side], "total": after.totals[side]}


def _shade(table: Table, outcome: Outcome, params: Mapping[str, Any]) -> str:
    """Return the suffix of the message key, for rules with several sentences."""
    if outcome.rule == "bid_out":
        return ".take" if table.rules.go_out == "take" else ""
    if outcome.rule == "bidder_first":
        return ".against" if params["rest"] >= params["total"] else ""
    if outcome.rule == "highest":
        return ".lead" if table.rules.win_by > 1 else ""
    if outcome.rule == "conceded":
        return ".all" if len(table.sides) > 2 else ""
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
        spare = max(table.most - gap, 0)
        close = _best_other(tally, side) + spare > rules.target - rules.win_by
        return Message("need.bid_out_lead" if close else "need.bid_out", params)
    if rules.go_out == "take":
        return Message("need.take_lead", params)
    spare = max(table.most - 2 * rules.bid_min, 0)
    return Message("need.bid" if lead - spare >= rules.win_by else "need.bid_lead", params)


def _bidder_first(table: Table, tally: Tally, side: int) -> Message:
    gap = table.rules.target - tally.totals[side]
    if gap <= 0:
        return Message("need.ahead_or_bid", {"side": side})
    contested = _others_arrive(table, tally, side, gap) or _others_pitch(table, tally, side, gap)
    return Message("need.points_contested" if contested else "need.points", {"side": side, "gap": gap})


def _others_arrive(table: Table, tally: Tally, side: int, gap: int) -> bool:
    """Return whether another side can reach the target too, once `side` has just what it needs."""
    # The other points go to others. A called partner gets as many as the bidder.
    spare = max(table.most - gap, min(gap, table.most) if table.called else 0, 0)
    return _best_other(tally, side) + spare >= table.rules.target


def _others_pitch(table: Table, tally: Tally, side: int, gap: int) -> bool:
    """Return whether another side can win by tricks in a hand that gives `side` what it needs."""
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
    if rules.win_by > 1 and _best_other(tally, side) + max(table.most - gap, 0) > rules.target - rules.win_by:
        return Message("need.points_lead", params)
    return Message(f"need.points_ahead{tie}" if _others_arrive(table, tally, side, gap) else "need.points", params)


def _fixed_hands(table: Table, tally: Tally, side: int) -> Message:
    left = (table.rules.hands_limit or 0) - tally.hands
    lead = lead_of(tally.totals, side)
    if left <= 0:
        return Message("need.ahead", {"side": side})
    key = "leads" if lead > 0 else "behind" if lead < 0 else "level"
    return Message(f"need.hands_{key}", {"side": side, "lead": abs(lead), "left": left})


_GOALS = {"bid_out": _bid_out, "bidder_first": _bidder_first, "highest": _highest, "fixed_hands": _fixed_hands}


def _special(rules: Ruleset, tally: Tally, side: int) -> Sequence[Message]:
    if rules.special_bid == "none":
        return ()
    wins = "wins" if tally.totals[side] >= 0 else "scores"
    return (Message(f"need.{rules.special_bid}_{wins}", {"side": side}),)


def _last_set(rules: Ruleset, tally: Tally, side: int) -> Sequence[Message]:
    if rules.max_sets is None or tally.sets[side] != rules.max_sets - 1:
        return ()
    return (Message("need.last_set", {"side": side}),)
