"""Define the `scorekeeper` command. `app` imports a subcommand's module only when that subcommand is called."""
