"""Pages of text: where the game comes from, how cards are dealt fairly, and what accessibility"
" holds."""
