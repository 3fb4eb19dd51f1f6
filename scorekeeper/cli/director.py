"""`scorekeeper director add NAME`, `reset`, `sign-out`, `lock`, `operator` and `list`.

No command takes a password, because the shell would save it in its history. Directors open a link to choose a password.
"""

from pathlib import Path

import click
from sqlalchemy import select

from scorekeeper.accounts import service
from scorekeeper.accounts.models import AccountRow
from scorekeeper.accounts.passwords import Refused
from scorekeeper.accounts.service import LINK_LASTS, NoSuchAccountError
from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.web.extensions import db


@click.group()
def director() -> None:
    """Create, reset or lock a director's account, or make it an operator's."""


@director.command()
@click.argument("name")
@instance_option
def add(*, name: str, instance: Path | None) -> None:
    """Create an account for NAME and print the link where they choose a password."""
    with opened(instance):
        try:
            word = service.add_account(name=name)
        except Refused as refused:
            raise click.ClickException(refused.says) from None
        say_where(word)


@director.command()
@click.argument("name")
@instance_option
def reset(*, name: str, instance: Path | None) -> None:
    """Print a link where NAME can choose a new password, after losing both their password and printed code."""
    with opened(instance):
        try:
            word = service.make_link(name=name)
        except NoSuchAccountError:
            raise nobody(name) from None
        say_where(word)
        click.echo("Using it signs them out everywhere else.")


@director.command("sign-out")
@click.argument("name", required=False)
@click.option("--all", "everybody", is_flag=True, help="Sign out every director.")
@instance_option
def sign_out(*, name: str | None, everybody: bool, instance: Path | None) -> None:
    """Sign NAME out everywhere, right away. The password doesn't change."""
    if (name is None) != everybody:
        raise click.UsageError("Give a name, or --all.")
    with opened(instance):
        try:
            count = service.sign_out_by_operator(name=name)
        except NoSuchAccountError:
            raise nobody(str(name)) from None
    click.echo(f"Signed out: {count if everybody else name}.")


@director.command()
@click.argument("name")
@instance_option
def lock(*, name: str, instance: Path | None) -> None:
    """Lock the account of NAME, so that no session, password, code or link opens it any longer."""
    with opened(instance):
        try:
            service.lock(name=name)
        except NoSuchAccountError:
            raise nobody(name) from None
    click.echo("Locked. “scorekeeper director reset” unlocks it. Devices that created a league can still manage it.")


@director.command()
@click.argument("name")
@click.option("--no", "no", is_flag=True, help="End this instead.")
@instance_option
def operator(*, name: str, no: bool, instance: Path | None) -> None:
    """Let NAME open the server page, with all leagues, their sizes, and maintenance mode."""
    with opened(instance):
        try:
            service.set_operator(name=name, may=not no)
        except NoSuchAccountError:
            raise nobody(name) from None
    click.echo(f"{name} may no longer open /server." if no else f"{name} may open /server after signing in.")


@director.command("list")
@instance_option
def list_directors(*, instance: Path | None) -> None:
    """List the directors."""
    kept = select(AccountRow).where(AccountRow.name != "").order_by(AccountRow.id)
    with opened(instance):
        for account in db.session.scalars(kept):
            more = [
                note
                for note, holds in {
                    "has not chosen a password yet": not account.password,
                    "operator": account.is_operator,
                }.items()
                if holds
            ]
            click.echo(f"{account.name} ({', '.join(more)})" if more else account.name)


def nobody(name: str) -> click.ClickException:
    """Return the error for a name that no director has."""
    return click.ClickException(f"There is no director named {name}. See “scorekeeper director list”.")


def say_where(word: str) -> None:
    """Print the path of the link that opens an account, and instructions for sending the link.

    `word` is the token of the link.
    """
    click.echo(f"/account/opening/{word}")
    click.echo(
        "Put this after the address of your server and send it to them. The link can be used once and expires after "
        f"{LINK_LASTS.days} days. "
        "Until then, anyone with the link can take the account."
    )
