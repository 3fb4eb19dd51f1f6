"""What goes from a game to a chat: a link with its preview, the result as text, the picture."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import request, url_for

from scorekeeper.games import pages
from scorekeeper.games.presenters.snapshot import Snapshot, side_views
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.sentences import number, score_text
from scorekeeper.rules.ruleset import Ruleset

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))
ONLY_HERE = N_(
    "Only this computer can open that address. Start the score book with --lan, and open it here, too, by the address "
    "that it then shows for phones."
)


def only_here() -> str:
    """Return what stands in the way of other phones, empty where nothing does."""
    return _(ONLY_HERE) if urlsplit(request.host_url).hostname in LOOPBACK else ""


def handed_on(snapshot: Snapshot) -> pages.HandedOn:
    """Return what others may be sent; without link and picture where nobody else may watch."""
    game, sides = snapshot.game, snapshot.sides
    outcome = outcome_view(game, sides)
    totals = game.tally.totals
    named = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, totals, strict=True))
    if outcome is None:
        told = _("Hand %(number)s: %(score)s.", number=len(game.hands) + 1, score=named)
    elif outcome.side is not None and len(sides) == 2:
        score = score_text([totals[outcome.side], totals[1 - outcome.side]])
        told = _won(outcome.headline, score, between_two=True)
    else:
        told = _won(outcome.headline, named)
    needs = " ".join(side.needs for side in side_views(game, sides) if side.needs)
    game_id, watched = snapshot.public_id, snapshot.watched
    url = url_for("games.watch", game_id=game_id, _external=True) if watched else ""
    return pages.HandedOn(
        about=f"{outcome.headline}. {outcome.reason}" if outcome else needs,
        text=" ".join(filter(None, (f"{_named(game.table.rules)}.", told, url))),
        url=url,
        note=only_here() if url else "",
        # Chat programs keep a picture by its address: another score is another one.
        picture=url_for("games.picture", game_id=game_id, v=game.version, _external=True) if watched else "",
    )


def message_of(snapshot: Snapshot, *, winner: str, score: str) -> str:
    """Return what is sent of a game that `winner` won, as `handed_on` says it."""
    told = _won(winner, score, between_two=len(snapshot.sides) == 2)
    url = url_for("games.watch", game_id=snapshot.public_id, _external=True) if snapshot.watched else ""
    return " ".join(filter(None, (f"{_named(snapshot.game.table.rules)}.", told, url)))


def _won(winner: str, score: str, *, between_two: bool = False) -> str:
    if between_two:
        return _("%(winner)s, %(score)s.", winner=winner, score=score)
    return _("%(winner)s: %(score)s.", winner=winner, score=score)


def _named(rules: Ruleset) -> str:
    name = spoken(rules.name)
    if rules.finish == "fixed_hands" or str(rules.target) in name:
        return name
    return _("%(game)s to %(target)s", game=name, target=rules.target)
