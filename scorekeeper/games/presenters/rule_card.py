"""Make the rule card of a table: one page with the table's rules in plain words, to settle arguments."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from scorekeeper.games.pages.common import GameFacts, HouseRuleLine, RuleLine, RuleSection
from scorekeeper.games.presenters import rules_of_bidding, rules_of_play, rules_of_scoring
from scorekeeper.games.presenters.rules_of_play import Sentence, misdeal
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.ruleset_labels import (
    differences,
    rules_line,
    value_words,
)
from scorekeeper.rules.options import BIDDING, NEEDED, OPTIONS, POINTS, SCORING, THE_DEAL, THE_END, THE_PLAY
from scorekeeper.rules.parts import Topic
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, why_unused

_ASKED: tuple[Topic, ...] = ("bids", "dealer", "all_pass", "set")
NOT_HERE, NOT_USUAL = N_("Doesn't apply."), N_("No rule for this.")


def rule_card(rules: Ruleset, *, game_id: str = "", facts: GameFacts | None = None) -> SimpleNamespace:
    """Return the rules as a page. Each rule that differs from the usual rules is listed together with the usual rule.

    `game_id` is the public id of a game, or "" for the usual rules of a kind of game. `facts` is what simulated hands
    say about the game, if the page is to show it.
    """
    usual = PRESETS[rules.preset]
    return SimpleNamespace(
        title=_("How to play %(game)s", game=spoken(rules.name)),
        summary=f"{rules_line(rules)}.",
        sections=tuple(
            RuleSection(spoken(heading), lines)
            for heading, sentences in SECTIONS.items()
            if (lines := _lines(rules, usual, sentences))
        ),
        # Every difference from the usual rules; empty if there is none.
        house=tuple(HouseRuleLine(usual=theirs, ours=ours) for theirs, ours in differences(rules)),
        # Public id of the game; empty for the usual rules of a game.
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
    asked = (*(TOPICS[topic] for topic in _ASKED), _own("hang_jack"), _own("turned_up_points"))
    lines = (f"{rules_line(rules)}.", *(sentence(rules) for sentence in asked))
    return tuple(line for line in lines if line)


def _lines(rules: Ruleset, usual: Ruleset, sentences: Sequence[Sentence]) -> tuple[RuleLine, ...]:
    lines = []
    decided = {misdeal, *(TOPICS[topic] for topic in rules.decided)}
    for sentence in sentences:
        ours, theirs = sentence(rules), sentence(usual)
        if ours or theirs:
            differs = ours != theirs
            usually = (theirs or _(NOT_USUAL)) if differs else ""
            lines.append(RuleLine(ours or _(NOT_HERE), differs, usually, not differs and sentence in decided))
    return tuple(lines)


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


_PARTS = (rules_of_play, rules_of_bidding, rules_of_scoring)
TOPICS: Mapping[Topic, Sentence] = {topic: sentence for part in _PARTS for topic, sentence in part.TOPICS.items()}
"""The function that returns the line about a topic, for each topic that `Parts.decided` may contain."""
_FIRST_LINES = {heading: lines for part in _PARTS for heading, lines in part.LINES.items()}
SECTIONS: Mapping[str, tuple[Sentence, ...]] = {
    heading: (*_FIRST_LINES[heading], *(_own(key) for key, option in OPTIONS.items() if option.section == heading))
    for heading in (NEEDED, THE_DEAL, BIDDING, THE_PLAY, POINTS, SCORING, THE_END)
}
"""The lines of each section, by its heading; the last ones are about a single option each."""
