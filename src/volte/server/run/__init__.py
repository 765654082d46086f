"""How the server runs: its process, its connections, its health, and the nodes beside it."""
