"""A person at a line-mode terminal: lines out, lines in, nothing ever redrawn."""
