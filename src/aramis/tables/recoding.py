"""What an anonymizer hands out: which class each record goes to, and what the records of a class say instead."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from aramis.tables.frequency import Codes, Counts

STAR = "*"
SUPPRESSED = -1


@dataclass(frozen=True, slots=True)
class Recoding:
    """Pieces of a frequency set, each with the class it goes to; and for each class the labels of its cells.

    A piece is some of the records of one tuple. Records alike in every column cannot be told apart, so how many of
    them go to a class is all there is to say.
    """

    tuples: Codes  # (pieces,) which tuple of the frequency set, ascending
    counts: Counts  # (pieces,) how many of its records
    classes: Codes  # (pieces,) the class they go to, SUPPRESSED where they are not released
    cells: Codes  # (classes, quasi) which label each cell has
    labels: tuple[
        tuple[object, ...], ...
    ]  # quasi-identifier -> label: text, or a number where it replaces one
    said: tuple[tuple[object, ...], ...] | None = None  # what is written in place of the labels: means
    separate: bool = False  # nothing is recoded; what is sensitive goes into a table of its own, by class
    generalization: Mapping[str, int] | None = None  # full-domain: the level of each quasi-identifier
    minimal: tuple[Mapping[str, int], ...] | None = (
        None  # every generalization of which no column can be finer
    )
    sensitive: Codes | None = None  # (pieces, sensitive) the codes released, where they are not the true ones
    distorted: int = 0  # records released with sensitive values that are not theirs
    checked: int | None = None  # nodes that a search looked at
    complete: bool = True  # False: the search was interrupted, and there may be better
    remarks: tuple[str, ...] = field(default=())  # what a reader of the result should know

    @property
    def suppressed(self) -> int:
        """How many records are not released."""
        return int(self.counts[self.classes == SUPPRESSED].sum())
