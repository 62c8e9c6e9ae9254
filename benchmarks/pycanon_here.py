"""What pyCANON 1.3.6 says of tables. Run in an environment of its own, for it wants another pandas than we do; imports nothing of ours.

`python pycanon_here.py FILE` times it on a table. It works on one core and for minutes: its time is that of the core, so
that what else the machine does is not counted.

`python pycanon_here.py record > tests/papers/pycanon.json` records its answers on a hundred seeded random tables, and on one
table for each case in which it is known to be wrong: tests/papers/test_pycanon.py holds ours beside them.
"""

import json
import random
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

import pandas as pd
from pycanon import anonymity as asked

SENSITIVE = "occupation"
QUASI = ["zip", "age"]
COLUMNS = [*QUASI, "ill", "pay"]
ILL = "flu", "cold", "angina"
Rows = list[list[Any]]


def main() -> None:
    if sys.argv[-1] == "record":
        record()
        return
    frame = pd.read_csv(sys.argv[-1])
    quasi, sensitive = [column for column in frame.columns if column != SENSITIVE], [SENSITIVE]
    started = process_time()
    answers = {
        "k": asked.k_anonymity(frame, quasi),
        "distinct l": asked.l_diversity(frame, quasi, sensitive),
        "entropy l": asked.entropy_l_diversity(frame, quasi, sensitive),
        "recursive c": asked.recursive_c_l_diversity(frame, quasi, sensitive)[0],
        "t": asked.t_closeness(frame, quasi, sensitive),
    }
    seconds = process_time() - started
    print(json.dumps({"seconds": seconds, **{name: float(level) for name, level in answers.items()}}))


def record() -> None:
    right = ",\n".join(
        json.dumps({"rows": rows, "says": _said(_frame(rows))}, default=float) for rows in _tables()
    )
    wrong = ",\n".join(
        f"{json.dumps(name)}: {json.dumps({'rows': rows, 'says': says}, default=float)}"
        for name, rows, says in _mistakes()
    )
    print(f'{{"tool": "pyCANON 1.3.6",\n"right": [\n{right}\n],\n"wrong": {{\n{wrong}\n}}}}')


def _frame(rows: Rows) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS)


def _tables() -> Iterator[Rows]:
    chance, number = random.Random(7), 0
    while number < 100:
        rows = [
            [chance.choice("ab"), chance.choice([30, 40]), chance.choice(ILL), chance.choice([1, 2, 3, 5])]
            for _ in range(chance.randrange(2, 16))
        ]
        if len({row[-1] for row in rows}) > 1:  # it divides by zero where there is one number
            number += 1
            yield rows


def _said(frame: pd.DataFrame) -> dict[str, Any]:
    of: dict[str, Any] = {
        "k": asked.k_anonymity(frame, QUASI),
        "l_distinct_others": asked.l_diversity(frame, QUASI, ["ill", "pay"], gen=False),
    }
    for column in ("ill", "pay"):
        given = frame, QUASI, [column]
        of[column] = {
            "l_distinct": asked.l_diversity(*given),
            "l_entropy": asked.entropy_l_diversity(*given),
            "t": asked.t_closeness(*given),
            "alpha": asked.alpha_k_anonymity(*given)[0],
            "beta": asked.basic_beta_likeness(*given),
            "delta": asked.delta_disclosure(*given),
        }
    return of


def _mistakes() -> Iterator[tuple[str, Rows, Any]]:
    """What it is wrong in, a table that shows it, and what it says."""
    rows = _ill(flu=7, cold=1, angina=1)
    c, _ = asked.recursive_c_l_diversity(_frame(rows), QUASI, ["ill"])
    yield "recursive c takes the rarest value for the most frequent", rows, c
    rows = _ill(flu=1, cold=1, angina=1)
    yield "entropy l is cut to a whole number", rows, asked.entropy_l_diversity(_frame(rows), QUASI, ["ill"])
    rows = [*_ill(flu=1, cold=1), [None, 30, "flu", 1]]
    yield "a row without a quasi-identifier is left out", rows, asked.k_anonymity(_frame(rows), ["zip"])
    rows = [["a", 30, "flu", 1], ["b", 30, "cold", 1]]
    try:
        t: Any = asked.t_closeness(_frame(rows), QUASI, ["pay"])
    except ZeroDivisionError as error:
        t = repr(error)
    yield "a constant number has no t", rows, t
    rows = [*_ill(flu=1, cold=1), ["b", 30, "flu", 1]]
    delta = asked.delta_disclosure(_frame(rows), QUASI, ["ill"])
    yield "delta passes over values that a class lacks", rows, delta
    rows = [["a", 30, "flu", 1], ["b", 30, "flu", 1], ["a", 30, "cold", 1], ["b", 30, "cold", 1]]
    renumbered = _frame(rows).set_axis([0, 2, 1, 3])
    yield "labels of the index are taken for positions", rows, asked.l_diversity(renumbered, QUASI, ["ill"])


def _ill(**counts: int) -> Rows:
    return [["a", 30, value, 1] for value, times in counts.items() for _ in range(times)]


if __name__ == "__main__":
    main()
