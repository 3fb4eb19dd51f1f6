"""A game at a table: its log, what can be done with it, and its pages."""
