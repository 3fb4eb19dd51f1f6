"""Messages that leave the server: mail and webhooks, released by a director."""
