"""The blueprint of accounts with all of its views."""

from __future__ import annotations

from scorekeeper.accounts.views import account, passkeys, sign_in
from scorekeeper.accounts.views.blueprint import bp

__all__ = ["account", "bp", "passkeys", "sign_in"]
