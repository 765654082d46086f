"""Pairing of people who would play with anybody."""
