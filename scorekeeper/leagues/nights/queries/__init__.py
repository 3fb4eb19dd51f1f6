"""Read the page models of a league night from the database."""
