"""`python -m aramis`: the command line, where the script is not on the path."""

from aramis.cli.main import main

if __name__ == "__main__":
    main()
