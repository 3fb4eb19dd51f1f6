"""Migrations of the database, and how what an older version wrote is read."""
