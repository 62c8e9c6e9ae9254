"""A look around: people and vehicles, by other models than those that find faces and plates.

It never sees what the redaction pass found. That independence is what makes a miss visible.
"""

from collections.abc import Callable

from aramis.images import cards
from aramis.images.network import Pixels
from aramis.images.records import Carrier
from aramis.images.surroundings.efficientdet import efficientdet
from aramis.images.surroundings.people import people
from aramis.images.surroundings.pose import rtmpose
from aramis.images.surroundings.seen import clipped, joined
from aramis.images.surroundings.tiles import in_tiles
from aramis.images.surroundings.vehicles import vehicles
from aramis.images.surroundings.yolox import yolox
from aramis.images.tiles import tiles

Look = Callable[[Pixels], list[Carrier]]
MODELS = ("efficientdet-lite2", "yolox-tiny", "rtmpose-s")
FLOOR = 0.3
TILE = 720  # a tile's side in pixels: 1.6 of them become one of the network's input


def look_around(threads: int = 1) -> Look:
    """The inspection pass, ready to run; it may be called from several threads."""
    both = efficientdet(cards.path("efficientdet-lite2"), FLOOR, threads)
    persons = yolox(cards.path("yolox-tiny"), FLOOR, threads)
    pose = rtmpose(cards.path("rtmpose-s"), threads)

    def look(pixels: Pixels) -> list[Carrier]:
        height, width = pixels.shape[:2]
        closer = tiles(width, height, TILE) if max(width, height) > TILE else []
        seen = joined([both(pixels), persons(pixels), in_tiles(both, pixels, closer)])
        seen = clipped(seen, width, height)
        return [
            *people(pixels, seen, pose, "efficientdet-lite2, yolox-tiny"),
            *vehicles(seen, "efficientdet-lite2"),
        ]

    return look
