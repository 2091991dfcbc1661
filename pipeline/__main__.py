"""`python -m pipeline` is `pdfdocket`."""

from pipeline.cli import main

if __name__ == "__main__":
    main()
