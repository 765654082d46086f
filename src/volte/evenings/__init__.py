"""Clubs and their evenings."""
