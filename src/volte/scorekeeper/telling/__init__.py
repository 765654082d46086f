"""Score sheets in sentences."""
