"""The pages of directors: importing this gives the blueprint all of its views."""

from scorekeeper.accounts.views import account, passkeys, sign_in
from scorekeeper.accounts.views.requests import bp

__all__ = ["account", "bp", "passkeys", "sign_in"]
