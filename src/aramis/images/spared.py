"""Faces to spare by example: photographs of those who may be seen → the numbers that tell them. In doubt a face is hidden."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput, Unreadable
from aramis.images.by_hand import Embed
from aramis.images.embedding import Vector, embedding, landmarks
from aramis.images.files.frame import seen
from aramis.images.files.still import decode
from aramis.images.files.walk import read
from aramis.images.records import Target

Pixels = NDArray[np.uint8]

LEAST_HEIGHT = 48  # pixels: below it strangers are too much alike; see docs/measurements.md


def embedder(threads: int = 1) -> Embed:
    """What tells whose a face is; None where it is too small or its eyes, nose and mouth are not seen."""
    points, numbers = landmarks(threads), embedding(threads)

    def embed(pixels: Pixels, target: Target) -> Vector | None:
        if target.box[3] - target.box[1] < LEAST_HEIGHT:
            return None
        found = points(pixels, target.box)
        return None if found is None else numbers(pixels, found)

    return embed


def examples(
    photographs: Sequence[str], detect: Callable[[Pixels], Sequence[Target]], embed: Embed
) -> dict[str, Vector]:
    """The numbers of the one face in each photograph."""
    return {photo: _face(photo, detect, embed) for photo in photographs}


def _face(photo: str, detect: Callable[[Pixels], Sequence[Target]], embed: Embed) -> Vector:
    try:
        pixels = seen(decode(read(Path(photo))).frames[0])
    except Unreadable as error:
        raise BadInput(f"the photograph {photo} of a face to spare cannot be read: {error}") from None
    faces = [target for target in detect(pixels) if target.kind == "face"]
    if len(faces) != 1:
        raise BadInput(
            f"{photo} shows {len(faces) or 'no'} face{'s' * (len(faces) > 1)}: give a photograph of the one person who is to be spared"
        )
    vector = embed(pixels, faces[0])
    if vector is None:
        raise BadInput(
            f"{photo}: its face is too small or turned away; give one from the front, {LEAST_HEIGHT} pixels high or more"
        )
    return vector
