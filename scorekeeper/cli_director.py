"""`scorekeeper director add NAME`, `reset NAME` and `list`: what the operator does at the terminal.

No password is ever typed there, where the history of the shell keeps it: the director chooses it behind the link.
"""

from __future__ import annotations

from pathlib import Path

import click
from sqlalchemy import select

from scorekeeper.accounts import opening
from scorekeeper.accounts.models import AccountRow
from scorekeeper.accounts.opening import LINK_LASTS, NoSuchAccountError
from scorekeeper.accounts.refusal import Refused
from scorekeeper.cli import instance_option
from scorekeeper.cli_book import opened
from scorekeeper.extensions import db


@click.group()
def director() -> None:
    """Make an account for a director, or open one again whose password is lost."""


@director.command()
@click.argument("name")
@instance_option
def add(*, name: str, instance: Path | None) -> None:
    """Make an account for NAME, and print the address where they choose a password."""
    with opened(instance):
        try:
            word = opening.add_account(name=name)
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
            word = opening.make_link(name=name)
        except NoSuchAccountError:
            raise click.ClickException(
                f"No director is called {name}. “scorekeeper director list” names them."
            ) from None
        say_where(word)
        click.echo("Once it is used, they are signed out everywhere else.")


@director.command("list")
@instance_option
def list_directors(*, instance: Path | None) -> None:
    """Print the names of the directors."""
    with opened(instance):
        for name, password in db.session.execute(select(AccountRow.name, AccountRow.password).order_by(AccountRow.id)):
            click.echo(name if password else f"{name} (has not chosen a password yet)")


def say_where(word: str) -> None:
    """Print the address that opens an account."""
    click.echo(f"/account/opening/{word}")
    click.echo(
        f"Give them this, behind the address of the score book. It works once, within {LINK_LASTS.days} days; "
        "until then whoever has it has the account."
    )
