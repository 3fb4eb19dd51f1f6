"""`python -m scorekeeper` is the `scorekeeper` command."""

from scorekeeper.cli.app import main

if __name__ == "__main__":  # a worker process imports this module, too
    main()
