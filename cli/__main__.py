"""`python -m cli`: the same as the `jizhu` command."""

from cli.main import run

run()
