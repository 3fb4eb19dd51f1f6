"""Who works for a league: roles, invitations, the device or account that owns it."""
