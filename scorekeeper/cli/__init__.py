"""The `scorekeeper` command: one module a subcommand, each imported only when it is called."""
