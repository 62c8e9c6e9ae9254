"""The options that the table commands share: how a table is read, and which levels are wanted of it."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from aramis.errors import BadInput

Quasi = Annotated[
    list[str],
    typer.Option("--quasi", "-q", help="A quasi-identifier: identifies together with others. Repeat."),
]
Sensitive = Annotated[
    list[str],
    typer.Option("--sensitive", "-s", help="A sensitive column: must not be learnt of a person. Repeat."),
]
FILE = {
    "file": Annotated[
        str,
        typer.Argument(
            help="The table: CSV, Parquet, Arrow, Excel (FILE.xlsx#SHEET), JSON Lines, or a database's URL.",
            show_default=False,
        ),
    ],
    "separator": Annotated[
        str | None, typer.Option(help="What separates columns. Found out where not given.")
    ],
    "encoding": Annotated[
        str | None, typer.Option(help="How characters are written. Found out where not given.")
    ],
    "missing": Annotated[
        list[str], typer.Option(help="A text that stands for no value, such as '?'. Repeat.")
    ],
}
COLUMNS = {
    "quasi": Quasi,
    "sensitive": Sensitive,
    "identifying": Annotated[
        list[str],
        typer.Option(help="An identifying column: left out, or with --key made into pseudonyms. Repeat."),
    ],
    "schema": Annotated[
        Path | None,
        typer.Option(help="A TOML file that says what each column is; `aramis table suggest` writes one."),
    ],
    "key": Annotated[
        Path | None,
        typer.Option(help="A file with a secret key: identifying columns get pseudonyms (HMAC-SHA-256)."),
    ],
    "hierarchy": Annotated[
        list[str],
        typer.Option(
            help="COL=FILE, a hierarchy (CSV, or a TOML or JSON tree); or COL=intervals:5,10,20, COL=masks, "
            "COL=dates:month,year, COL=quantiles:8,4,2, COL=rounding:2,1,0, COL=grouping:10,100. Repeat."
        ),
    ],
    "hierarchies": Annotated[
        Path | None,
        typer.Option(help="A folder with files named ..._hierarchy_COL.csv, for the columns that are used."),
    ],
    "distance": Annotated[
        list[str],
        typer.Option(
            help="COL=equal, ordered, numeric or hierarchical: the ground distance of t-closeness. Repeat."
        ),
    ],
    "weight": Annotated[
        list[str],
        typer.Option(help="COL=NUMBER: the weight of a sensitive column in the joint distance. Repeat."),
    ],
}
WANTED = {
    "k": Annotated[int | None, typer.Option(help="Wanted: records in every class.")],
    "l": Annotated[list[str], typer.Option(help="Wanted: l-diversity. A number, or COL=NUMBER.")],
    "l_kind": Annotated[str, typer.Option(help="Which l-diversity: distinct, entropy or recursive.")],
    "c": Annotated[
        list[str], typer.Option(help="Wanted: the c of recursive (c,l)-diversity. A number, or COL=NUMBER.")
    ],
    "t": Annotated[list[str], typer.Option(help="Wanted: t-closeness. A number, or COL=NUMBER.")],
    "beta": Annotated[list[str], typer.Option(help="Wanted: beta-likeness. A number, or COL=NUMBER.")],
    "beta_enhanced": Annotated[
        list[str], typer.Option(help="Wanted: enhanced beta-likeness. A number, or COL=NUMBER.")
    ],
    "delta": Annotated[list[str], typer.Option(help="Wanted: delta-disclosure. A number, or COL=NUMBER.")],
    "alpha": Annotated[
        list[str], typer.Option(help="Wanted: no value above this share of a class. A number, or COL=NUMBER.")
    ],
    "alpha_of": Annotated[
        list[str],
        typer.Option(help="COL=VALUE: alpha is meant of this value, not of any. Repeat for more values."),
    ],
    "protection": Annotated[
        list[str],
        typer.Option(
            help="Wanted: MEASURE=NUMBER, discrimination in a class is at most this (RC: at least). MEASURE is RD, ED, RR, ER, "
            "RC or OR. Repeat."
        ),
    ],
    "denied": Annotated[
        list[str],
        typer.Option(help="COL=VALUE: the value of a sensitive column that denies. Repeat for more values."),
    ],
    "protected": Annotated[
        list[str],
        typer.Option(help="COL=VALUE of a sensitive column: the group that is protected. Repeat."),
    ],
}
OF_FILES = ("hierarchy", "shares")  # a path may have an equals sign, and a value may not
NAMED = ("denied", "protected", "alpha_of")
DEFAULTS: dict[str, Any] = {"l_kind": "distinct"}


def with_file(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options that say how a file is read, in place of its parameter `reading`."""

    @wraps(command)
    def called(**options: Any) -> None:
        given = {("data" if name == "file" else name): options.pop(name) for name in FILE}
        command(reading=given, **options)

    return _with_options(called, command, "reading", FILE)


def with_table(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options that say what to read, in place of its parameter `table`."""

    @wraps(command)
    def called(**options: Any) -> None:
        given = {name: options.pop(name) for name in {**FILE, **COLUMNS}}
        given["schema"] = given["schema"] or options.get("reuse")  # a saved recoding knows its columns
        command(table=_table(**given), **options)

    return _with_options(called, command, "table", {**FILE, **COLUMNS})


def with_wanted(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options that say which levels are wanted, in place of its parameter `wanted`."""

    @wraps(command)
    def called(**options: Any) -> None:
        given = {name: options.pop(name) for name in WANTED}
        command(wanted={name: _wanted(name, of) for name, of in given.items()}, **options)

    return _with_options(called, command, "wanted", WANTED)


def by_column(option: str, given: Iterable[str]) -> dict[str, str]:
    """COL=VALUE, several times, by column."""
    found = {}
    for words in given:
        column, equals, value = words.partition("=") if option in OF_FILES else words.rpartition("=")
        if not equals or not column or not value:
            raise BadInput(f"--{option} {words}: it is written COL=VALUE")
        found[column] = value
    return found


def levels_of(words: str) -> dict[str, list[float]]:
    """k=2,5,10: several levels of one model."""
    return {
        model: [_number("frontier", level) for level in levels.split(",")]
        for model, levels in by_column("frontier", [words]).items()
    }


def _table(
    *,
    file: str,
    hierarchy: list[str],
    hierarchies: Path | None,
    distance: list[str],
    weight: list[str],
    **options: Any,
) -> Any:
    import aramis
    from aramis.tables.hierarchies import hierarchies_in

    used = {*options["quasi"], *options["sensitive"]}
    of_folder = hierarchies_in(hierarchies, file, used) if hierarchies else {}
    return aramis.table(
        file,
        hierarchies=of_folder | by_column("hierarchy", hierarchy),
        distances=by_column("distance", distance),
        weights={column: _number("weight", value) for column, value in by_column("weight", weight).items()},
        **options,
    )


def _wanted(option: str, given: Any) -> Any:
    """An option as `Table.check` takes it."""
    if option in NAMED:
        return _values(option, given)
    if option == "protection":
        return {measure: _number(option, level) for measure, level in by_column(option, given).items()}
    return _numbers(option, given) if isinstance(given, list) else given


def _values(option: str, given: list[str]) -> dict[str, list[str]] | None:
    """COL=VALUE, several times: the values of each column."""
    found: dict[str, list[str]] = {}
    for words in given:
        for column, value in by_column(option, [words]).items():
            found.setdefault(column, []).append(value)
    return found or None


def _numbers(option: str, given: list[str]) -> float | dict[str, float] | None:
    """A number for every sensitive column, or one for each that is named."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return _number(option, given[0])
    return {column: _number(option, value) for column, value in by_column(option, given).items()}


def _number(option: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise BadInput(f"--{option} {value}: it is a number, or COL=NUMBER") from None


def _with_options(
    called: Callable[..., None], command: Callable[..., None], instead_of: str, options: dict[str, Any]
) -> Callable[..., None]:
    own = [one for one in inspect.signature(command).parameters.values() if one.name != instead_of]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(name, kind), annotation=kind)
        for name, kind in options.items()
    ]
    called.__signature__ = inspect.Signature(added + own)  # type: ignore[attr-defined]  # typer reads it
    called.__annotations__ = {one.name: one.annotation for one in added + own}
    return called


def _default(name: str, kind: Any) -> Any:
    if name == "file":
        return inspect.Parameter.empty
    return DEFAULTS.get(name, [] if kind.__origin__ == list[str] else None)
