"""Pairing of people who would play with anybody, and whom they would rather not meet again."""
