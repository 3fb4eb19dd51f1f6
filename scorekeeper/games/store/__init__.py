"""How games are stored: their rows, the event log, who may do what, and how a game leaves the database."""
