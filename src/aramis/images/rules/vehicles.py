"""Rules for vehicles: which of them hold no recognisable licence plate."""

from aramis.images.records import Carrier, Orientation
from aramis.images.rules.either import covered, low_score, overlapped, surely, too_small
from aramis.images.rules.expected import place
from aramis.images.rules.scene import Answer, Rule, Scene


def side_on(_: Scene, vehicle: Carrier) -> Answer:
    """The vehicle shows the camera its side.

    Why: plates are mounted in front and at the back; from the side they cannot be read.
    Example: a car that crosses the junction ahead.
    """
    return Answer(vehicle.orientation is Orientation.SIDE, f"seen from: {vehicle.orientation}")


def surely_side_on(scene: Scene, vehicle: Carrier) -> Answer:
    """The vehicle shows the camera its side, and whoever said so was sure.

    Why: a car seen half from the front still shows its plate, and is what orientation is most often wrong about.
    Example: a bus that passes at a right angle.
    """
    sure, said = surely(vehicle.orientation_score, scene.thresholds.sure_orientation)
    return Answer(vehicle.orientation is Orientation.SIDE and sure, f"seen from: {vehicle.orientation}{said}")


def bears_no_plate(_: Scene, vehicle: Carrier) -> Answer:
    """The vehicle is of a kind that has no plate.

    Why: what was never there cannot be read.
    Example: a bicycle. Whoever rides it is a person of their own in the record.
    """
    return Answer(vehicle.label == "bicycle", f"a {vehicle.label or 'vehicle of unknown kind'}")


def plate_too_small(scene: Scene, vehicle: Carrier) -> Answer:
    """Even a large plate for this vehicle would be too few pixels wide.

    Why: pixels make a plate legible, whatever share of the image they are. Of 107 plates that were scaled down, text
    recognition read 2 % at a width of 28 pixels, 7 % at 32, 20 % at 36, 48 % at 40.
    Example: a car on the opposite lane, 60 pixels wide.
    """
    wide, floor = place(vehicle).most, scene.thresholds.plate_floor_px
    return Answer(wide < floor, f"a plate of at most {wide:.0f} pixels; legible from {floor:.0f}")


PUBLISHED: tuple[Rule, ...] = (side_on, too_small, overlapped, low_score)
STRICT: tuple[Rule, ...] = (bears_no_plate, surely_side_on, plate_too_small, covered)
