"""The pages of games: read what was sent, let the service do it, show the page."""
