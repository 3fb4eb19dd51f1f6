"""`python -m scorekeeper` is the `scorekeeper` command."""

from scorekeeper.cli import main

main()
