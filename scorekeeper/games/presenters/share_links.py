"""Make the message and the link that players share in a chat to tell others about a game."""

from __future__ import annotations

from scorekeeper.games import pages
from scorekeeper.games.presenters.bg_stats import play_link
from scorekeeper.games.presenters.snapshot import Snapshot, side_views
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.sentences import number, score_text
from scorekeeper.rules.ruleset import Ruleset


def handed_on(snapshot: Snapshot) -> pages.HandedOn:
    """Return the message about a game for a group chat.

    If watching is turned off, `watched` is False in the result. Then no link and no picture can be shared.
    """
    game, sides = snapshot.game, snapshot.sides
    outcome = outcome_view(game, sides)
    totals = game.tally.totals
    named = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, totals, strict=True))
    if outcome is None:
        told = _("Hand %(number)s: %(score)s.", number=len(game.hands) + 1, score=named)
    elif outcome.side is not None and len(sides) == 2:
        score = score_text([totals[outcome.side], totals[1 - outcome.side]])
        told = result_told(outcome.headline, score, between_two=True)
    else:
        told = result_told(outcome.headline, named)
    if game.outcome is not None and game.outcome.rule == "conceded" and outcome is not None:
        told = f"{told} {outcome.reason}"
    needs = " ".join(side.needs for side in side_views(game, sides) if side.needs)
    return pages.HandedOn(
        about=f"{outcome.headline}. {outcome.reason}" if outcome else needs,
        text=f"{game_named(game.table.rules)}. {told}",
        game_id=snapshot.public_id,
        version=game.version,
        watched=snapshot.watched,
        bg_stats=play_link(snapshot),
    )


def message_of(snapshot: Snapshot, *, winner: str, score: str) -> str:
    """Return the message about a finished game, with the name of the game and the result.

    `winner` is a phrase such as "Ann and Cid win", and `score` is the score in words.
    """
    told = result_told(winner, score, between_two=len(snapshot.sides) == 2)
    return f"{game_named(snapshot.game.table.rules)}. {told}"


def result_told(winner: str, score: str, *, between_two: bool = False) -> str:
    """Return a result such as "Ann and Cid win: 22, 15 and 9.".

    `between_two` means that two sides played. The result is then like "Ann and Cid win, 22 to 15.". `winner` is a
    phrase such as "Ann and Cid win", and `score` is the score in words.
    """
    if between_two:
        return _("%(winner)s, %(score)s.", winner=winner, score=score)
    return _("%(winner)s: %(score)s.", winner=winner, score=score)


def game_named(rules: Ruleset) -> str:
    """Return the name of a game with its target score, such as "Setback to 21".

    The target is not added if it is part of the name already, or if the game ends after a fixed number of hands.
    """
    name = spoken(rules.name)
    if rules.finish == "fixed_hands" or str(rules.target) in name:
        return name
    return _("%(game)s to %(target)s", game=name, target=rules.target)
