"""The rules clerk: advice when something has gone wrong with real cards."""
