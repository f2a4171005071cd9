"""``python -m rpa``: the command line without its script."""

from rpa.cli.main import main

main()
