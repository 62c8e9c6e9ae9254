"""Tables: k, distinct, entropy and recursive l, and t, beside pyCANON and a bare group-by. `python -m benchmarks.table_check --data DIR`

UCI Adult, and a million rows made from it: rows drawn at random, and each cell drawn anew from its column in a tenth of
the cases, by a seeded generator. All columns but the occupation are quasi-identifiers, the occupation is sensitive.

In turn, each in a process of its own: polars counts the distinct tuples and does no more (of its two engines the faster
one counts), Aramis answers (every model it has, of which only those named are compared), pyCANON answers. Seconds are of the
answer alone, the frame being in memory: the best of some rounds; peak memory is of the whole program. Then whole
programs: ten million rows from a Parquet file, and the command on a dozen rows, start included.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl
from benchmarks.peers import Used, measured, peer

SENSITIVE = "occupation"
SEED = 7
ANEW = 0.1  # the share of cells that are drawn from their column, whatever else is in the row
MILLION = 1_000_000
ROUNDS = {"bare": 9, "aramis": 9, "pycanon": 1}
EXAMPLE = Path(__file__).parents[1] / "examples" / "patients.csv"
ANSWERS = ("k", "distinct l", "entropy l", "recursive c", "t")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"))
    parser.add_argument("--turns", type=int, default=3, help="the best of so many processes counts")
    parser.add_argument(
        "--sizes", nargs="*", default=["adult", "million", "file"], help="of adult, million, file"
    )
    parser.add_argument(
        "--no-peer", action="store_true", help="without pyCANON, which takes minutes for a million rows"
    )
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        tool, *paths = given.one
        print(json.dumps(ONE[tool](*map(Path, paths))))
        return
    adult = given.data / "tables" / "arx" / "adult.csv"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        heads = (
            "rows",
            "classes",
            "tool",
            "seconds",
            "group-by = 1",
            "pyCANON = 1",
            "peak MB",
            "group-by = 1",
        )
        print(f"| {' | '.join((*heads, *ANSWERS))} |")
        print("|" + " --- |" * (len(heads) + len(ANSWERS)))
        for name in ("adult", "million"):
            if name in given.sizes:
                path = folder / f"{name}.csv"
                # in a process of its own, for a program starts with the peak memory of the one that starts it
                measured([*_program("make"), "--one", "make", str(adult), str(path)])
                _compare(path, given.turns, peers=not given.no_peer)
        if "file" in given.sizes:
            path = folder / "ten_million.parquet"
            measured([*_program("make"), "--one", "make", str(adult), str(path)])
            _from_a_file(path)
            _start_up()


def made(adult: pl.DataFrame, rows: int, seed: int = SEED) -> pl.DataFrame:
    """So many rows like those of Adult."""
    random = np.random.default_rng(seed)
    whole = random.integers(0, len(adult), rows)
    return pl.DataFrame(
        {
            column: adult[column].gather(
                np.where(random.random(rows) < ANEW, random.integers(0, len(adult), rows), whole)
            )
            for column in adult.columns
        }
    )


def _make(source: Path, path: Path) -> int:
    """Adult as it is, a million rows, or ten million in a Parquet file."""
    adult = pl.read_csv(source, separator=";")
    if path.stem == "adult":
        adult.write_csv(path)
    elif path.stem == "million":
        made(adult, MILLION).write_csv(path)
    else:
        whole = pl.concat([made(adult, MILLION, seed) for seed in range(10)], rechunk=False)
        whole.write_parquet(path, row_group_size=MILLION // 4)
    return path.stat().st_size


def _compare(path: Path, turns: int, *, peers: bool) -> None:
    """A line for each tool; they take turns, so that what else the machine does meets them alike."""
    runs: dict[str, list[tuple[Used, Any]]] = {"bare": [], "aramis": [], **({"pycanon": []} if peers else {})}
    for turn in range(turns):
        for tool, of_tool in runs.items():
            if tool != "pycanon" or not turn:
                used = measured([*_program(tool), "--one", tool, str(path)])
                of_tool.append((used, json.loads(used.said)))
    seconds = {tool: min(said["seconds"] for _, said in of_tool) for tool, of_tool in runs.items()}
    peak = {tool: min(used.peak_mb for used, _ in of_tool) for tool, of_tool in runs.items()}
    size = runs["aramis"][0][1]
    for tool, of_tool in runs.items():
        answers = [_written(of_tool[0][1].get(answer)) for answer in ANSWERS]
        beside = f"{seconds[tool] / seconds['pycanon']:.2g}" if "pycanon" in seconds else ""
        print(
            f"| {size['rows']:,} | {size['classes']:,} | {TOOLS[tool]} | {seconds[tool]:.4f} "
            f"| {seconds[tool] / seconds['bare']:.2f} | {beside} | {peak[tool]:.0f} | {peak[tool] / peak['bare']:.2f} "
            f"| {' | '.join(answers)} |",
            flush=True,
        )


def _written(level: Any) -> str:
    return "" if level is None else f"{level:.6g}"


TOOLS = {"bare": "group-by of polars", "aramis": "aramis", "pycanon": "pyCANON 1.3.6"}


def _program(tool: str) -> list[str]:
    if tool != "pycanon":
        return [sys.executable, "-m", "benchmarks.table_check"]
    python = peer("pycanon", "pycanon==1.3.6") / "python"
    return [str(python), str(Path(__file__).with_name("pycanon_here.py"))]


def _bare(path: Path) -> dict[str, float]:
    frame = pl.read_csv(path)
    engines: list[Callable[[], Any]] = [
        lambda: frame.group_by(frame.columns).len(),
        lambda: frame.lazy().group_by(frame.columns).len().collect(engine="streaming"),
    ]
    return {"seconds": min(_best(engine, ROUNDS["bare"]) for engine in engines)}


def _aramis(path: Path) -> dict[str, float]:
    import aramis

    frame = pl.read_csv(path)
    quasi = [column for column in frame.columns if column != SENSITIVE]

    def answered() -> Any:
        return aramis.table(frame, quasi=quasi, sensitive=SENSITIVE).check()

    found = answered()
    of = found.sensitive[SENSITIVE]
    levels = (found.k, of.l_distinct, of.l_entropy, of.l_recursive, of.t)
    return {
        "seconds": _best(answered, ROUNDS["aramis"]),
        "rows": found.rows,
        "classes": found.classes,
        **dict(zip(ANSWERS, levels, strict=True)),
    }


ONE: dict[str, Callable[..., Any]] = {"make": _make, "bare": _bare, "aramis": _aramis}


def _best(work: Callable[[], Any], rounds: int) -> float:
    took = []
    for _ in range(rounds):
        started = perf_counter()
        work()
        took.append(perf_counter() - started)
    return min(took)


def _from_a_file(path: Path) -> None:
    """Ten million rows; whole programs, which read the file as a stream."""
    columns = [
        word for column in pl.read_parquet_schema(path) if column != SENSITIVE for word in ("-q", column)
    ]
    bare = f"import polars; polars.scan_parquet({str(path)!r}).group_by(polars.all()).len().collect(engine='streaming')"
    commands = {
        "group-by of polars": [sys.executable, "-c", bare],
        "aramis table check": [_aramis_command(), "table", "check", str(path), *columns, "-s", SENSITIVE],
    }
    runs = {name: min(measured(command) for _ in range(3)) for name, command in commands.items()}
    slow, large = runs["group-by of polars"].seconds, runs["group-by of polars"].peak_mb
    print(f"\nTen million rows, Parquet of {path.stat().st_size / 1e6:.0f} MB, whole programs\n")
    print("| tool | seconds | group-by = 1 | peak MB | group-by = 1 |\n| --- | --- | --- | --- | --- |")
    for name, run in runs.items():
        print(
            f"| {name} | {run.seconds:.2f} | {run.seconds / slow:.2f} | {run.peak_mb:.0f} | {run.peak_mb / large:.2f} |"
        )


def _start_up() -> None:
    words = ["table", "check", str(EXAMPLE), "-q", "age", "-q", "postcode", "-s", "disease"]
    runs = [measured([_aramis_command(), *words]) for _ in range(7)]
    best = min(runs)
    print(
        f"\naramis table check on twelve rows, from start to end: {best.seconds:.2f} s ({best.cpu:.2f} s of CPU, {best.peak_mb:.0f} MB)"
    )


def _aramis_command() -> str:
    return str(Path(sys.executable).with_name("aramis"))


if __name__ == "__main__":
    main()
