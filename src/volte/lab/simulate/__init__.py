"""`volte simulate`: many deals, and their statistics."""
