"""The sentences players read: one template for each message key, in English; the catalogs translate them.

A template names sides as `{side}` and agrees its verbs by `{side:need|needs}`: the
first form for several players, the second for one alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.i18n.catalog import N_, _
from scorekeeper.rules.explain import Message
from scorekeeper.rules.table import Table

TEMPLATES: Mapping[str, str] = {
    # What a hand did.
    "hand.made": N_("{side} {side:make|makes} {points}: from {was} to {total}."),
    "hand.set": N_("Set! {side} {side:lose|loses} {points}: from {was} to {total}."),
    "hand.set_nothing": N_("Set! {side} {side:stay|stays} at {total}."),
    "hand.made_call": N_("{side} {side:make|makes} the {call}: from {was} to {total}."),
    "hand.set_call": N_("Set! The {call} failed: {side} {side:lose|loses} {points}, from {was} to {total}."),
    "hand.partner_made": N_("{side} {side:make|makes} {points} too: from {was} to {total}."),
    "hand.partner_set": N_("{side} {side:lose|loses} {points} too: from {was} to {total}."),
    "hand.scores": N_("{side} {side:score|scores} {points}: from {was} to {total}."),
    "hand.no_game": N_("Nobody reached {points} card points, so nobody scores Game."),
    "hand.thrown_in": N_("Everyone passed: nobody scores."),
    # Why the game is over.
    "over.bid_out": N_("{side} bid {bid}, made it, {side:have|has} {total} and {side:lead|leads} by {lead}."),
    "over.bid_out.take": N_("{side} took the bid, {side:have|has} {total} and {side:lead|leads} by {lead}."),
    "over.bidder_first": N_("{side} made the bid and {side:have|has} {total}."),
    "over.bidder_first.against": N_(
        "{side} made the bid and {side:have|has} {total}: the bidder goes out first, even against {rest}."
    ),
    "over.most": N_("{side} {side:have|has} {total}, the most of anyone at {target} or above."),
    "over.highest": N_("{side} {side:have|has} {total}, the highest at {target} or above."),
    "over.highest.lead": N_("{side} {side:have|has} {total}, at {target} or above, and {side:lead|leads} by {lead}."),
    "over.tie_bidder": N_("Level at {total}: the tie goes to the bidder, {side}."),
    "over.tie_break": N_("{side} {side:have|has} {total}, the highest after the tie-break hand."),
    "over.fixed_hands": N_("{side} {side:have|has} {total}, the most after {hands} hands."),
    "over.pitch": N_("{side} made a pitch from {was}: that wins the game at once."),
    "over.moon": N_("{side} shot the moon from {was}: that wins the game at once."),
    "over.moon_failed": N_("{other} called the moon and failed: {side} {side:win|wins}."),
    "over.max_sets": N_("{other} {other:were|was} set {sets} times and {other:lose|loses}."),
    "over.conceded": N_("The game was conceded to {side}."),
    "over.abandoned": N_("The table stopped before anyone won."),
    "over.time": N_("Time ran out, and {side} won."),
    "over.time.nobody": N_("Time ran out and nobody won."),
    "over.agreed": N_("The table agreed that {side} won."),
    "over.agreed.nobody": N_("The table agreed to stop without a winner."),
    "over.final": N_("Entered as a final score, {score}: {side} {side:have|has} the most."),
    "over.final.level": N_("Entered as a final score, {score}: level, nobody won."),
    "over.final.undecided": N_("Entered as a final score, {score}: nobody said who won."),
    "over.final.target": N_("Entered as a final score, {score}: {side} went out."),
    "over.final.pitch": N_("Entered as a final score, {score}: {side} made a pitch."),
    "over.final.moon": N_("Entered as a final score, {score}: {side} won on a moon."),
    "over.final.max_sets": N_(
        "Entered as a final score, {score}: {side} won because the other side was set too often."
    ),
    "over.final.conceded": N_("Entered as a final score, {score}: the game was conceded to {side}."),
    "over.final.time": N_("Entered as a final score, {score}: time ran out, and {side} won."),
    "over.final.time.nobody": N_("Entered as a final score, {score}: time ran out and nobody won."),
    "over.final.agreed": N_("Entered as a final score, {score}: the table agreed that {side} won."),
    "over.final.agreed.nobody": N_("Entered as a final score, {score}: the table agreed that nobody won."),
    # Why it is not, although somebody is there.
    "on.level": N_("Level at {total}: nobody is ahead, so play goes on."),
    "on.lead": N_("{total} to {rest} is a lead of {lead}, and it takes {win_by}: play goes on."),
    "on.defender": N_("{side} {side:have|has} {total}, but did not have the bid: play goes on."),
    "on.set": N_("{side} {side:have|has} {total}, but did not make the bid: play goes on."),
    "on.tie_break": N_("Level at {total}: one more hand, and then the highest score wins."),
    "on.hands_level": N_("Level at {total} after the last hand: play goes on until somebody is ahead."),
    # What each side needs.
    "need.bid_out": N_("{side} {side:need|needs} {gap} more, and the bid."),
    "need.bid_out_lead": N_("{side} {side:need|needs} {gap} more, the bid, and a lead of {win_by}."),
    "need.bid": N_("{side} {side:need|needs} to make a bid."),
    "need.bid_lead": N_("{side} {side:need|needs} to make a bid and lead by {win_by}."),
    "need.take_lead": N_("{side} {side:need|needs} to take the bid and end at {target} or above, {win_by} ahead."),
    "need.points": N_("{side} {side:need|needs} {gap} more."),
    "need.points_contested": N_(
        "{side} {side:need|needs} {gap} more, with the bid made, or with the lead if the bidder doesn't go out."
    ),
    "need.points_ahead": N_("{side} {side:need|needs} {gap} more, and the lead."),
    "need.points_lead": N_("{side} {side:need|needs} {gap} more, and a lead of {win_by}."),
    "need.ahead": N_("{side} {side:need|needs} to get ahead."),
    "need.ahead_or_bid": N_(
        "{side} {side:need|needs} to make a bid, or to get ahead in a hand in which the bidder doesn't go out."
    ),
    "need.ahead_or_tie": N_("{side} {side:need|needs} to get ahead, or to tie with the bid."),
    "need.points_ahead_or_tie": N_("{side} {side:need|needs} {gap} more, and the lead, or a tie with the bid."),
    "need.lead": N_("{side} {side:need|needs} a lead of {win_by}."),
    "need.decides_any": N_(
        "{side} {side:need|needs} the highest score after this hand. Everybody can still win, not only those who tied."
    ),
    "need.decides": N_("{side} {side:need|needs} the highest score after this hand."),
    "need.hands_leads": N_("{side} {side:lead|leads} by {lead}, {left:hand|hands} to go."),
    "need.hands_behind": N_("{side} {side:are|is} {lead} behind, {left:hand|hands} to go."),
    "need.hands_level": N_("{side} {side:are|is} level, {left:hand|hands} to go."),
    "need.pitch_wins": N_("A pitch wins too."),
    "need.pitch_scores": N_("A pitch only scores: below zero it does not win."),
    "need.moon_wins": N_("A moon wins too."),
    "need.moon_scores": N_("A moon only brings the score to 0."),
    "need.last_set": N_("One more set loses the game."),
}


@dataclass(frozen=True, slots=True)
class SideName:
    """A side in a sentence: its name, and whether it is one player or several."""

    name: str
    several: bool

    def __format__(self, forms: str) -> str:
        if not forms:
            return self.name
        many, one = forms.split("|")
        return many if self.several else one


class _Counted(int):
    """A number that brings its noun: `{left:hand|hands}` is "1 hand" or "3 hands"."""

    def __format__(self, forms: str) -> str:
        if "|" not in forms:
            return number(int(self))
        one, many = forms.split("|")
        return f"{int(self)} {one if self == 1 else many}"


def side_names(table: Table, players: Sequence[str]) -> tuple[SideName, ...]:
    """Return the name of each side: "Ann and Cid", or a player's own."""
    return tuple(SideName(join_names([players[seat] for seat in side]), len(side) > 1) for side in table.sides)


def isolated(name: str) -> str:
    """Return a name fit for a sentence: one from a right-to-left script would turn the words around it."""
    if any(unicodedata.bidirectional(char) in ("R", "AL", "RLE", "RLO", "RLI") for char in name):
        return f"\u2068{name}\u2069"
    return name


def join_names(names: Sequence[str]) -> str:
    """Return "Ann", "Ann and Cid" or "Ann, Cid and Eve"."""
    return names[0] if len(names) == 1 else _("%(first)s and %(last)s", first=", ".join(names[:-1]), last=names[-1])


def say(message: Message, sides: Sequence[SideName]) -> str:
    """Return the sentence of `message`; raises `KeyError` for a key without a template."""
    params: dict[str, Any] = {}
    for key, value in message.params.items():
        if key in ("side", "other", "bidder"):
            params[key] = sides[value]
        elif key == "score":
            params[key] = score_text(value)
        elif key == "call":
            params[key] = _(value)
        else:
            params[key] = _Counted(value) if type(value) is int else value
    return _(TEMPLATES[message.key]).format_map(params)


def say_own(messages: Iterable[Message], sides: Sequence[SideName]) -> str:
    """Return the sentences as they stand on a side's own card, which says its name already."""
    own = tuple(SideName("", side.several) for side in sides)
    text = " ".join(say(message, own).strip() for message in messages)
    return text[:1].upper() + text[1:]


def say_all(messages: Iterable[Message], sides: Sequence[SideName]) -> str:
    """Return the sentences one after another."""
    return " ".join(say(message, sides) for message in messages)


def score_text(totals: Sequence[int]) -> str:
    """Return "14 to 9", or "14, 9 and 3" for more than two sides; minus signs are true ones."""
    numbers = [number(total) for total in totals]
    if len(numbers) == 2:
        return _("%(ours)s to %(theirs)s", ours=numbers[0], theirs=numbers[1])
    return join_names(numbers)


def said(template: str, **values: Any) -> str:
    """Return a template of the kind above, which agrees with its side, in the reader's language and filled in."""
    return _(template).format_map(values)


def number(value: int) -> str:
    """Return the number with a true minus sign."""
    return f"−{-value}" if value < 0 else str(value)
