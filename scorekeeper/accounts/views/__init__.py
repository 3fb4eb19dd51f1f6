"""The pages of accounts: read what was sent, let the service do it, show the page."""
