"""The rules clerk: what happens after something went wrong with real cards."""
