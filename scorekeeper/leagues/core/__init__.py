"""What every feature of leagues stands on: rows, roles, access, the audit log, the unit of work of a night."""
