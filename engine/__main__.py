"""`python -m setveil` is the command `setveil`."""

from setveil.cli.main import main

main()
