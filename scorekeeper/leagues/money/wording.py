"""Put the fees and prizes of a season into words, for its page."""

from __future__ import annotations

from scorekeeper.games.presenters.agreements import amount_text
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.money.settings import MoneySettings, Share


def money_words(settings: MoneySettings, *, playoffs: bool) -> tuple[str, ...]:
    """Return sentences about how fees, prizes and side pots work; () if the season isn't played for money.

    `playoffs` says whether the season has playoffs.
    """
    sentences = [*_fees(settings), *_prizes(settings)]
    sentences += [
        _("Side pot “%(pot)s”: %(amount)s a night.", pot=isolated(pot.name), amount=amount_text(pot.entry))
        for pot in settings.pots
    ]
    if sentences and playoffs:
        sentences.append(_("Playoff nights have the same fees and prizes."))
    return tuple(sentences)


def _fees(settings: MoneySettings) -> list[str]:
    told = []
    if settings.entry_fee:
        told.append(_("Entry fee: %(amount)s a night.", amount=amount_text(settings.entry_fee)))
    if settings.per_set:
        told.append(_("Each set puts %(amount)s into the kitty.", amount=amount_text(settings.per_set)))
    return told


def _prizes(settings: MoneySettings) -> list[str]:
    if not settings.payout:
        return []
    return [
        _("Prizes, from first place down: %(shares)s.", shares=", ".join(map(_share, settings.payout))),
        _(
            "Players who share a rank split the prizes for the places they take up. Prizes are rounded down to the "
            "nearest cent, and first place gets the leftover cents. If partners can't split a prize evenly, one of "
            "them gets a cent more."
        ),
    ]


def _share(share: Share) -> str:
    return f"{share.percent}%" if share.percent else amount_text(share.fixed)
