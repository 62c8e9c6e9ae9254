"""Rules for people: which of them hold no recognisable face."""

from aramis.images.records import Carrier, Orientation
from aramis.images.rules.either import covered, low_score, overlapped, surely, too_small
from aramis.images.rules.expected import place
from aramis.images.rules.scene import Answer, Rule, Scene


def turned_away(_: Scene, person: Carrier) -> Answer:
    """The person shows the camera their back.

    Why: from behind there is no face to recognise.
    Example: a pedestrian who walks ahead of the car.
    """
    return Answer(person.orientation is Orientation.BACK, f"body seen from: {person.orientation}")


def head_turned_away(scene: Scene, person: Carrier) -> Answer:
    """The person's head is surely turned away from the camera.

    Why: a face in profile is still a face, and whoever shows their back may look over the shoulder. So the head
    decides; the body does only where nothing is known of the head, and only where its orientation is sure.
    Example: a pedestrian who walks ahead of the car and looks ahead.
    """
    seen, score = person.orientation, person.orientation_score
    if person.head is not None:
        seen, score = person.head, person.head_score
    sure, said = surely(score, scene.thresholds.sure_orientation)
    what = "body" if person.head is None else "head"
    return Answer(seen is Orientation.BACK and sure, f"{what} seen from: {seen}{said}")


def face_too_small(scene: Scene, person: Carrier) -> Answer:
    """Even a large face for this person would be too few pixels tall.

    Why: pixels make a face recognisable, whatever share of the image they are. Of 397 faces that were scaled down and
    compared with themselves, face recognition knew 8 % at 8 pixels, 17 % at 10, 34 % at 12, 67 % at 16.
    Example: a spectator in the last row, 14 pixels wide.
    """
    tall, floor = place(person).most, scene.thresholds.face_floor_px
    return Answer(tall < floor, f"a face of at most {tall:.0f} pixels; legible from {floor:.0f}")


PUBLISHED: tuple[Rule, ...] = (turned_away, too_small, overlapped, low_score)
STRICT: tuple[Rule, ...] = (head_turned_away, face_too_small, covered)
