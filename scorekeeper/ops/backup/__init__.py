"""Make backups of the database."""
