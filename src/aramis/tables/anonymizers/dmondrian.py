"""Mondrian under the condition that no class discriminates: a cut that would leave a class that does is not made."""

from dataclasses import replace

from aramis.tables.anonymizers.mondrian import mondrian

dmondrian = replace(
    mondrian,
    name="dmondrian",
    guarantee="as mondrian, and in no class is the protected group denied more often than the wanted measure of discrimination "
    "allows; what it allows, the whole table must have; nothing is suppressed",
    paper="Ruggieri, Using t-closeness anonymity to control for non-discrimination, Transactions on Data Privacy 7, 2014",
    needs=("protection",),
)
