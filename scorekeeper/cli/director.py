"""`scorekeeper director add NAME`, `reset`, `sign-out`, `lock` and `list`: what the operator does at the terminal.

No password is ever typed there, where the history of the shell keeps it: the director chooses it behind the link.
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
    """Make an account for a director, open one again whose password is lost, or lock it."""


@director.command()
@click.argument("name")
@instance_option
def add(*, name: str, instance: Path | None) -> None:
    """Make an account for NAME, and print the address where they choose a password."""
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
    """Print an address where NAME, whose password and printed code are lost, chooses a new password."""
    with opened(instance):
        try:
            word = recovery_links.make_link(name=name)
        except NoSuchAccountError:
            raise nobody(name) from None
        say_where(word)
        click.echo("Once it is used, they are signed out everywhere else.")


@director.command("sign-out")
@click.argument("name", required=False)
@click.option("--all", "everybody", is_flag=True, help="Every director, instead of one.")
@instance_option
def sign_out(*, name: str | None, everybody: bool, instance: Path | None) -> None:
    """End every session of NAME at once, wherever it is; the password stays."""
    if (name is None) != everybody:
        raise click.UsageError("Say a name, or --all.")
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
    """Let nothing open the account of NAME any more: no session, password, passkey, code or link."""
    with opened(instance):
        try:
            account_admin.lock(name=name)
        except NoSuchAccountError:
            raise nobody(name) from None
    click.echo("Locked. “scorekeeper director reset” opens it again. A device that made a league directs it still.")


@director.command("list")
@instance_option
def list_directors(*, instance: Path | None) -> None:
    """Print the names of the directors."""
    kept = select(AccountRow.name, AccountRow.password).where(AccountRow.name != "").order_by(AccountRow.id)
    with opened(instance):
        for name, password in db.session.execute(kept):
            click.echo(name if password else f"{name} (has not chosen a password yet)")


def nobody(name: str) -> click.ClickException:
    """Return what is said where no director has that name."""
    return click.ClickException(f"No director is called {name}. “scorekeeper director list” names them.")


def say_where(word: str) -> None:
    """Print the address that opens an account."""
    click.echo(f"/account/opening/{word}")
    click.echo(
        f"Give them this, behind the address of the score book. It works once, within {LINK_LASTS.days} days; "
        "until then whoever has it has the account."
    )
