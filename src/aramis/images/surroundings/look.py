"""A look around: people and vehicles, by other models than those that find faces and plates.

It never sees what the redaction pass found. That independence is what makes a miss visible.
"""

from collections.abc import Callable
from pathlib import Path

from aramis.images import cards
from aramis.images.network import Pixels
from aramis.images.records import Carrier
from aramis.images.surroundings.efficientdet import efficientdet
from aramis.images.surroundings.people import people
from aramis.images.surroundings.pose import rtmpose
from aramis.images.surroundings.seen import See, clipped
from aramis.images.surroundings.tiles import near_and_far
from aramis.images.surroundings.vehicle_facing import vehicle_facing
from aramis.images.surroundings.vehicles import vehicles
from aramis.images.surroundings.yolo import yolo_around
from aramis.images.surroundings.yolox import yolox

Look = Callable[[Pixels], list[Carrier]]
NETWORKS = {
    "default": ("efficientdet-lite2", "yolox-tiny"),
    "strong": ("efficientdet-lite2", "yolox-tiny", "yolo11n"),
}
ORIENTATIONS = ("rtmpose-s", "aramis-vehicle-orientation")
FLOOR = 0.3  # docs/measurements.md says what others would cost and bring
TILE = 720  # a tile's side in pixels: 1.6 of them become one of the network's input
TILE_OF_YOLO = 640


def look_around(threads: int = 1, models: str = "default", file: Path | None = None) -> Look:
    """The inspection pass, ready to run; it may be called from several threads.

    `file` holds weights of the user's own: a YOLO whose classes bear COCO's names.
    """
    looks = networks(threads, models, file)
    pose = rtmpose(cards.path("rtmpose-s"), threads)
    face = vehicle_facing(cards.path("aramis-vehicle-orientation"), threads)

    def look(pixels: Pixels) -> list[Carrier]:
        height, width = pixels.shape[:2]
        seen = {name: clipped(see(pixels), width, height) for name, see in looks.items()}
        return [*people(pixels, seen, pose), *vehicles(pixels, seen, face)]

    return look


def networks(
    threads: int = 1, models: str = "default", file: Path | None = None, *, floor: float = FLOOR
) -> dict[str, See]:
    """What sees people and vehicles, each by its model's name: in the whole picture, the first in tiles of a large one too."""
    if file:
        return {file.name: near_and_far(yolo_around(file, floor, threads), TILE_OF_YOLO)}
    both = efficientdet(cards.path("efficientdet-lite2"), floor, threads)
    usual = {
        "efficientdet-lite2": near_and_far(both, TILE),
        "yolox-tiny": yolox(cards.path("yolox-tiny"), floor, threads),
    }
    if models == "default":
        return usual
    third = yolo_around(cards.path("yolo11n"), floor, threads)
    return {**usual, "yolo11n": near_and_far(third, TILE_OF_YOLO)}


def names(models: str) -> tuple[str, ...]:
    """The models of a profile."""
    return (*NETWORKS[models], *ORIENTATIONS)
