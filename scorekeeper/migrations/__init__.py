"""Database migrations, from the tables of the first published version on."""
