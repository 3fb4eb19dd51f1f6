"""The sentences that players read: an English template for each message key; the catalogs translate them.

A template names sides as `{side}` and agrees verbs by `{side:make|makes}`: the first form
for several players, the second for one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.i18n.catalog import N_, _, language_of
from scorekeeper.i18n.elision import elided
from scorekeeper.rules.explain import Message

TEMPLATES: Mapping[str, str] = {
    # What a hand did.
    "hand.made": N_("{side} {side:make|makes} {points}, from {was} to {total}."),
    "hand.set": N_("Set! {side} {side:lose|loses} {points}, from {was} to {total}."),
    "hand.set_nothing": N_("Set! {side} {side:stay|stays} at {total}."),
    "hand.made_call": N_("{side} {side:make|makes} the {call}, from {was} to {total}."),
    "hand.set_call": N_("Set! The {call} failed: {side} {side:lose|loses} {points}, from {was} to {total}."),
    "hand.both_made": N_("{side} {side:make|makes} {points}."),
    "hand.both_set": N_("Set! {side} {side:lose|loses} {points}."),
    "hand.scores": N_("{side} {side:score|scores} {points}, from {was} to {total}."),
    "hand.loses": N_("{side} {side:lose|loses} {points}, from {was} to {total}."),
    "hand.no_game": N_("Nobody reached {points} card points, so nobody scores Game."),
    "hand.thrown_in": N_("Everyone passed: nobody scores."),
    # Why the game is over.
    "over.bid_out": N_("{side} made {side:their|a} bid of {bid} and {side:win|wins} {result}."),
    "over.bid_out.take": N_("{side} had the bid and {side:win|wins} {result}."),
    "over.bidder_first": N_("{side} made the bid and reached {total}."),
    "over.bidder_first.against": N_(
        "{side} made the bid and reached {total}. Bidder goes out first, so {rest} doesn't beat it."
    ),
    "over.most": N_("{side} {side:have|has} the high score, {total}."),
    "over.highest": N_("{side} {side:have|has} the high score, {total}."),
    "over.highest.lead": N_("{side} {side:have|has} the high score, {total}, and {side:lead|leads} by {lead}."),
    "over.tie_bidder": N_("Tied at {total}. The tie goes to the bidder, {side}."),
    "over.tie_break": N_("{side} {side:have|has} the high score after the tie-break hand, {total}."),
    "over.fixed_hands": N_("{side} {side:have|has} the high score after {hands} hands, {total}."),
    "over.pitch": N_("{side} made a pitch from {was}. That wins the game."),
    "over.moon": N_("{side} shot the moon from {was}. That wins the game."),
    "over.moon_failed": N_("{other} bid a moon and missed it, so {side} {side:win|wins}."),
    "over.max_sets": N_("{other} {other:were|was} set {sets} times and {other:lose|loses}."),
    "over.conceded": N_("{other} conceded."),
    "over.conceded.all": N_("Everyone else conceded."),
    "over.abandoned": N_("The table ended the game without a winner."),
    "over.time": N_("Time ran out with {side} ahead."),
    "over.time.nobody": N_("Time ran out with no winner."),
    "over.agreed": N_("The table agreed that {side} won."),
    "over.agreed.nobody": N_("The table agreed to end the game without a winner."),
    "over.final": N_("Final score entered: {score}. {side} {side:have|has} the high score."),
    "over.final.level": N_("Final score entered: {score}. It's a tie."),
    "over.final.undecided": N_("Final score entered: {score}. No winner was named."),
    "over.final.target": N_("Final score entered: {score}. {side} went out."),
    "over.final.pitch": N_("Final score entered: {score}. {side} made a pitch."),
    "over.final.moon": N_("Final score entered: {score}. {side} shot the moon."),
    "over.final.max_sets": N_("Final score entered: {score}. {side} won because the other side was set too often."),
    "over.final.conceded": N_("Final score entered: {score}. {side} won because the others conceded."),
    "over.final.time": N_("Final score entered: {score}. Time ran out with {side} ahead."),
    "over.final.time.nobody": N_("Final score entered: {score}. Time ran out with no winner."),
    "over.final.agreed": N_("Final score entered: {score}. The table agreed that {side} won."),
    "over.final.agreed.nobody": N_("Final score entered: {score}. The table agreed that nobody won."),
    # Why it goes on although a side has reached the target.
    "on.level": N_("Tied at {total}. Play on."),
    "on.lead": N_("Only {lead} ahead. You must win by {win_by}, so play on."),
    "on.defender": N_("{side} {side:have|has} {total} but didn't have the bid. Play on."),
    "on.set": N_("{side} {side:have|has} {total} but didn't make the bid. Play on."),
    "on.tie_break": N_("Tied at {total}. One more hand, and high score wins."),
    "on.hands_level": N_("Tied at {total} after the last hand. Play on until someone is ahead."),
    # What a side needs. Its name stands in front or above.
    "need.bid_out": N_("{gap} to go. Must make a bid to win."),
    "need.bid_out_lead": N_("{gap} to go. Must make a bid and lead by {win_by}."),
    "need.bid": N_("Must make a bid to win."),
    "need.bid_lead": N_("Must make a bid and lead by {win_by}."),
    "need.take_lead": N_("Must win the bid and finish at {target} or more, {win_by} ahead."),
    "need.points": N_("{gap} to go."),
    "need.points_contested": N_("{gap} to go. Must make the bid, or be ahead if the bidder doesn't go out."),
    "need.points_ahead": N_("{gap} to go. Must be ahead."),
    "need.points_lead": N_("{gap} to go, with a {win_by}-point lead."),
    "need.ahead": N_("Must take the lead to win."),
    "need.ahead_or_bid": N_("Must make a bid, or be ahead after a hand where the bidder doesn't go out."),
    "need.ahead_or_tie": N_("Must take the lead, or be tied and have the bid."),
    "need.points_ahead_or_tie": N_("{gap} to go. Must be ahead, or be tied and have the bid."),
    "need.lead": N_("Must lead by {win_by} to win."),
    "need.decides_any": N_("High score after this hand wins. Anyone can win, not just the tied players."),
    "need.decides": N_("High score after this hand wins."),
    "need.hands_leads": N_("{lead} ahead, {left:hand|hands} to go."),
    "need.hands_behind": N_("{lead} behind, {left:hand|hands} to go."),
    "need.hands_level": N_("Tied for the lead, {left:hand|hands} to go."),
    "need.pitch_wins": N_("Or make a pitch."),
    "need.pitch_scores": N_("A pitch scores, but can't win from below zero."),
    "need.moon_wins": N_("Or shoot the moon."),
    "need.moon_scores": N_("A moon only brings you to 0."),
    "need.last_set": N_("One more set loses the game."),
}


@dataclass(frozen=True, slots=True)
class SideName:
    """A side in a sentence: its name, and whether it has several players."""

    name: str
    several: bool
    players: str = ""
    """The players of a side that has a team name; empty if their names are its name."""

    def __format__(self, forms: str) -> str:
        if not forms:
            return self.name
        many, one = forms.split("|")
        return many if self.several else one


class _Counted(int):
    """A number with its noun: `{left:hand|hands}` is "1 hand" or "3 hands"."""

    def __format__(self, forms: str) -> str:
        if "|" not in forms:
            return number(int(self))
        one, many = forms.split("|")
        return f"{int(self)} {one if self == 1 else many}"


def side_names(
    sides: Sequence[Sequence[int]], players: Sequence[str], teams: Sequence[str] = ()
) -> tuple[SideName, ...]:
    """Return the name of each side: its team name, "Ann and Cid", or a player's own.

    `players` are names by seat, and `teams` team names by side, "" for a side without one.
    """
    named = []
    for index, side in enumerate(sides):
        people = join_names([players[seat] for seat in side])
        team = teams[index] if index < len(teams) else ""
        named.append(SideName(isolated(team) or people, len(side) > 1, people if team else ""))
    return tuple(named)


def isolated(name: str) -> str:
    """Return a name for use in a sentence, isolated if its script runs right to left and would reorder the text."""
    if any(unicodedata.bidirectional(char) in ("R", "AL", "RLE", "RLO", "RLI") for char in name):
        return f"\u2068{name}\u2069"
    return name


def join_names(names: Sequence[str]) -> str:
    """Return "Ann", "Ann and Cid" or "Ann, Cid and Eve"."""
    return names[0] if len(names) == 1 else _("%(first)s and %(last)s", first=", ".join(names[:-1]), last=names[-1])


def say(message: Message, sides: Sequence[SideName]) -> str:
    """Return the sentence of `message`, with the names of `sides` in it; what a side needs to win contains no name.

    Raises `KeyError` for a key without a template.
    """
    params = {_NAMED.get(key, key): _worded(key, value, sides) for key, value in message.params.items()}
    total, rest = message.params.get("total"), message.params.get("rest")
    if type(total) is int and type(rest) is int:
        params["result"] = margin_text(total, rest)
    return said(TEMPLATES[message.key], **params)


_NAMED = {"both": "side"}
"""Placeholders that a message fills under another name: `both` sides stand where `side` does."""


def _worded(key: str, value: Any, sides: Sequence[SideName]) -> Any:
    if key in ("side", "other", "bidder"):
        return sides[value] if sides else value
    if key == "both":
        return SideName(join_names([sides[side].name for side in value]), several=True)
    if key == "score":
        return score_text(value)
    if key == "call":
        return _(value)
    return _Counted(value) if type(value) is int else value


def say_needs(messages: Iterable[Message], side: SideName | None = None) -> str:
    """Return the needs of a side: "21 to go. Must make a bid to win."; with its name in front if `side` is given."""
    needs = " ".join(say(message, ()) for message in messages)
    return _("%(side)s: %(needs)s", side=side.name, needs=needs) if side and needs else needs


def say_all(messages: Iterable[Message], sides: Sequence[SideName]) -> str:
    """Return the sentences in a row."""
    return " ".join(say(message, sides) for message in messages)


def margin_text(total: int, rest: int) -> str:
    """Return a final score from the winner's total and the other side's: "25-23", or "25 to −3" if one is negative."""
    return f"{total}-{rest}" if min(total, rest) >= 0 else score_text((total, rest))


def score_text(totals: Sequence[int]) -> str:
    """Return "14 to 9", or "14, 9 and 3" for more than two sides, with true minus signs."""
    numbers = [number(total) for total in totals]
    if len(numbers) == 2:
        return _("%(ours)s to %(theirs)s", ours=numbers[0], theirs=numbers[1])
    return join_names(numbers)


def said(template: str, **values: Any) -> str:
    """Return a template like those above in the reader's language, filled in."""
    return elided(_(template), values, language_of()).format_map(values)


def number(value: int) -> str:
    """Return the number with a true minus sign."""
    return f"−{-value}" if value < 0 else str(value)
