"""Helpers, directors and owners of a league: roles, invitations and ownership."""
