"""What the pages of leagues show, read from the database: frozen page models, never rows."""
