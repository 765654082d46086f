"""The lobby and the pages of a table: how people come in, and what they find there."""
