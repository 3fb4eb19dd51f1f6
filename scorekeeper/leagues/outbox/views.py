"""Pages for webhooks, mail addresses and sending messages, and the pages behind the links in mails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, current_app, redirect, render_template, request, url_for
from werkzeug.urls import iri_to_uri
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import kept_nowhere
from scorekeeper.leagues.outbox import service
from scorekeeper.leagues.outbox.forms import MailForm, OneClickForm, ReleaseForm, WebhookForm
from scorekeeper.leagues.outbox.links import CONFIRM, UNSUBSCRIBE
from scorekeeper.leagues.outbox.queries import link_page, messages_page, night_messages_page
from scorekeeper.leagues.outbox.service import DeadMailLinkError, Server
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import Problem, Way, error_page
from scorekeeper.web.extensions import csrf
from scorekeeper.web.hosts import is_own_name
from scorekeeper.web.rate_limit import MAIL_TO, MESSAGES, limited, spend
from scorekeeper.web.request_log import WRONG_LINK, refused_because

SITE_LENGTH = 200


def this_server() -> Server:
    """Return the channels that the operator turned on, the secret key, and the web address that this request used."""
    config = current_app.config
    return Server(
        site=iri_to_uri(request.url_root).rstrip("/")[:SITE_LENGTH],
        key=str(config["SECRET_KEY"]),
        mail=config["MAIL"] is not None,
        webhooks=config["WEBHOOKS"],
        hosts=config["WEBHOOK_HOSTS"],
    )


@bp.get("/leagues/<league_id>/messages")
def messages(league_id: str) -> Response:
    return _messages(league_id)


@bp.post("/leagues/<league_id>/webhooks")
@limited(MESSAGES)
def add_webhook(league_id: str) -> AnyResponse:
    form, device = WebhookForm(), this_device() or ""
    kind, address = form.kind.data or "", form.address.data or ""
    try:
        service.add_webhook(league=league_id, kind=kind, address=address, server=this_server(), device=device)
    except RuleViolation as violation:
        form.refuse("address", spoken(violation.message))
        return _messages(league_id, webhook=form)
    return _to_messages(league_id, "webhooks")


@bp.post("/leagues/<league_id>/webhooks/<webhook_id>/test")
@limited(MESSAGES)
def try_webhook(league_id: str, webhook_id: str) -> AnyResponse:
    service.try_webhook(league=league_id, webhook=webhook_id, server=this_server(), device=this_device() or "")
    return _to_messages(league_id, "webhooks")


@bp.post("/leagues/<league_id>/webhooks/<webhook_id>/removal")
def remove_webhook(league_id: str, webhook_id: str) -> AnyResponse:
    service.remove_webhook(league=league_id, webhook=webhook_id, device=this_device() or "")
    return _to_messages(league_id, "webhooks")


@bp.post("/leagues/<league_id>/mail")
@limited(MESSAGES)
def add_mail(league_id: str) -> AnyResponse:
    """Add a player's mail address, and queue a mail that asks the player to confirm it.

    The number of such mails per address and hour is limited, across all leagues (`rate_limit.MAIL_TO`).
    """
    form, device = MailForm(), this_device() or ""
    person, address = form.person.data or "", form.mail.data or ""
    messages_page(league_id, this_device(), this_server())  # who may not add one spends nothing
    if not is_own_name():
        form.refuse(
            "address",
            _("Open Scorekeeper at the address that players use, then try again. The email will link to that address."),
        )
        return _messages(league_id, mail=form)
    spend(MAIL_TO, address.casefold())
    try:
        service.add_mail(league=league_id, person=person, address=address, server=this_server(), device=device)
    except RuleViolation as violation:
        form.refuse("person" if violation.field == "person" else "address", spoken(violation.message))
        return _messages(league_id, mail=form)
    return _to_messages(league_id, "by-mail")


@bp.post("/leagues/<league_id>/mail/<mail_id>/removal")
def remove_mail(league_id: str, mail_id: str) -> AnyResponse:
    service.remove_mail(league=league_id, mail=mail_id, device=this_device() or "")
    return _to_messages(league_id, "by-mail")


@bp.get("/nights/<night_id>/messages")
def night_messages(night_id: str) -> Response:
    return kept_nowhere(_night(night_id))


@bp.post("/nights/<night_id>/messages")
@limited(MESSAGES)
def release(night_id: str) -> AnyResponse:
    form, device = ReleaseForm(), this_device() or ""
    kind, seen = form.kind.data or "", form.seen.data or ""
    return _done(
        night_id, lambda: service.release(night=night_id, kind=kind, seen=seen, server=this_server(), device=device)
    )


@bp.post("/nights/<night_id>/messages/cancellation")
def cancel_messages(night_id: str) -> AnyResponse:
    return _done(night_id, lambda: service.cancel(night=night_id, device=this_device() or ""))


@bp.post("/nights/<night_id>/messages/<int:message_id>/repeat")
@limited(MESSAGES)
def repeat_message(night_id: str, message_id: int) -> AnyResponse:
    server, device = this_server(), this_device() or ""
    return _done(night_id, lambda: service.repeat(night=night_id, message=message_id, server=server, device=device))


@bp.get(CONFIRM + "<token>")
def confirm_mail(token: str) -> Response:
    """Show a page with a button that confirms the mail address.

    Opening the link must not confirm anything, because programs that check mail open links too.
    """
    return _link(CONFIRM, token)


@bp.post(CONFIRM + "<token>")
def mail_confirmed(token: str) -> AnyResponse:
    try:
        service.confirm_mail(token=token, key=this_server().key)
    except DeadMailLinkError:
        return _dead()
    return redirect(url_for("leagues.confirm_mail", token=token), 303)


@bp.get(UNSUBSCRIBE + "<token>")
def unsubscribe(token: str) -> Response:
    """Show a page with a button that unsubscribes the reader.

    Opening the link must not unsubscribe anybody, because programs that check mail open links too.
    """
    return _link(UNSUBSCRIBE, token)


@bp.post(UNSUBSCRIBE + "<token>")
@csrf.exempt  # type: ignore[untyped-decorator]  # mail programs post here (RFC 8058); the token allows only this
def unsubscribed(token: str) -> Response:
    OneClickForm()  # read to its end, so that a form that is cut off changes nothing
    service.unsubscribe(token=token, key=this_server().key)
    return kept_nowhere(render_template("leagues/outbox/unsubscribe.html", page=None))


DEAD = Problem(
    N_("This link no longer works"),
    N_("The email address was removed, so nothing more is sent to it."),
    N_("If you still want results by email, ask the person who runs your league."),
)


def _link(purpose: str, token: str) -> Response:
    try:
        page = link_page(purpose, token, this_server().key)
    except DeadMailLinkError:
        return _dead()
    template = "confirmation" if purpose == CONFIRM else "unsubscribe"
    return kept_nowhere(render_template(f"leagues/outbox/{template}.html", page=page, token=token))


def _dead() -> Response:
    refused_because(WRONG_LINK)
    return error_page(DEAD, 404, on=Way(_("Leagues"), url_for("leagues.home")))


def _messages(league_id: str, webhook: WebhookForm | None = None, mail: MailForm | None = None) -> Response:
    """Return the page of webhooks and mail addresses.

    `webhook` or `mail` is a posted form that was refused, shown again with its error. Forms that are None are shown
    blank.
    """
    page = messages_page(league_id, this_device(), this_server())
    forms = {"webhook": webhook or WebhookForm(formdata=None), "mail": mail or MailForm(formdata=None)}
    shown = render_template("leagues/outbox/messages.html", page=page, **forms)
    return kept_nowhere(shown, 422 if webhook or mail else 200)


def _to_messages(league_id: str, part: str) -> AnyResponse:
    return redirect(url_for("leagues.messages", league_id=league_id, _anchor=part), 303)


def _night(night_id: str, error: str = "") -> str:
    page = night_messages_page(night_id, this_device(), this_server(), error=error)
    return render_template("leagues/outbox/night.html", page=page)


def _done(night_id: str, act: Callable[[], Any]) -> AnyResponse:
    """Run `act`, which saves a change, and redirect to the page with the night's messages.

    If `act` raises `RuleViolation`, show the error on the page with the night's messages.
    """
    try:
        act()
    except RuleViolation as violation:
        return kept_nowhere(_night(night_id, spoken(violation.message)), 422)
    return redirect(url_for("leagues.night_messages", night_id=night_id), 303)
