"""`scorekeeper director add NAME`, `reset`, `sign-out`, `lock` and `list`.

No password is typed here, where the shell would keep it in its history: directors choose theirs behind a link.
"""

from __future__ import annotations

from pathlib import Path

import click
from sqlalchemy import select

from scorekeeper.accounts import account_admin, recovery_links
from scorekeeper.accounts.credentials import Refused
from scorekeeper.accounts.models import AccountRow
from scorekeeper.accounts.recovery_links import LINK_LASTS, NoSuchAccountError
from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.web.extensions import db


@click.group()
def director() -> None:
    """Create, reset or lock a director's account."""


@director.command()
@click.argument("name")
@instance_option
def add(*, name: str, instance: Path | None) -> None:
    """Create an account for NAME and print the link where they choose a password."""
    with opened(instance):
        try:
            word = recovery_links.add_account(name=name)
        except Refused as refused:
            raise click.ClickException(refused.says) from None
        say_where(word)


@director.command()
@click.argument("name")
@instance_option
def reset(*, name: str, instance: Path | None) -> None:
    """Print a link where NAME, who lost their password and printed code, chooses a new password."""
    with opened(instance):
        try:
            word = recovery_links.make_link(name=name)
        except NoSuchAccountError:
            raise nobody(name) from None
        say_where(word)
        click.echo("Using it signs them out everywhere else.")


@director.command("sign-out")
@click.argument("name", required=False)
@click.option("--all", "everybody", is_flag=True, help="Sign out every director.")
@instance_option
def sign_out(*, name: str | None, everybody: bool, instance: Path | None) -> None:
    """Sign NAME out everywhere, right away. The password stays."""
    if (name is None) != everybody:
        raise click.UsageError("Give a name, or --all.")
    with opened(instance):
        try:
            count = account_admin.sign_out(name=name)
        except NoSuchAccountError:
            raise nobody(str(name)) from None
    click.echo(f"Signed out: {count if everybody else name}.")


@director.command()
@click.argument("name")
@instance_option
def lock(*, name: str, instance: Path | None) -> None:
    """Lock the account of NAME: no session, password, passkey, code or link works any longer."""
    with opened(instance):
        try:
            account_admin.lock(name=name)
        except NoSuchAccountError:
            raise nobody(name) from None
    click.echo("Locked. “scorekeeper director reset” unlocks it. Devices that created a league can still manage it.")


@director.command("list")
@instance_option
def list_directors(*, instance: Path | None) -> None:
    """List the directors."""
    kept = select(AccountRow.name, AccountRow.password).where(AccountRow.name != "").order_by(AccountRow.id)
    with opened(instance):
        for name, password in db.session.execute(kept):
            click.echo(name if password else f"{name} (has not chosen a password yet)")


def nobody(name: str) -> click.ClickException:
    """Return the error for an unknown director."""
    return click.ClickException(f"There is no director named {name}. See “scorekeeper director list”.")


def say_where(word: str) -> None:
    """Print the link that opens an account."""
    click.echo(f"/account/opening/{word}")
    click.echo(
        f"Put this after the address of your server and send it to them. It works once, within {LINK_LASTS.days} days. "
        "Until then, anyone with the link can take the account."
    )
