"""Build the page that shows how a game would have ended with other rules."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.games import pages
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.games.presenters.vocabulary import LETTERS
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.ruleset_labels import as_house_rule, rules_line
from scorekeeper.i18n.sentences import SideName, score_text
from scorekeeper.insight.what_if import Ending, ending, other_rules, played_hands
from scorekeeper.rules.game import Game
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import leaders_of

MOST_HANDS = 100
"""A game with more hands is not replayed, because that would take too long: each rule replays them all."""


def has_what_if(game: Game) -> bool:
    """Return whether a game can be replayed with other rules: it must be over and have 1 to `MOST_HANDS` hands."""
    return game.over and 0 < len(game.hands) <= MOST_HANDS


def what_if_page(snapshot: Snapshot) -> pages.WhatIfPage:
    """Return the page with the end of a game with other rules. If there is none, the page says why."""
    game, sides = snapshot.game, snapshot.sides
    outcome = outcome_view(game, sides)
    ended = f"{outcome.headline}. {outcome.reason}" if outcome else ""
    if not has_what_if(game):
        return pages.WhatIfPage(snapshot.public_id, ended, (), (), _missing(game))
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
    return pages.WhatIfPage(snapshot.public_id, ended, tuple(ends), tuple(same))


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


def _other_end(game: Game, rule: str, end: Ending, winner: int | None, sides: Sequence[SideName]) -> pages.OtherEnd:
    over, side = _result(game, end)
    return pages.OtherEnd(
        rule=rule,
        side=side,
        letter="" if side is None else LETTERS[side],
        winner=sides[side].name if side is not None else _("nobody") if over else _("not over yet"),
        different=side is not None and winner not in (None, side),
        score=score_text(end.tally.totals),
        hands=end.hands,
    )


def _missing(game: Game) -> str:
    if not game.over:
        return _("When the game is over, see here how it would have ended with other rules.")
    if not game.hands:
        return _("No hands were entered.")
    return _("A game of more than %(most)s hands can't be scored again here.", most=MOST_HANDS)
