"""The `scorekeeper` command: one module per subcommand, imported only when called."""
