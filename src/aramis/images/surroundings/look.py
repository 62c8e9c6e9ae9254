"""A look around: people and vehicles, by other models than those that find faces and plates.

It never sees what the redaction pass found. That independence is what makes a miss visible.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from aramis.images import cards
from aramis.images.network import Pixels
from aramis.images.records import Carrier
from aramis.images.surroundings.efficientdet import efficientdet
from aramis.images.surroundings.people import people
from aramis.images.surroundings.pose import Pose, rtmpose
from aramis.images.surroundings.seen import See, clipped, joined
from aramis.images.surroundings.tiles import in_tiles
from aramis.images.surroundings.vehicles import vehicles
from aramis.images.surroundings.yolo import yolo_around
from aramis.images.surroundings.yolox import yolox
from aramis.images.tiles import tiles

Look = Callable[[Pixels], list[Carrier]]
PROFILES = {"default": ("efficientdet-lite2", "yolox-tiny", "rtmpose-s"), "strong": ("yolo11n", "rtmpose-s")}
FLOOR = 0.3
TILE = 720  # a tile's side in pixels: 1.6 of them become one of the network's input
TILE_OF_YOLO = 640


def look_around(threads: int = 1, models: str = "default", file: Path | None = None) -> Look:
    """The inspection pass, ready to run; it may be called from several threads.

    `file` holds weights of the user's own: a YOLO whose classes bear COCO's names.
    """
    pose = rtmpose(cards.path("rtmpose-s"), threads)
    if file or models == "strong":
        one = yolo_around(file or cards.path("yolo11n"), FLOOR, threads)
        name = file.name if file else "yolo11n"
        return _looking(one, [], TILE_OF_YOLO, pose, (name, name))
    both = efficientdet(cards.path("efficientdet-lite2"), FLOOR, threads)
    persons = yolox(cards.path("yolox-tiny"), FLOOR, threads)
    return _looking(both, [persons], TILE, pose, ("efficientdet-lite2, yolox-tiny", "efficientdet-lite2"))


def names(models: str) -> tuple[str, ...]:
    """The models of a profile."""
    return PROFILES[models]


def _looking(see: See, besides: Sequence[See], tile: int, pose: Pose, found_by: tuple[str, str]) -> Look:
    """People and vehicles seen in the whole picture by all, in tiles of a large one by the first."""

    def look(pixels: Pixels) -> list[Carrier]:
        height, width = pixels.shape[:2]
        closer = tiles(width, height, tile) if max(width, height) > tile else []
        whole = [look_once(pixels) for look_once in (see, *besides)]
        seen = clipped(joined([*whole, in_tiles(see, pixels, closer)]), width, height)
        return [*people(pixels, seen, pose, found_by[0]), *vehicles(seen, found_by[1])]

    return look
