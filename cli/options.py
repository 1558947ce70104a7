"""Options that many commands share."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="print JSON lines")]
User = Annotated[str, typer.Option("--user", "-u", metavar="U", help="whose memory")]
Thread = Annotated[str | None, typer.Option("--thread", "-t", metavar="T", help="which conversation")]
