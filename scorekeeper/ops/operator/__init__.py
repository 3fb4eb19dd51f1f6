"""The page of the person who runs the server: its health, all leagues, invitations, and maintenance mode."""
