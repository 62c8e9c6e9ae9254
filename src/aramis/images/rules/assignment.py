"""Which target belongs to which carrier."""

from collections.abc import Callable

from aramis.images.geometry import centre, intersection, is_inside
from aramis.images.records import Carrier, Target
from aramis.images.rules.expected import misfit, place, share_under
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


NO_TARGET = (
    4.0  # the cost of a carrier without one: a worse fit than this is taken only where it costs nobody theirs
)
NEVER = 1e6


def least_cost(scene: Scene) -> Assignment:
    """Each target goes to one carrier and each carrier gets one target, so that all together fit best.

    Why: the first carrier in the list must not take its neighbour's face, and a face must lie where this person's head
    is and be about as large. A target that was found and not hidden, or whose pixels did not change, belongs to nobody; a
    region drawn by hand belongs to everybody whose target it hides. Kuhn, "The Hungarian method for the assignment problem", 1955.
    Example: of two people side by side whose boxes overlap, one face is hidden: the other person is a leak, whichever
    of them comes first.
    """
    hidden = [
        target for target in scene.record.targets if target.method is not None and target.changed is not False
    ]
    taken = {
        carrier.id: by_hand for carrier in scene.carriers if (by_hand := _by_hand(carrier, hidden, scene))
    }
    for kind, borne in BORNE.items():
        carriers = sorted((c for c in scene.carriers if c.kind == kind and c.id not in taken), key=_canonical)
        targets = sorted((target for target in hidden if target.kind == borne), key=lambda target: target.box)
        taken |= _paired(carriers, targets, scene)
    return taken


def _paired(carriers: list[Carrier], targets: list[Target], scene: Scene) -> Assignment:
    if not carriers or not targets:
        return {}
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

    # Having no target costs as much as the worst fit that is allowed, so that no worse one is ever taken.
    nothing = [scene.thresholds.misfit**2] * len(carriers)
    costs = [[misfit(target, place(carrier)) ** 2 for target in targets] + nothing for carrier in carriers]
    rows, columns = linear_sum_assignment(costs)
    return {
        carriers[row].id: (targets[column].id,)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if column < len(targets)
    }


def _by_hand(carrier: Carrier, hidden: list[Target], scene: Scene) -> tuple[int, ...]:
    """Regions that somebody drew, which together hide the place of the carrier's target."""
    likely = place(carrier).likely
    over = [t for t in hidden if t.kind == "region" and intersection(t.box, likely) > 0]
    return tuple(t.id for t in over) if share_under(likely, over) >= scene.thresholds.region_covers else ()


def _canonical(carrier: Carrier) -> tuple[object, ...]:
    """An order that does not depend on the record's: of equally good pairings always the same one is taken."""
    return carrier.box, carrier.score, carrier.orientation, carrier.label or "", carrier.head_box or ()


def _belongs(target: Target, carrier: Carrier, scene: Scene) -> bool:
    if target.kind not in {BORNE[carrier.kind], "region"}:
        return False
    if target.method is None:  # one that was left open hides nothing
        return False
    x1, top, x2, bottom = carrier.box
    if carrier.kind == "person":
        bottom = top + (bottom - top) * scene.thresholds.face_in_upper
    return is_inside(centre(target.box), (x1, top, x2, bottom))
