"""The score-keeper's sheets in sentences."""
