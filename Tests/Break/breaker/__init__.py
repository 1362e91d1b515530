"""Attacks a real gateway, and counts what withstood; see Tests/Break/README.md."""
