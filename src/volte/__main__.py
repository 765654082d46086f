"""`python -m volte`."""

from volte.cli import main

main()
