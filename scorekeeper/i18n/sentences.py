"""Define the sentences that players read, as an English template for each message key.

A template names sides as `{side}`. It makes verbs agree with `{side:lose|loses}`: the first form is for several
players, the second for one. The catalogs translate the templates.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from scorekeeper.i18n.catalog import N_, _, elided, language_of
from scorekeeper.rules.explain import Message

TEMPLATES: Mapping[str, str] = {
    # What a hand did.
    "hand.made": N_("Made it! {side} {side:score|scores} {points}, from {was} to {total}."),
    "hand.set": N_("Set! {side} {side:lose|loses} {points}, from {was} to {total}."),
    "hand.gave_up": N_("{side} {side:give|gives} up the hand and {side:lose|loses} {points}, from {was} to {total}."),
    "hand.revoked": N_("{side} reneged, which costs the bid."),
    "hand.set_nothing": N_("Set! {side} {side:stay|stays} at {total}."),
    "hand.made_call": N_("{side} {side:make|makes} the {call}, from {was} to {total}."),
    "hand.made_moon": N_("{side} {side:shoot|shoots} the moon, from {was} to {total}."),
    "hand.set_call": N_("Set! The {call} failed: {side} {side:lose|loses} {points}, from {was} to {total}."),
    "hand.both_made": N_("Made it! {side} {side:score|scores} {points} each."),
    "hand.both_set": N_("Set! {side} {side:lose|loses} {points} each."),
    "hand.scores": N_("{side} {side:score|scores} {points}, from {was} to {total}."),
    "hand.only_bid": N_("They took {points}, but only the bid counts."),
    "hand.no_defense": N_("Defenders score nothing."),
    "hand.others": N_("The others score {points} each."),
    "hand.loses": N_("{side} {side:lose|loses} {points}, from {was} to {total}."),
    "hand.counts": N_("{side} {side:score|scores} {points}, from {was} to {total}: {what}."),
    "hand.out": N_("The count stops at {target}."),
    "hand.no_game": N_("Nobody reached {points} card points, so nobody scores Game."),
    "hand.thrown_in": N_("All passed: nobody scores."),
    # Why the game is over.
    "over.bid_out": N_("{side} made {side:their|a} bid of {bid} and won {result}."),
    "over.bid_out.take": N_("{side} had the bid and won {result}."),
    "over.bidder_first": N_("{side} made the bid and reached {total}."),
    "over.bidder_first.against": N_(
        "{side} made the bid and reached {total}. Bidder goes out first, so {rest} isn't enough."
    ),
    "over.most": N_("{side} {side:have|has} the high score, {total}."),
    "over.highest": N_("{side} {side:have|has} the high score, {total}."),
    "over.highest.lead": N_("{side} {side:have|has} the high score, {total}, and {side:lead|leads} by {lead}."),
    "over.tie_bidder": N_("Tied at {total}. The tie goes to the bidder, {side}."),
    "over.tie_break": N_("{side} {side:have|has} the high score after the tie-break hand, {total}."),
    "over.count_out": N_("{side} {side:were|was} the first to reach {target}."),
    "over.fixed_hands": N_("{side} {side:have|has} the high score after {hands} hands: {total} to {rest}."),
    "over.pitch": N_("{side} made a pitch. That wins the game."),
    "over.moon": N_("{side} shot the moon. That wins the game."),
    "over.moon_failed": N_("{other} bid a moon and missed it, so {side} won."),
    "over.moon_failed.best": N_(
        "{other} bid a moon and missed it. Of the others, {side} {side:have|has} the high score, {total}."
    ),
    "over.moon_failed.tied": N_("{other} bid a moon and missed it. The others are tied, so nobody wins."),
    "over.max_sets": N_("{other} {other:were|was} set {sets} times and lost."),
    "over.lose_at": N_("{other} {other:are|is} at {rest}, and {limit} or lower loses."),
    "over.lose_at.best": N_(
        "A score of {limit} or lower loses. Of the others, {side} {side:have|has} the high score, {total}."
    ),
    "over.lose_at.tied": N_("A score of {limit} or lower loses. Nobody else is alone in the lead, so nobody wins."),
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
    "over.final.moon.missed": N_("Final score entered: {score}. {side} won because a moon was missed."),
    "over.final.moon.tied": N_("Final score entered: {score}. A moon was missed with the others tied."),
    "over.final.max_sets": N_("Final score entered: {score}. {side} won because the other side was set too often."),
    "over.final.lose_at": N_("Final score entered: {score}. {side} won because {limit} or lower loses."),
    "over.final.lose_at.tied": N_(
        "Final score entered: {score}. {limit} or lower loses, and nobody else was alone in the lead."
    ),
    "over.final.conceded": N_("Final score entered: {score}. {side} won because the others conceded."),
    "over.final.time": N_("Final score entered: {score}. Time ran out with {side} ahead."),
    "over.final.time.nobody": N_("Final score entered: {score}. Time ran out with no winner."),
    "over.final.agreed": N_("Final score entered: {score}. The table agreed that {side} won."),
    "over.final.agreed.nobody": N_("Final score entered: {score}. The table agreed that nobody won."),
    # Why it goes on although a side has reached the target.
    "on.level": N_("Tied at {total}. Play on."),
    "on.lead": N_("Only {lead} ahead. You must win by {win_by}, so play on."),
    "on.bidder_behind": N_("The bidder reached {target} but isn't {win_by} ahead. Play on."),
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
    "need.ahead_or_bid": N_("Must make a bid, or be ahead if the bidder doesn't go out."),
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
    "need.lose_at": N_("A score of {limit} or lower loses the game."),
}


class SideName(Struct, frozen=True):
    """The name of a side (a team or a single player), for use in a sentence.

    `several` says whether the side has several players. The form of the verb depends on this.
    """

    name: str
    several: bool
    players: str = ""
    """The names of the players if `name` is a team name; otherwise empty."""

    def __format__(self, forms: str) -> str:
        if not forms:
            return self.name
        many, one = forms.split("|")
        return many if self.several else one


class _Counted(int):
    """A number that a template can show with its noun. `{left:hand|hands}` becomes "1 hand" or "3 hands"."""

    def __format__(self, forms: str) -> str:
        if "|" not in forms:
            return number(int(self))
        one, many = forms.split("|")
        return f"{int(self)} {one if self == 1 else many}"


def side_names(
    sides: Sequence[Sequence[int]], players: Sequence[str], teams: Sequence[str] = ()
) -> tuple[SideName, ...]:
    """Return the name of each side: its team name or, without a team name, its players' names, such as "Ann and Cid".

    `sides` has the seats of each side. `players` has the names by seat. `teams` has the team names by side, with "" for
    a side without a team name.
    """
    named = []
    for index, side in enumerate(sides):
        people = join_names([players[seat] for seat in side])
        team = teams[index] if index < len(teams) else ""
        named.append(SideName(isolated(team) or people, len(side) > 1, people if team else ""))
    return tuple(named)


def isolated(name: str) -> str:
    """Return `name` for use in a sentence, with invisible marks around a name that is written from right to left.

    Without the marks, such a name would reorder the rest of the sentence.
    """
    if any(unicodedata.bidirectional(char) in ("R", "AL", "RLE", "RLO", "RLI") for char in name):
        return f"\u2068{name}\u2069"
    return name


def join_names(names: Sequence[str]) -> str:
    """Return the names as a list in words, such as "Ann", "Ann and Cid" or "Ann, Cid and Eve"."""
    return names[0] if len(names) == 1 else _("%(first)s and %(last)s", first=", ".join(names[:-1]), last=names[-1])


def say(message: Message, sides: Sequence[SideName]) -> str:
    """Return `message` as a sentence in the reader's language. `sides` has the names of all sides.

    Messages about what a side needs to win contain no names, so `sides` may be empty for them. Raises `KeyError` for a
    message without a template.
    """
    params = {_NAMED.get(key, key): _worded(key, value, sides) for key, value in message.params.items()}
    total, rest = message.params.get("total"), message.params.get("rest")
    if type(total) is int and type(rest) is int:
        params["result"] = score_text((total, rest))
    return said(TEMPLATES[message.key], **params)


_NAMED = {"both": "side"}
"""Keys of messages whose placeholder in the template has another name: `both` (two sides) fills `{side}`."""


def _worded(key: str, value: Any, sides: Sequence[SideName]) -> Any:
    if key in ("side", "other", "bidder"):
        return sides[value] if sides else value
    if key == "both":
        return SideName(join_names([sides[side].name for side in value]), several=True)
    if key == "score":
        return score_text(value)
    if key == "what":
        return ", ".join(map(_, value))
    if key == "call":
        return _(value)
    return _Counted(value) if type(value) is int else value


def say_needs(messages: Iterable[Message], side: SideName | None = None) -> str:
    """Return what a side needs to win, such as "21 to go. Must make a bid to win.".

    If `side` is given, the result starts with the side's name, for example "Ann: 21 to go." If `messages` is empty, ""
    is returned.
    """
    needs = " ".join(say(message, ()) for message in messages)
    return _("%(side)s: %(needs)s", side=side.name, needs=needs) if side and needs else needs


def say_all(messages: Iterable[Message], sides: Sequence[SideName]) -> str:
    """Return the sentences of all messages, joined with spaces."""
    return " ".join(say(message, sides) for message in messages)


def points_text(ours: int, theirs: int) -> str:
    """Return the points of two sides, such as "22–14". If a number is negative, the form is "22 to −2"."""
    return f"{ours}–{theirs}" if min(ours, theirs) >= 0 else score_text((ours, theirs))


def score_text(totals: Sequence[int]) -> str:
    """Return the scores of all sides, such as "14 to 9" for two sides or "14, 9 and 3" for more.

    Negative scores have a true minus sign.
    """
    numbers = [number(total) for total in totals]
    if len(numbers) == 2:
        return _("%(ours)s to %(theirs)s", ours=numbers[0], theirs=numbers[1])
    return join_names(numbers)


def said(template: str, **values: Any) -> str:
    """Return a template (see `TEMPLATES`) in the reader's language, with `values` filled in."""
    return elided(_(template), values, language_of()).format_map(values)


def number(value: int) -> str:
    """Return the number as text, with a true minus sign ("−3") if it is negative."""
    return f"−{-value}" if value < 0 else str(value)


def signed(value: int) -> str:
    """Return the number as text with its sign, such as "+3" or "−3"."""
    return f"+{value}" if value > 0 else number(value)
