"""What releases of UCI Adult have lost, by every measure. `python -m benchmarks.table_utility --data DIR`

Eight quasi-identifiers, the salary class sensitive and what a classifier is to tell; full-domain and local recoding at more
and more k, 5 % of the records suppressed where an algorithm suppresses.
"""

import argparse
import os
from pathlib import Path
from typing import Any

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
LABEL = "salary-class"
ALGORITHMS = {"optimal": 0.05, "mondrian": 0.0}  # and the share that may be suppressed
HEADS = (
    *("algorithm", "k", "NCP", "Loss", "entropy", "class size", "queries, median error", "association lost"),
    "classifier right",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"))
    parser.add_argument("--k", nargs="*", type=int, default=[2, 5, 20, 100])
    given = parser.parse_args()
    import aramis

    folder = given.data / "tables" / "arx"
    table: Any = aramis.table(
        folder / "adult.csv",
        quasi=QUASI,
        sensitive=LABEL,
        hierarchies={column: folder / f"adult_hierarchy_{column}.csv" for column in QUASI},
    )
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}")
    for algorithm, suppress in ALGORITHMS.items():
        for k in given.k:
            release = table.anonymize(k=k, suppress=suppress, algorithm=algorithm).frame
            lost = table.compare(release, label=LABEL)
            print(
                f"| {algorithm} | {k} | {lost.ncp:.3f} | {lost.loss:.3f} | {lost.non_uniform_entropy:.3f} "
                f"| {lost.average_class_size:.1f} | {lost.queries.median:.1%} | {lost.association_lost:.3f} "
                f"| {lost.classifier.after:.1%} |",
                flush=True,
            )
    print(
        f"\nThe classifier tells {lost.classifier.before:.1%} right that learnt from the original, and {lost.classifier.majority:.1%} "
        "who always says the most frequent."
    )


if __name__ == "__main__":
    main()
