"""The lobby and the pages of a table; ways in for people."""
