"""Make the page of an evening of games: the winner of each, games won by side, and sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from scorekeeper.games import pages
from scorekeeper.games.logic.request_key import choice_digest
from scorekeeper.games.presenters.share_links import game_named, result_told
from scorekeeper.games.presenters.vocabulary import no_winner_text
from scorekeeper.games.store.evening import GameOfEvening
from scorekeeper.i18n.catalog import N_, _, ngettext
from scorekeeper.i18n.sentences import SideName, isolated, join_names, number, said, score_text
from scorekeeper.rules.presets import PRESETS

TONIGHT = timedelta(hours=12)
"""How long after the last hand an evening is called tonight."""
NAMING = ("target", "finish")
"""House rules that change what a game is called."""
MOST_NAMED = 8
"""People in a tally by person."""


def evening_page(game_id: str, games: Sequence[GameOfEvening], now: datetime) -> pages.EveningPage:
    """Return the page of these games, in the order of play."""
    tonight = now - max(game.updated for game in games) < TONIGHT
    title = _("Games tonight") if tonight else _("Game night")
    wins = _counted([(game, side) for game in games if (side := game.winner) is not None])
    tally = _("Wins: %(wins)s", wins=wins) if wins else ""
    fallen = [(game, side) for game in games for side, times in enumerate(game.sets) for _time in range(times)]
    sets = _("Sets: %(sets)s", sets=told) if (told := _counted(fallen)) else ""
    shown = tuple(_game(place, game) for place, game in enumerate(games, 1))
    first = f"{title}. {tally}" if tally else title
    text = "\n".join(filter(None, (first, *(game.line for game in shown), sets)))
    version = choice_digest({game.public_id: game.updated.isoformat() for game in games}, len(games))
    return pages.EveningPage(game_id, title, tally, shown, sets, text, version)


def _game(place: int, game: GameOfEvening) -> pages.EveningGame:
    sides, name = (
        _side_names(game),
        game_named(replace(PRESETS[game.preset], **{key: game.options[key] for key in NAMING if key in game.options})),
    )
    named = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, game.totals, strict=True))
    between_two = len(sides) == 2 and game.winner is not None
    if game.winner is not None:
        winner = said(N_("{side} {side:win|wins}"), side=sides[game.winner])
    else:
        winner = no_winner_text(game.totals, game.ended_by) if game.over else _("In progress")
    score = score_text([game.totals[game.winner or 0], game.totals[1 - (game.winner or 0)]]) if between_two else named
    short = score if between_two else "" if game.winner is None else number(game.totals[game.winner])
    line = f"{place}. {name}. {result_told(winner, score, between_two=between_two)}"
    return pages.EveningGame(place, name, winner, short, line)


def _counted(each: Sequence[tuple[GameOfEvening, int]]) -> str:
    """Return how often each side is in the list, most first: "Ann and Cid 3, Bob and Dee 1".

    If partners changed during the evening, people are counted instead.
    """
    parties = {frozenset(game.sides) for game, _side in each}
    counts: Counter[str] = Counter()
    for game, side in each:
        if len(parties) == 1:
            counts.update({sides.name: int(place == side) for place, sides in enumerate(_side_names(game))})
        else:
            counts.update(isolated(name) for name in game.sides[side])
    ranked = sorted(counts.items(), key=lambda count: -count[1])
    told = ", ".join(f"{name} {number(count)}" for name, count in ranked[:MOST_NAMED])
    more = len(ranked) - MOST_NAMED
    return told if more <= 0 else ngettext("%(told)s and %(num)s more", "%(told)s and %(num)s more", more, told=told)


def _side_names(game: GameOfEvening) -> list[SideName]:
    return [
        SideName(isolated(team) if team else join_names([isolated(name) for name in side]), len(side) > 1)
        for team, side in zip(game.team_names, game.sides, strict=True)
    ]
