"""Identify who makes a request: devices, sessions, passwords, passkeys, and recovery links."""
