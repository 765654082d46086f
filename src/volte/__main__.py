"""`python -m volte` is the `volte` command."""

from volte.cli import main

main()
