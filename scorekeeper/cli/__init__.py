"""The `scorekeeper` command: `app` imports the module of a subcommand only when it is called."""
