"""The checks of a video: on the frames in which people and vehicles were looked for, beside those of the original.

A target is followed through all frames and hidden in the same way in each, so a sample of them, one a second and one for each
scene, tells of all; the frames in between are hidden, not checked.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from aramis.errors import Unreadable
from aramis.images.checks.check import Checks, checked, with_files
from aramis.images.files import video
from aramis.images.records import ImageRecord


def checked_film(
    records: Iterable[ImageRecord], original: Path, released: Path, checks: Checks
) -> Iterator[ImageRecord]:
    """The records of a video, in the order of its frames, with what the checks found in those that were sampled."""
    both = zip(video.frames(original), video.frames(released), strict=False)
    left = dict(checks.files)
    for record in records:
        if record.inspected is False:
            yield record
            continue
        frames = next((pair for pair in both if pair[0].index == record.frame), None)
        if frames is None:
            raise Unreadable(f"the released video has no frame {record.frame}: it could not be checked")
        before, after = frames
        yield with_files(checked(record, before.pixels, after.pixels, checks.pixels), released, left)
        left = {}  # what a file carries is said once, in its first record
