"""Which k, l and t does a table have, where is it worst, and does it hold what is wanted?"""

import polars as pl

import aramis

patients = pl.DataFrame(
    {
        "age": ["<40"] * 4 + [">=40"] * 4,
        "zip": ["476**"] * 4 + ["479**"] * 4,
        "disease": ["flu", "flu", "gastritis", "bronchitis", "cancer", "cancer", "cancer", "cancer"],
    }
)
table = aramis.table(patients, quasi=["age", "zip"], sensitive=["disease"])
found = table.check(k=4, l=2)

disease = found.sensitive["disease"]
print(f"k = {found.k}, l = {disease.l_distinct}, t = {disease.t:.3f} by {disease.distance} distance")
for wanted in found.wanted:
    verdict = "holds" if wanted.holds else f"fails for {wanted.failing_records} records"
    print(f"{wanted.model.name} of {wanted.model.wanted:g}: {verdict}")
worst = next(one for one in found.worst if one.model == "l_distinct")
print(f"worst: {dict(worst.quasi)} all have {list(worst.distribution['disease'])}")
