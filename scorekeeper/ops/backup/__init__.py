"""Back up the database."""
