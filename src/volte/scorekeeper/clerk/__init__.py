"""The rules clerk: what to do when something has gone wrong with real cards."""
