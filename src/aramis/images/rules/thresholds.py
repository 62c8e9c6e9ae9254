"""Every threshold of the rules in one place: its name, its default, and why that default."""

from typing import Annotated, Any

import msgspec


def _share(reason: str) -> msgspec.Meta:
    return msgspec.Meta(ge=0, le=1, description=reason)


def _at_least(least: float, reason: str) -> msgspec.Meta:
    return msgspec.Meta(ge=least, description=reason)


class Thresholds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the rules compare with. The description of each is its reason, and stands in the report."""

    detection_floor: Annotated[
        float,
        _share(
            "A carrier scored below this is not judged: below it the detectors of people and vehicles find more"
            " shadows and signs than people."
        ),
    ] = 0.3
    face_in_upper: Annotated[
        float,
        _share(
            "published: a face belongs to a person when its centre lies in this upper share of their box. The paper"
            " expects it in the upper part; two thirds keeps portraits that are cut at the chest."
        ),
    ] = 0.67
    small_area: Annotated[
        float,
        _share(
            "published: a carrier that fills less of the image than this is too small to be recognised. In a Full HD"
            " photograph 0.005 is a person of about 62 x 167 pixels, whose face is some 24 pixels tall."
        ),
    ] = 0.005
    overlap: Annotated[
        float,
        _share(
            "published: a carrier overlaps another when more than this share of its box lies in the other's box. The"
            " paper names no least overlap, so 0: any."
        ),
    ] = 0.0
    low_score: Annotated[
        float,
        _share(
            "published: a carrier scored below this is too uncertain to hold a recognisable target. 0.5 is where"
            " detectors are commonly cut."
        ),
    ] = 0.5
    sure_orientation: Annotated[
        float,
        _share(
            "strict: an orientation excuses a carrier only when it is this sure. Orientations that come without a score"
            " are believed."
        ),
    ] = 0.7
    face_floor_px: Annotated[
        float,
        _at_least(
            0,
            "strict: a face less tall than this many pixels is not recognisable. Of 397 faces scaled down to 10 pixels"
            " face recognition still knew 17 %, comparing each with itself; of other pictures of the same people it"
            " would know fewer.",
        ),
    ] = 10.0
    plate_floor_px: Annotated[
        float,
        _at_least(
            0,
            "strict: a plate less wide than this many pixels is not legible. Of 107 plates scaled down to 28 pixels text"
            " recognition read 2 %, and a quarter of the characters.",
        ),
    ] = 28.0
    covered: Annotated[
        float,
        _share(
            "strict: a carrier is excused when this share of the region that holds its target, wherever in it, lies"
            " behind something nearer. The region is several times larger than a target, so little may stick out."
        ),
    ] = 0.9
    misfit: Annotated[
        float,
        _at_least(
            0,
            "strict: a face this many expected heights (a plate: half its widths) from where it is expected, or e to this power"
            " times too large or too small, belongs to another carrier, or to none. A larger one lets people take the faces"
            " of those whom the inspection missed, a smaller one flags people who stoop.",
        ),
    ] = 0.9
    region_covers: Annotated[
        float,
        _share(
            "strict: a region drawn by hand hides a carrier's target when it holds this share of where the target is"
            " expected."
        ),
    ] = 0.8


def described() -> dict[str, dict[str, Any]]:
    """Each threshold by name: its `default`, its `description`, its `minimum` and `maximum`."""
    about: dict[str, dict[str, Any]] = msgspec.json.schema(Thresholds)["$defs"]["Thresholds"]["properties"]
    return about
