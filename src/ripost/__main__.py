"""`python -m ripost`: the command line."""

from ripost.cli import main

if __name__ == "__main__":
    main()
