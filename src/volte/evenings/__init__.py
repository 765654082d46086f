"""Clubs, and the duplicate evenings that they give."""
