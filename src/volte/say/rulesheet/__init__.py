"""The rule sheet: every clause of a ruleset in plain language."""
