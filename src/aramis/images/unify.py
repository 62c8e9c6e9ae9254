"""Two streams of metadata, what was found to hide and what was seen around it, become one ImageRecord."""

from collections.abc import Iterable

import msgspec

from aramis.images.geometry import clip
from aramis.images.records import Box, Carrier, ImageRecord, Target


def unify(
    image: str,
    width: int,
    height: int,
    *,
    targets: Iterable[Target] = (),
    carriers: Iterable[Carrier] = (),
    frame: int | None = None,
    sha256: str | None = None,
) -> ImageRecord:
    """One record: every box within the image, every target and carrier numbered by its place.

    What lies outside the image, or covers less than a pixel of it, has nothing to show and is left out.
    """
    return ImageRecord(
        image=image,
        frame=frame,
        width=width,
        height=height,
        sha256=sha256,
        targets=tuple(
            msgspec.structs.replace(target, id=place, box=clip(target.box, width, height))
            for place, target in enumerate(t for t in targets if _shows(t.box, width, height))
        ),
        carriers=tuple(
            msgspec.structs.replace(carrier, id=place, box=clip(carrier.box, width, height))
            for place, carrier in enumerate(c for c in carriers if _shows(c.box, width, height))
        ),
    )


def _shows(box: Box, width: int, height: int) -> bool:
    x1, y1, x2, y2 = clip(box, width, height)
    return x2 - x1 >= 1 and y2 - y1 >= 1
