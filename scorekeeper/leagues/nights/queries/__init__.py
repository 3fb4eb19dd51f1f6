"""What the pages of a league night show, read from the database."""
