"""Tables: the full-domain recoding of least loss. `python -m benchmarks.full_domain --data DIR`

UCI Adult with its hierarchies, k = 5, the arithmetic mean of Loss: nine quasi-identifiers, or eight with the occupation
sensitive and distinct l = 2, or t = 0.2 at the equal distance. The marks are what ARX 3.9.2 and a prototype of our own took on
two shared cores of another machine; their losses are ours to all digits told. The million rows are made from Adult as in
benchmarks.table_check, not those that the marks were measured on.

First, the frame being in memory and the program warm: milliseconds to count and to search, the best of some rounds. Then
whole programs, start, reading, writing, reading back and all measures of utility included: Adult, and how time and
memory grow with the rows.
"""

import argparse
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import polars as pl
from benchmarks.peers import Used, measured
from benchmarks.table_check import made

QUASI = (
    *("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"),
    "occupation",
)
ROUNDS = 7
SIZES = (10_000, 100_000, 1_000_000)


class Case(NamedTuple):
    name: str
    wanted: dict[str, float]
    suppress: float
    sensitive: tuple[str, ...] = ()
    arx: str = ""  # milliseconds on Adult, counting included
    prototype: tuple[int, int] = (0, 0)  # milliseconds to search and to count


EIGHT = ("occupation",)
CASES = (
    Case("9 columns, 0 %", {"k": 5}, 0.0, (), "20-25", (33, 16)),
    Case("9 columns, 2 %", {"k": 5}, 0.02, (), "500-543", (118, 16)),
    Case("9 columns, 5 %", {"k": 5}, 0.05, (), "554-903", (81, 14)),
    Case("8 columns, l = 2, 0 %", {"k": 5, "l": 2}, 0.0, EIGHT, "20-36", (16, 12)),
    Case("8 columns, l = 2, 5 %", {"k": 5, "l": 2}, 0.05, EIGHT, "213-258", (40, 11)),
    Case("8 columns, t = 0.2, 0 %", {"k": 5, "t": 0.2}, 0.0, EIGHT, "11-25", (9, 10)),
    Case("8 columns, t = 0.2, 5 %", {"k": 5, "t": 0.2}, 0.05, EIGHT, "618-724", (315, 11)),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"))
    parser.add_argument("--parts", nargs="*", default=["adult", "million", "programs", "growth"])
    parser.add_argument("--algorithms", nargs="*", default=["optimal"], help="whose growth is measured")
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    folder = given.data / "tables" / "arx"
    if given.one:
        _here(folder, *given.one)
        return
    parts = {"adult": _warm, "million": _million, "programs": _programs}
    for part in given.parts:
        if part == "growth":
            for algorithm in given.algorithms:
                _growth(folder, algorithm)
        else:
            parts[part](folder)


def _warm(folder: Path) -> None:
    print(
        "\nUCI Adult, warm, milliseconds\n\n| case | search | count | both | prototype | prototype = 1 | ARX | nodes looked at "
        "| of | loss |\n| --- " + "| --- " * 9 + "|"
    )
    for case in CASES:
        one = json.loads(_in_a_process(folder, "warm", case.name, str(folder / "adult.csv")).said)
        search, count = 1000 * one["search"], 1000 * one["count"]
        print(
            f"| {case.name} | {search:.0f} | {count:.0f} | {search + count:.0f} | {' + '.join(map(str, case.prototype))} "
            f"| {(search + count) / sum(case.prototype):.2f} | {case.arx} | {one['checked']:,} | {one['nodes']:,} "
            f"| {one['loss']:.8f} |",
            flush=True,
        )


def _million(folder: Path) -> None:
    print(
        "\nA million rows, warm, milliseconds\n\n| case | search | count | tuples | nodes looked at | peak MB |\n"
        "| --- " + "| --- " * 5 + "|"
    )
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "adult.csv"
        _in_a_process(folder, "make", "1000000", str(path))
        for case in CASES:
            used = _in_a_process(folder, "warm", case.name, str(path), "2")
            one = json.loads(used.said)
            print(
                f"| {case.name} | {1000 * one['search']:.0f} | {1000 * one['count']:.0f} | {one['tuples']:,} "
                f"| {one['checked']:,} | {used.peak_mb:.0f} |",
                flush=True,
            )


def _programs(folder: Path) -> None:
    print(
        "\nUCI Adult, whole programs, the better of three\n\n| case | seconds | CPU-s | peak MB |\n| --- | --- | --- | --- |"
    )
    with tempfile.TemporaryDirectory() as temporary:
        for case in CASES:
            runs = [_program(folder, folder / "adult.csv", Path(temporary), case) for _ in range(3)]
            best = min(runs)
            print(
                f"| {case.name} | {best.seconds:.2f} | {best.cpu:.2f} | {best.peak_mb:.0f} |",
                flush=True,
            )


def _growth(folder: Path, algorithm: str) -> None:
    """Whole programs on more and more rows: k = 5, distinct l = 2, 5 % may be suppressed where the algorithm does that."""
    case = CASES[4]
    print(
        f"\n{algorithm}, {case.name}, whole programs\n\n| rows | seconds | peak MB | exponent of time | of memory |\n"
        "| --- | --- | --- | --- | --- |"
    )
    with tempfile.TemporaryDirectory() as temporary:
        runs: list[tuple[int, Used]] = []
        for rows in SIZES:
            path = Path(temporary) / "adult.csv"
            _in_a_process(folder, "make", str(rows), str(path))
            runs.append(
                (rows, min(_program(folder, path, Path(temporary), case, algorithm) for _ in range(2)))
            )
            exponents = [f"{exponent:.2f}" for exponent in _exponents(runs)] or ["", ""]
            used = runs[-1][1]
            print(
                f"| {rows:,} | {used.seconds:.2f} | {used.peak_mb:.0f} | {' | '.join(exponents)} |",
                flush=True,
            )


def _exponents(runs: Sequence[tuple[int, Used]]) -> Iterator[float]:
    """From the step before to this one: how time and memory grow as a power of the rows."""
    if len(runs) > 1:
        (few, before), (many, after) = runs[-2:]
        yield math.log(after.seconds / before.seconds) / math.log(many / few)
        yield math.log(after.peak_mb / before.peak_mb) / math.log(many / few)


def _program(folder: Path, path: Path, place: Path, case: Case, algorithm: str = "optimal") -> Used:
    """`aramis table anonymize`, from its start to its end."""
    quasi = [word for column in QUASI if column not in case.sensitive for word in ("-q", column)]
    sensitive = [
        word for column in case.sensitive for word in ("-s", column, "--distance", f"{column}=equal")
    ]
    wanted = [word for name, level in case.wanted.items() for word in (f"--{name}", f"{level:g}")]
    command = [
        str(Path(sys.executable).with_name("aramis")),
        "table",
        "anonymize",
        str(path),
        str(place / "out.csv"),
    ]
    options = [
        "--hierarchies",
        str(folder),
        "--suppress",
        str(case.suppress),
        "--loss",
        "loss",
        "--overwrite",
    ]
    return measured(
        [*command, *quasi, *sensitive, *wanted, *options, "--algorithm", algorithm, "--quiet", "--json"]
    )


def _in_a_process(folder: Path, *words: str) -> Used:
    command = [sys.executable, "-m", "benchmarks.full_domain", "--data", str(folder.parents[1])]
    return measured([*command, "--one", *words])


def _here(folder: Path, what: str, *words: str) -> None:
    if what == "make":
        rows, path = words
        adult = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
        made(adult, int(rows)).write_csv(path, separator=";")
    else:
        name, path, *rounds = words
        case = next(case for case in CASES if case.name == name)
        print(json.dumps(_searched(folder, Path(path), case, int(*rounds or [ROUNDS]))))


def _searched(folder: Path, path: Path, case: Case, rounds: int) -> dict[str, Any]:
    """Count and search so many times in this process, which is warm from the second time on."""
    import aramis
    from aramis.tables.anonymizers.anonymizer import Task, silent
    from aramis.tables.compiled import grouped  # noqa: F401  # from now on the compiled loops are used
    from aramis.tables.goals import Goals
    from aramis.tables.search import least_loss

    frame = pl.read_csv(path, separator=";", infer_schema=False)
    quasi = [column for column in QUASI if column not in case.sensitive]
    count = search = math.inf
    for _ in range(rounds):
        table: Any = aramis.table(
            frame,
            quasi=quasi,
            sensitive=case.sensitive,
            hierarchies={column: folder / f"adult_hierarchy_{column}.csv" for column in quasi},
        )
        started = perf_counter()
        frequency = table.counted
        count = min(count, perf_counter() - started)
        goals = Goals(table.models(**case.wanted), case.suppress, "original")
        given = table.hierarchies
        started = perf_counter()
        task = Task(frequency, goals, given, loss="loss")
        found = least_loss(task.rollup, goals, task.loss_over(task.rollup), silent)
        search = min(search, perf_counter() - started)
    assert found.best is not None
    return {
        "search": search,
        "count": count,
        "tuples": len(frequency.counts),
        "checked": found.checked,
        "nodes": math.prod(height + 1 for height in task.rollup.heights),
        "loss": found.best.loss,
    }


if __name__ == "__main__":
    main()
