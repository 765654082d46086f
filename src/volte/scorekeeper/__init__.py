"""The score-keeper for real cards."""
