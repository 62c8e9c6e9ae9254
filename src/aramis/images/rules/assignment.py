"""Which target belongs to which carrier."""

from collections.abc import Callable

from aramis.images.geometry import centre, is_inside
from aramis.images.records import Carrier, Target
from aramis.images.rules.scene import Scene

Assignment = dict[int, tuple[int, ...]]  # a carrier's id → the ids of its targets
Assign = Callable[[Scene], Assignment]

BORNE = {"person": "face", "vehicle": "plate"}  # a case: which target a carrier bears


def first_come(scene: Scene) -> Assignment:
    """Each carrier in turn takes every target that no earlier one took and whose centre lies inside it.

    Why: step 1 of the published Algorithms 1 and 2, word for word.
    Example: a plate in the overlap of two vehicles goes to the one that comes first in the record.
    """
    free = list(scene.record.targets)
    taken: Assignment = {}
    for carrier in scene.carriers:
        own = [target for target in free if _belongs(target, carrier, scene)]
        free = [target for target in free if target not in own]
        taken[carrier.id] = tuple(target.id for target in own)
    return taken


def _belongs(target: Target, carrier: Carrier, scene: Scene) -> bool:
    if target.kind != BORNE[carrier.kind] or target.method is None:  # one that was left open hides nothing
        return False
    x1, top, x2, bottom = carrier.box
    if carrier.kind == "person":
        bottom = top + (bottom - top) * scene.thresholds.face_in_upper
    return is_inside(centre(target.box), (x1, top, x2, bottom))
