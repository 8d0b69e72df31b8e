"""Promises and what they cost: polytopes, guarantees, losses, accounts, audits, releases."""
