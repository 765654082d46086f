"""The engine protocol: Volte for outside programs, and outside programs for Volte."""
