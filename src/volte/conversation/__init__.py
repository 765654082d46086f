"""A conversation with one client at a table, wherever the table is: in a server or in a browser."""
