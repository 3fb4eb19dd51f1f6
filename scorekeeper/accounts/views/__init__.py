"""Serve the account pages. Importing this package adds all views to the blueprint."""

from scorekeeper.accounts.views import account, sign_in
from scorekeeper.accounts.views.requests import bp

__all__ = ["account", "bp", "sign_in"]
