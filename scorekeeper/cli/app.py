"""Define the `scorekeeper` command and its subcommands, each imported only when it is called.

Scripts run `scorekeeper score` over thousands of records, so this module and its imports stay free of Flask and
SQLAlchemy.
"""

import gc
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from scorekeeper import __version__
from scorekeeper.config import OperatorError

COMMANDS = {
    "auction": "scorekeeper.cli.score:auction",
    "backup": "scorekeeper.cli.operate:backup",
    "check": "scorekeeper.cli.operate:check",
    "count": "scorekeeper.cli.score:count",
    "db": "scorekeeper.cli.database:db",
    "demo": "scorekeeper.cli.league:demo",
    "director": "scorekeeper.cli.director:director",
    "export-league": "scorekeeper.cli.league:export_league",
    "forget": "scorekeeper.cli.league:forget",
    "import-league": "scorekeeper.cli.league:import_league",
    "maintenance": "scorekeeper.cli.operate:maintenance",
    "odds": "scorekeeper.cli.odds:odds",
    "publish": "scorekeeper.cli.publish:publish",
    "restore": "scorekeeper.cli.operate:restore",
    "score": "scorekeeper.cli.score:score",
    "serve": "scorekeeper.cli.serve:serve",
}
"""Name of each subcommand, and where its click command is, as `module:object`."""

DEFAULT = "serve"
"""The subcommand that runs if none is named."""


class Commands(click.Group):
    """A click group that imports subcommands on demand and runs `DEFAULT` if none is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all subcommands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the subcommand called `cmd_name`, or None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        gc.disable()  # a start leaves little garbage, and looking for it takes a fifth of the time
        command: click.Command = getattr(importlib.import_module(module), name)
        gc.enable()
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line. If no subcommand is named, all options are passed to the subcommand `DEFAULT`."""
        own = {name for option in self.get_params(ctx) for name in option.opts}
        if not args or (args[0].startswith("-") and args[0] not in own):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand. If it raises `OperatorError`, print the message in one line and exit with status 1."""
        try:
            return super().invoke(ctx)
        except OperatorError as error:
            raise click.ClickException(str(error)) from error


def instance_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--instance DIR` to `command`. `command` must have a parameter `instance`, a path or None."""
    return click.option(
        "--instance",
        type=click.Path(path_type=Path, readable=False),  # starting up explains what is wrong with a folder
        metavar="DIR",
        help="Folder of the data. [default: SCOREKEEPER_INSTANCE, else the checkout's instance/ or your data folder]",
    )(command)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="scorekeeper")
def main() -> None:
    """Keep score for Setback, Pitch and similar games.

    Without a command, run the server, with the options of "serve": --lan lets phones in, --port chooses the port, --tls
    offers HTTPS. "scorekeeper serve --help" lists them all.
    """
    os.umask(0o077)  # new files hold names and password hashes
