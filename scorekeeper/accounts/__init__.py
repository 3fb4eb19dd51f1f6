"""Know who is asking: devices, sessions, passwords, passkeys, and recovery links."""
