"""Shared parts of the terminal's commands: prompts, lines, keys."""
