"""Tables: each class by itself. `python -m benchmarks.local_recoding --data DIR`

UCI Adult with its hierarchies, eight quasi-identifiers, the occupation sensitive. Every algorithm that recodes class by class, at
goals it is built on: what its search takes of one core once the program is warm (the best of some rounds), how many classes it
makes, and NCP. The marks of ARX 3.9.2 (local recoding, seconds of two cores) were measured on another machine. Then how time of one core
and memory grow with the rows, in a process each that ends with the recoding; the rows are made from Adult as in benchmarks.table_check.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import polars as pl
from benchmarks.peers import Used, measured
from benchmarks.table_check import made
from numba.core import event

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")
ROUNDS = 3
SIZES = (10_000, 100_000, 1_000_000)


class _Compiling(event.Listener):  # type: ignore[misc]  # numba says no types
    """How long numba compiles, in seconds of one core; a loop within a loop is counted once."""

    def __init__(self) -> None:
        self.depth, self.began, self.seconds = 0, 0.0, 0.0

    def on_start(self, _: Any) -> None:
        if not self.depth:
            self.began = process_time()
        self.depth += 1

    def on_end(self, _: Any) -> None:
        self.depth -= 1
        if not self.depth:
            self.seconds += process_time() - self.began


class Case(NamedTuple):
    algorithm: str
    wanted: dict[str, Any]
    arx: str = ""  # NCP, and seconds


CREDIT = {
    "denied": {"occupation": "Other-service"},
    "protected": {"sex": "Female"},
    "protection": {"RD": 0.2},
}
CASES = (
    Case("mondrian", {"k": 5}, "0.0635 in 11-16 s"),
    Case("mondrian-relaxed", {"k": 5}),
    Case("microaggregation", {"k": 5}),
    Case("mondrian", {"k": 5, "l": 2}, "0.036"),
    Case("cldpp", {"k": 5, "l": 2}),
    Case("mondrian", {"l": 3}),
    Case("cldpp", {"l": 3}),
    Case("anatomy", {"l": 3}),
    Case("mondrian", {"t": 0.2}, "0.460 in 69-107 s"),
    Case("sabre", {"t": 0.2}),
    Case("microaggregation", {"t": 0.2}),
    Case("sabre", {"t": 0.1}),
    Case("sabre", {"t": 0.3}),
    Case("dmondrian", {"k": 5, **CREDIT}),
    Case("dsabre", {"k": 5, **CREDIT}),
)
FIRST = (500, 2_000, 30_162)  # rows of a first job
FIRST_CASES = (
    Case("optimal", {"k": 5}),
    Case("incognito", {"k": 5}),
    Case("datafly", {"k": 5}),
    Case("mondrian", {"k": 5}),
    Case("mondrian-relaxed", {"k": 5}),
    Case("cldpp", {"l": 3}),
    Case("sabre", {"t": 0.2}),
    Case("dmondrian", {"k": 5, **CREDIT}),
    Case("dsabre", {"k": 5, **CREDIT}),
    Case("microaggregation", {"k": 5}),
    Case("mask", {"k": 5, "alpha": 0.8}),
    Case("anatomy", {"l": 3}),
)
GROWING = ("mondrian", "cldpp", "sabre", "microaggregation", "anatomy")
GROWN: dict[str, dict[str, Any]] = {
    "mondrian": {"k": 5},
    "cldpp": {"l": 3},
    "sabre": {"t": 0.2},
    "microaggregation": {"k": 5},
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"))
    parser.add_argument("--parts", nargs="*", default=["adult", "compile", "growth"])
    parser.add_argument("--algorithms", nargs="*", help="these alone")
    parser.add_argument("--grown", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--first", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    folder = given.data / "tables" / "arx"
    if given.grown:
        print(json.dumps(_grown(folder, given.grown[0], int(given.grown[1]))))
        return
    if given.first:
        print(json.dumps(_first_and_again(folder, given.first[0], int(given.first[1]))))
        return
    if "adult" in given.parts:
        _adult(folder, given.algorithms or [case.algorithm for case in CASES])
    if "compile" in given.parts:
        _compiling(given.data, given.algorithms or [case.algorithm for case in FIRST_CASES])
    if "growth" in given.parts:
        _growth(given.data, given.algorithms or GROWING)


def _adult(folder: Path, algorithms: list[str]) -> None:
    print(
        "\nUCI Adult\n\n| algorithm | goals | search, CPU-s | NCP | classes | ARX local |\n| --- "
        + "| --- " * 5
        + "|"
    )
    frame = pl.read_csv(folder / "adult.csv", separator=";")
    for case in (case for case in CASES if case.algorithm in algorithms):
        table = _table(folder, frame, by_group="protection" in case.wanted)
        seconds = min(_searched(table, case.algorithm, case.wanted)[0] for _ in range(ROUNDS))
        found = table.anonymize(algorithm=case.algorithm, seed=1, **case.wanted)
        goals = ", ".join(
            f"{name} = {level}" for name, level in case.wanted.items() if not isinstance(level, dict)
        )
        goals += ", RD = 0.2" * ("protection" in case.wanted)
        print(
            f"| {case.algorithm} | {goals} | {seconds:.3f} | {found.utility.ncp:.4f} | {found.check.classes:,} | {case.arx} |",
            flush=True,
        )


def _table(folder: Path, frame: pl.DataFrame, *, by_group: bool = False) -> Any:
    """Adult; where groups are compared their column is sensitive."""
    import aramis

    quasi = [column for column in QUASI if not by_group or column != "sex"]
    return aramis.table(
        frame,
        quasi=quasi,
        sensitive=["occupation", *["sex"] * by_group],
        hierarchies={column: folder / f"adult_hierarchy_{column}.csv" for column in quasi},
    )


def _searched(table: Any, algorithm: str, wanted: dict[str, Any]) -> tuple[float, Any, Any]:
    """What the search takes of one core; counting before it and writing behind it are told in benchmarks.full_domain."""
    from aramis import plugins
    from aramis.tables.anonymizers.anonymizer import Task
    from aramis.tables.goals import Goals

    task = Task(table.counted, Goals(table.models(**wanted)), table.hierarchies, seed=1)
    started = process_time()
    recoding = plugins.find("anonymizer", algorithm)(task)
    return process_time() - started, task, recoding


def _compiling(data: Path, algorithms: list[str]) -> None:
    """What the first search of an installation waits for, which has compiled nothing yet."""
    print(
        "\nThe first search, with nothing compiled before, and of it the wait for the compiler, CPU-s\n\n| algorithm | "
        + " | ".join(f"{rows:,} rows" for rows in FIRST)
        + " |\n| --- "
        + "| --- " * len(FIRST)
        + "|"
    )
    for algorithm in (case.algorithm for case in FIRST_CASES if case.algorithm in algorithms):
        cells = []
        for rows in FIRST:
            command = [sys.executable, "-m", "benchmarks.local_recoding", "--data", str(data), "--first"]
            with tempfile.TemporaryDirectory() as nothing_compiled:
                environment = os.environ | {"NUMBA_CACHE_DIR": nothing_compiled}
                said = subprocess.run(
                    [*command, algorithm, str(rows)], env=environment, capture_output=True, check=True
                )
            one = json.loads(said.stdout)
            cells.append(f"{one['first']:.2f}, {one['compiling']:.2f}")
        print(f"| {algorithm} | {' | '.join(cells)} |", flush=True)


def _first_and_again(folder: Path, algorithm: str, rows: int) -> dict[str, float]:
    frame = pl.read_csv(folder / "adult.csv", separator=";").head(rows)
    wanted = next(case.wanted for case in FIRST_CASES if case.algorithm == algorithm)
    table = _table(folder, frame, by_group="protection" in wanted)
    _ = table.counted
    compiling = _Compiling()
    event.register("numba:compile", compiling)
    first = _searched(table, algorithm, wanted)[0]
    return {"first": first, "compiling": compiling.seconds}


def _growth(data: Path, algorithms: list[str] | tuple[str, ...]) -> None:
    print(
        "\nThe search on more and more rows\n\n| algorithm | rows | CPU-s | peak MB | NCP | exponent of time | of memory |\n"
        "| --- " + "| --- " * 6 + "|"
    )
    for algorithm in algorithms:
        before: tuple[float, Used] | None = None
        for rows in SIZES:
            command = [sys.executable, "-m", "benchmarks.local_recoding", "--data", str(data), "--grown"]
            used = measured([*command, algorithm, str(rows)])
            one = json.loads(used.said)
            exponents = " | "
            if before:
                time, memory = one["seconds"] / before[0], used.peak_mb / before[1].peak_mb
                exponents = f"{math.log10(time):.2f} | {math.log10(memory):.2f}"
            print(
                f"| {algorithm} | {rows:,} | {one['seconds']:.2f} | {one['peak_mb']:.0f} | {one['ncp']:.4f} | {exponents} |",
                flush=True,
            )
            before = one["seconds"], used


def _grown(folder: Path, algorithm: str, rows: int) -> dict[str, float]:
    frame = made(pl.read_csv(folder / "adult.csv", separator=";"), rows)
    wanted = GROWN.get(algorithm, {"l": 3})
    _searched(_table(folder, frame.head(20_000)), algorithm, wanted)  # loads what was compiled
    seconds, task, recoding = _searched(_table(folder, frame), algorithm, wanted)
    return {
        "seconds": seconds,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "ncp": 0.0 if recoding.separate else _ncp(task, recoding),
    }


def _ncp(task: Any, recoding: Any) -> float:
    """The mean penalty of the spans: the same as of the release read back, which takes longer to read than to make."""
    import numpy as np

    from aramis.tables.clusters import surround
    from aramis.tables.nearest import no_spans
    from aramis.tables.settling import points_of

    scales, points = points_of(task)
    records = np.repeat(recoding.tuples, recoding.counts)
    classes = np.repeat(recoding.classes, recoding.counts).astype(np.int64)
    spans = no_spans(int(classes.max()) + 1, points.shape[1])
    surround(scales, points[records], spans, classes)
    return float((spans.sizes * spans.losses).sum() / len(records) / points.shape[1])


if __name__ == "__main__":
    main()
