"""Pure functions on replayed games: no database, no requests."""
