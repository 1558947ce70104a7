"""`jizhu db`: the database in use, and the embedded one's life."""

import sys

import typer

from cli.options import Json
from cli.output import complain, emit
from memory.errors import BadInput
from memory.settings import Settings, load_settings

app = typer.Typer(help='The database in use: psql "$(jizhu db url)".', no_args_is_help=True)


@app.command()
def url(json: Json = False) -> None:
    """Its address; the embedded one is started if need be and stays until `db stop`."""
    settings = load_settings()
    if settings.database_url is not None:
        address = settings.database_url.get_secret_value()
    else:
        from memory import embedded

        address = embedded.start(settings.data_dir)
    _answer(json, url=address)


@app.command()
def start(json: Json = False) -> None:
    """Start the embedded database and let it run."""
    settings = _embedded()
    from memory import embedded

    _answer(json, url=embedded.start(settings.data_dir))


@app.command()
def stop(json: Json = False) -> None:
    """Stop the embedded database, whoever uses it."""
    settings = _embedded()
    from memory import embedded

    stopped = embedded.stop(settings.data_dir)
    if json:
        emit({"stopped": stopped})
    else:
        complain("Stopped." if stopped else "It was not running.")


def _embedded() -> Settings:
    settings = load_settings()
    if settings.database_url is not None:
        raise BadInput("DATABASE_URL is set: that database is not jizhu's to start or stop.")
    return settings


def _answer(json: bool, url: str) -> None:
    if json:
        emit({"url": url})
    else:
        sys.stdout.write(url + "\n")
