"""How many people, vehicles and targets the frames of videos come to: each counted once, however long it is seen.

A track leaks where any of its sampled frames does: one frame is enough to recognise somebody by.
"""

from collections import defaultdict

import msgspec

from aramis.images.records import ImageRecord, Verdict


class Tracks(msgspec.Struct, frozen=True):
    """Tracks by kind; of people and vehicles also those with a leak in any frame."""

    people: int = 0
    people_leaking: int = 0
    vehicles: int = 0
    vehicles_leaking: int = 0
    faces: int = 0
    plates: int = 0


class TrackTally:
    """Counts tracks as records go by, those of a video in one go; keeps no more than one video's."""

    def __init__(self) -> None:
        self._before = Tracks()
        self._image = ""
        self._seen: dict[str, set[int]] = defaultdict(set)

    def add(self, record: ImageRecord) -> None:
        """Count a judged record."""
        if record.image != self._image:
            self._before, self._image = self.total(), record.image
            self._seen.clear()
        for target in record.targets:
            if target.track is not None:
                self._seen[target.kind].add(target.track)
        for carrier in record.carriers:
            if carrier.track is not None:
                self._seen[carrier.kind].add(carrier.track)
                if carrier.verdict is Verdict.LEAK:
                    self._seen[f"{carrier.kind} leaking"].add(carrier.track)

    def total(self) -> Tracks:
        """The tracks of all records so far."""
        kinds = ("person", "person leaking", "vehicle", "vehicle leaking", "face", "plate")
        now = (len(self._seen.get(kind, ())) for kind in kinds)
        return Tracks(*(a + b for a, b in zip(msgspec.structs.astuple(self._before), now, strict=True)))
