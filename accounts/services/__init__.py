"""Verbs that write: members, budgets, sessions, audit."""
