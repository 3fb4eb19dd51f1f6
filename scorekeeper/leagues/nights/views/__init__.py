"""The pages of a league night: read what was sent, let the service do it, show the page."""
