"""Identify who makes a request: devices, sessions, passwords, and recovery links."""
