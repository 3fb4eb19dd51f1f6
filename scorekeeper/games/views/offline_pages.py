"""Make the pages of a game that a phone shows while offline, from the templates of the same pages online.

They are rendered for an empty game. `static/js/games/offline-pages.js` fills in score, hands, and what a change does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from flask import render_template, url_for

from scorekeeper.games import pages, queries
from scorekeeper.games.forms.correction import AdjustForm
from scorekeeper.games.presenters.agreements import adjust_page, ending_page
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.card_count import count_page, count_rules, count_words, whole_deck_page
from scorekeeper.games.presenters.correction import correction_page
from scorekeeper.games.presenters.rule_card import rule_card
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.games.presenters.vocabulary import LETTERS, adjustment_text, bid_in_suit, call_text, said_bid
from scorekeeper.games.store.access import NoSuchGameError
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules.game import Entry, Game
from scorekeeper.rules.hands import allowed_trumps
from scorekeeper.rules.record import MOST_ADJUSTED
from scorekeeper.rules.replay import advance
from scorekeeper.rules.scoring import Hand

LOG_LINES = 30
"""Entries of the history that a phone has without a signal."""
MARK = 987_654
"""Placeholder for the number of a hand, and for the points of an adjustment."""


def pages_of(snapshot: Snapshot, empty: Game) -> dict[str, Any]:
    """Return the HTML of a game's pages; `empty` is the game before its first hand.

    `correct` has the form to correct a hand for each bidder, by seat; `effect` and `strike` are the part that shows
    what a correction or a deletion would change. `end` has the page that ends the game for each winner, by side; ""
    ends it without one.
    """
    fresh = replace(snapshot, game=empty, tally=(), latest=ev.GameStarted(empty.table.rules, (), (), 0))
    effect = _effect(empty)
    (hand, *_rest) = corrected = [_correction(fresh, seat) for seat in range(empty.table.players)]
    adjusted = replace(fresh, game=advance(empty, c.decide(empty, c.AdjustScore(0, 1, "-"))))
    dropping = correction_page(adjusted, adjusted.game.entries[0], effect=effect, striking=True)
    return {
        "table": _page("table", page=_menu(snapshot, fresh)),
        "rules": _page("rule_card", page=rule_card(empty.table.rules, game_id=snapshot.public_id)),
        "log": _history(snapshot),
        "correct": [_page("correction", page=page) for page in corrected],
        "effect": _section(_page("correction", page=replace(hand, effect=effect))),
        "strike": _section(_page("correction", page=replace(hand, number=MARK, effect=effect, striking=True))),
        "drop": _page("correction", page=dropping),
        "adjust": _page("adjust", page=adjust_page(fresh), form=AdjustForm(None)),
        "adjusting": _section(_page("adjust", page=adjust_page(fresh, effect=effect), form=AdjustForm(None))),
        "end": dict(_endings(fresh)),
        "auction": _auction(fresh),
        "count": _count(fresh) if empty.table.rules.categories else None,
    }


def _effect(game: Game) -> pages.Effect:
    """Return an effect with one row and no values."""
    return pages.Effect(
        (pages.ChangeRow(0, "", "", LETTERS[:2] if len(game.table.sides) == 2 else ""),), "{result}", ""
    )


def _page(template: str, **values: Any) -> str:
    """Return a page without its frame."""
    return render_template(f"games/{template}.html", part=True, **values).replace(str(MARK), "{n}")


def _section(html: str) -> str:
    """Return the section of a page that shows the effect of a change."""
    return html[html.index('<section class="panel effect"') : html.index("</section>") + len("</section>")]


def _correction(fresh: Snapshot, seat: int) -> pages.CorrectionPage:
    """Return the page to correct a hand that `seat` bid; its fields are empty."""
    table = fresh.game.table
    # With a called partner a hand has points of the bidder's side and of all others.
    taken = (0, 0) if table.called else (0,) * len(table.sides)
    entry = Entry(0, Hand(fresh.game.dealer, seat, table.bids[0], taken))
    page = correction_page(fresh, entry, chosen={"bidder": str(seat), "bid": "pitch"})
    nobody = tuple(replace(choice, chosen=False) for choice in page.bids)
    return replace(page, number=MARK, said="", bids=nobody)


def _menu(snapshot: Snapshot, fresh: Snapshot) -> pages.TablePage:
    """Return the menu without codes, phones and links, which are secret or may change."""
    page = queries.table_page(replace(fresh, started=False), (), watch_url=_watch_url(snapshot))
    watched = snapshot.watched
    return replace(page, sharing=pages.Sharing((), None, watched) if snapshot.started else None, fresh=False)


def _watch_url(snapshot: Snapshot) -> str:
    return url_for("games.watch", game_id=snapshot.public_id, _external=True) if snapshot.watched else ""


def _history(snapshot: Snapshot) -> str:
    """Return the history so far; empty for a game that is not on the server."""
    try:
        page = queries.log_of(snapshot, most=LOG_LINES)
    except NoSuchGameError:
        page = pages.LogPage(snapshot.public_id, _("Game history"), ())
    return _page("log", page=page)


def _endings(fresh: Snapshot) -> Iterator[tuple[str, str]]:
    game = fresh.game
    for side in range(len(game.table.sides)):
        page = ending_page(fresh, c.Concede(side), url_for("games.concede", game_id=fresh.public_id), str(side))
        yield str(side), _page("early_end", page=_scored(page))
    page = ending_page(fresh, c.Abandon(), url_for("games.abandon", game_id=fresh.public_id), "")
    yield "", _page("early_end", page=_scored(page))


def _scored(page: pages.EndingPage) -> pages.EndingPage:
    return replace(page, score=_("The score stays as it is: %(score)s.", score="{score}"))


def _count(fresh: Snapshot) -> dict[str, Any]:
    """Return the pages of the card count, its rules and its sentences."""
    quick = count_page(fresh, {}, quick=True, asked=False)
    return {
        "cards": _page("count", page=whole_deck_page(fresh)),
        "quick": _page("count", page=quick),
        "counted": _section(_page("count", page=replace(quick, counted=("",)))),
        "rules": count_rules(fresh),
        "words": count_words(),
    }


def _auction(fresh: Snapshot) -> str:
    """Return the bidding with one call, so that it can be undone."""
    game = advance(fresh.game, c.decide(fresh.game, c.MakeCall("pass")))
    page = board_page(replace(fresh, game=game))
    html = _page("board", page=replace(page, standing=None)).partition("<!--later-->")[0]
    return html[html.index('<section class="auction') : html.rindex("</section>") + len("</section>")]


def page_words(snapshot: Snapshot) -> dict[str, Any]:
    """Return the sentences of these pages, with braces for the phone to fill in."""
    return {
        "back": _("Back to the game"),
        "undo_line": _("Undo adjustment"),
        "undo_change": _("Undo last change"),
        "redo": _("Redo hand %(number)s", number="{n}"),
        "resume": _("Resume the game"),
        "call_back": _("Undo last call"),
        "needs_signal": _("Needs a signal."),
        "goes_on": _("New score: %(score)s. Game continues.", score="{score}"),
        "unchanged": _("The totals don't change."),
        "deleted": _("deleted"),
        "delete": _("Delete"),
        "adjusted_row": _("Adjusted"),
        "correct": _("Correct hand"),
        "late": _("doesn't count"),
        "late_tag": _("after the end"),
        "last_tag": _("last hand"),
        "corrected_tag": _("corrected"),
        "and": join_names(["{a}", "{b}"]),
        "before": _("Before"),
        "after": _("After"),
        "adjusting": _refusals(),
        "done": _done_words(),
        "log": _log_words(),
        "told": _hand_words(snapshot),
        "stopped": _stopped_words(snapshot),
        "standing": _("High bid: %(bid)s (%(bidder)s).", bid="{bid}", bidder="{bidder}"),
        "no_bids": _("No bids yet."),
        "deals": _("%(dealer)s deals.", dealer="{name}"),
        "pass": call_text("pass"),
        "stuck": _("stuck"),
        "take_it": _("take it"),
        "change": ngettext("%(num)s change waiting", "%(num)s changes waiting", 1),
        "changes": ngettext("%(num)s change waiting", "%(num)s changes waiting", 99).replace("99", "{n}"),
    }


def _refusals() -> dict[str, str]:
    """Return what is wrong with an adjustment, by field, as the rules say it."""
    return {
        "side": _("Choose whose score to change."),
        "points": _("Enter how many points to add or subtract, from 1 to %(most)s.", most=MOST_ADJUSTED),
        "reason": _("Enter a reason, so everyone can see it later."),
    }


def _done_words() -> dict[str, str]:
    """Return the board's status lines, by kind of change."""
    return {
        "undo": _("Hand %(number)s undone.", number="{n}"),
        "undo_line": _("Adjustment undone."),
        "correct": _("Hand %(number)s corrected.", number="{n}"),
        "dealer": _("%(dealer)s deals.", dealer="{name}"),
        "misdeal": _("Misdeal. %(dealer)s deals again.", dealer="{name}"),
        "reopen": _("The game goes on."),
    }


def _log_words() -> dict[str, str]:
    """Return the entries of the history, by kind of change."""
    return {
        "hand": _("Hand %(number)s.", number="{n}"),
        "a_hand": _("hand %(number)s", number="{n}"),
        "an_adjustment": _("an adjustment"),
        "undo": _("Undid %(hand)s.", hand="{hand}"),
        "correct": _("Corrected %(hand)s.", hand="{hand}"),
        "dealer": _("Dealer changed."),
        "to_deal": _("%(dealer)s to deal", dealer="{name}"),
        "misdeal": _("Misdeal. %(dealer)s deals again.", dealer="{name}"),
        "adjust": _("Score adjusted."),
        "concede": _("Game conceded."),
        "abandon": _("Game ended without a winner."),
        "reopen": _("The game goes on."),
        "score": _("Score: %(score)s.", score="{score}"),
    }


def _hand_words(snapshot: Snapshot) -> dict[str, Any]:
    """Return the parts of the sentences about a hand (`presenters.vocabulary.hand_text`) and an adjustment."""
    table = snapshot.game.table
    return {
        "passed": _("%(dealer)s dealt. Everyone passed.", dealer="{dealer}"),
        "alone": _("%(bid)s alone", bid="{bid}"),
        "with": _("%(bid)s with %(partner)s", bid="{bid}", partner="{partner}"),
        "dealt": _("%(dealer)s dealt, %(bidder)s bid %(bid)s.", dealer="{dealer}", bidder="{bidder}", bid="{bid}"),
        "bids": {
            trump: {str(bid): bid_in_suit(bid, trump or None) for bid in table.bids}
            for trump in ("", *allowed_trumps(table))
        },
        "said": {str(bid): said_bid(bid) for bid in table.bids},
        "called": _("The bidder's side took %(ours)s, the others %(theirs)s.", ours="{ours}", theirs="{theirs}"),
        "took": _("%(side)s: %(points)s.", side="{side}", points="{points}"),
        "absent": _("Not out: %(points)s.", points="{points}"),
        "unscored": _("Nobody scored %(points)s.", points="{points}"),
        "card": [category.key for category in table.rules.categories if category.card],
        "gets": [adjustment_text(side, MARK, "{reason}").replace(str(MARK), "{points}") for side in snapshot.sides],
        "loses": [adjustment_text(side, -MARK, "{reason}").replace(str(MARK), "{points}") for side in snapshot.sides],
    }


def _stopped_words(snapshot: Snapshot) -> dict[str, list[str]]:
    """Return headline and reason of a game that was ended early, by winner; "null" for nobody."""
    game = snapshot.game
    running = replace(game, stopped=None, tally=game.tally._replace(outcome=None), final=None)
    stops: dict[str, c.Command] = {str(side): c.Concede(side) for side in range(len(game.table.sides))}
    told = {}
    for winner, command in {**stops, "null": c.Abandon()}.items():
        view = outcome_view(advance(running, c.decide(running, command)), snapshot.sides)
        assert view is not None
        told[winner] = [view.headline, view.reason]
    return told
