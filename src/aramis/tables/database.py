"""A table in a SQL database, by a URL: sqlite:///people.db#patients, postgresql://user@host/clinic#public.patients, duckdb:///file.

DuckDB attaches the database for reading only; the group-by runs there, and only distinct tuples come back.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from aramis.errors import BadInput, Unavailable

if TYPE_CHECKING:
    import duckdb

KINDS = {"sqlite": "sqlite", "postgresql": "postgres", "postgres": "postgres", "duckdb": "duckdb"}
EXTENSIONS = {"sqlite": "sqlite_scanner", "postgres": "postgres_scanner"}
SHOWN = 12  # tables that a message names
TABLES = """select table_schema, table_name from information_schema.tables where table_catalog = 'given'
    and table_schema not in ('information_schema', 'pg_catalog') order by all"""


class Place(NamedTuple):
    """What a URL says, ready for DuckDB; `shown` is without a password."""

    kind: str
    database: str
    table: str
    shown: str


def is_url(data: object) -> bool:
    """Whether this names a database, and not a file."""
    return isinstance(data, str) and urlsplit(data).scheme in KINDS and "://" in data


def relation(url: str) -> "tuple[duckdb.DuckDBPyRelation, str]":
    """The table as a lazy relation, and what it is called."""
    place = placed(url)
    duckdb = _duckdb()
    connection = duckdb.connect()
    try:
        _attach(connection, place)
        schema, name = _chosen(connection.execute(TABLES).fetchall(), place)
        return connection.table(f"given.{quoted(schema)}.{quoted(name)}"), f"{place.shown}#{schema}.{name}"
    except duckdb.Error as error:
        why = str(error).splitlines()[0].replace(place.database, place.shown)
        raise BadInput(f"{place.shown} cannot be read: {why}") from None


def quoted(name: str) -> str:
    """A name as SQL has it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def placed(url: str) -> Place:
    """What a URL says; a file must be there."""
    database, _, table = url.partition("#")
    parts = urlsplit(database)
    kind = KINDS[parts.scheme]
    if kind == "postgres":
        password = f":{parts.password}@" if parts.password else "@"
        return Place(kind, database, unquote(table), database.replace(password, "@", 1))
    path = unquote(f"{parts.netloc}{parts.path}" if parts.netloc else parts.path[1:])
    if not Path(path).is_file():
        raise BadInput(
            f"there is no file {path or '(none)'}; a database is written {parts.scheme}:///FILE#TABLE"
        )
    return Place(kind, path, unquote(table), f"{parts.scheme}:///{path}")


def _attach(connection: "duckdb.DuckDBPyConnection", place: Place) -> None:
    # extensions come with the package: nothing is fetched while a table is read
    connection.execute("set autoinstall_known_extensions = false")
    if place.kind in EXTENSIONS:
        connection.load_extension(_extension(EXTENSIONS[place.kind]))
    database = place.database.replace("'", "''")
    options = "read_only" if place.kind == "duckdb" else f"type {place.kind}, read_only"
    connection.execute(f"attach '{database}' as given ({options})")


def _chosen(tables: Sequence[tuple[str, str]], place: Place) -> tuple[str, str]:
    """The one table that is meant."""
    names = {f"{schema}.{name}": (schema, name) for schema, name in tables}
    meant = [which for dotted, which in names.items() if place.table in {dotted, which[1]}]
    if not place.table:
        meant = list(names.values())
    if len(meant) == 1:
        return meant[0]
    if not names:
        raise BadInput(f"{place.shown} has no tables")
    near = [] if meant else get_close_matches(place.table, names, n=3, cutoff=0.5)
    shown = near or [f"{schema}.{name}" for schema, name in meant or names.values()][:SHOWN]
    what = f"no table {place.table}" if not meant else "several tables"
    raise BadInput(f"{place.shown} has {what}; name one behind a #: {', '.join(shown)}")


def _duckdb() -> ModuleType:
    try:
        return import_module("duckdb")
    except ModuleNotFoundError:
        raise Unavailable("reading a database needs more packages: pip install 'aramis[sql]'") from None


def _extension(name: str) -> str:
    """The file of a DuckDB extension that a package carries."""
    try:
        module = import_module(f"duckdb_extension_{name}")
    except ModuleNotFoundError:
        raise Unavailable(
            f"reading this database needs more packages: pip install 'aramis[sql]' ({name} is missing)"
        ) from None
    return str(next(Path(str(module.__file__)).parent.rglob("*.duckdb_extension")))
