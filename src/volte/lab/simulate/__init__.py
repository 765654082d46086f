"""`volte simulate`: many deals, and what they add up to."""
