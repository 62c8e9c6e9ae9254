"""Bring a table to k = 3 and l = 2 by two algorithms, see what each loses, and release next month's the same way."""

from pathlib import Path

import polars as pl

import aramis

january = pl.DataFrame(
    {
        "age": [23, 25, 28, 31, 34, 37, 42, 44, 49, 51, 56, 58],
        "postcode": [4711, 4712, 4711, 4721, 4722, 4721, 4733, 4731, 4733, 4734, 4731, 4734],
        "disease": [
            "flu",
            "cold",
            "flu",
            "gastritis",
            "flu",
            "cold",
            "angina",
            "flu",
            "cold",
            "flu",
            "angina",
            "cold",
        ],
    }
).cast({"postcode": pl.String})
what_is_what = {
    "quasi": ["age", "postcode"],
    "sensitive": ["disease"],
    "hierarchies": {"age": "intervals:5,10,20", "postcode": "masks"},
}
table = aramis.table(january, **what_is_what)

# one level for each column, the one of least loss; kept for later, and written
chosen = table.anonymize(k=3, l=2, out="january.csv", save_recoding="levels.json")
print(f"optimal: {dict(chosen.generalization)}, NCP {chosen.utility.ncp:.3f}")
print(Path("january.csv").read_text().splitlines()[1])

# every class says what its own records have in common
local = table.anonymize(k=3, l=2, algorithm="mondrian")
print(f"mondrian: {local.check.classes} classes, NCP {local.utility.ncp:.3f}")
print(f"          {local.algorithm.guarantee}")

# what was released is checked by whoever doubts it, and compared with the original
released = aramis.table("january.csv", quasi=["age", "postcode"], sensitive=["disease"])
print(f"january.csv: k = {released.check().k}, holds: {released.check(k=3, l=2).holds}")

# the levels of January, applied to other people, are asked for the same k and l again
february = january.with_columns(pl.col("age") - 1)
again = aramis.table(february, **what_is_what).anonymize(reuse="levels.json")
print(f"february: {dict(again.generalization)}, k = {again.check.k}")

# a goal that is out of reach says what is in reach
try:
    table.anonymize(k=3, l=6)
except aramis.AramisError as error:
    print(error)
