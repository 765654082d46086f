"""Matches as text: one grammar, one reader, one writer."""
