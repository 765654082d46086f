"""Several processes, one playroom: whoever is asked, a table is answered by the one that has it."""
