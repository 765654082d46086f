"""Draws our playing cards: `scripts/cards` writes them into the pages."""
