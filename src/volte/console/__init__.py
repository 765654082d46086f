"""What every command of the terminal is made with: prompts, lines, keys."""
