"""Every threshold of the rules in one place: its name, its default, why that default, and what else is tried."""

from typing import Annotated, Any

import msgspec


def _share(reason: str, *, rules: str | None = None, tried: tuple[float, ...]) -> msgspec.Meta:
    return msgspec.Meta(
        ge=0, le=1, description=reason, extra_json_schema={"rules": rules, "tried": list(tried)}
    )


def _number(reason: str, *, rules: str, tried: tuple[float, ...]) -> msgspec.Meta:
    return msgspec.Meta(ge=0, description=reason, extra_json_schema={"rules": rules, "tried": list(tried)})


class Thresholds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the rules compare with. The description of each is its reason, and stands in the report.

    `rules` is the rule set that reads it, and `tried` are the values that show how much depends on it.
    """

    detection_floor: Annotated[
        float,
        _share(
            "A carrier scored below this is not judged: below it the detectors of people and vehicles find more shadows"
            " and signs than people.",
            tried=(0.4, 0.5, 0.7),
        ),
    ] = 0.3
    face_floor_px: Annotated[
        float,
        _number(
            "A face less tall than this many pixels is not recognisable. Of 397 faces scaled down to 10 pixels face"
            " recognition still knew 17 %, comparing each with itself; of other pictures of the same people it would know"
            " fewer.",
            rules="strict",
            tried=(6, 8, 14, 20),
        ),
    ] = 10.0
    plate_floor_px: Annotated[
        float,
        _number(
            "A plate less wide than this many pixels is not legible. Of 107 plates scaled down to 28 pixels text recognition"
            " read 2 %, and a quarter of the characters.",
            rules="strict",
            tried=(20, 36, 48),
        ),
    ] = 28.0
    sure_orientation: Annotated[
        float,
        _share(
            "An orientation excuses a carrier only when it is this sure. Orientations that come without a score are"
            " believed.",
            rules="strict",
            tried=(0.5, 0.8, 0.9),
        ),
    ] = 0.7
    covered: Annotated[
        float,
        _share(
            "A carrier is excused when this share of the region that holds its target, wherever in it, lies behind"
            " something nearer. The region is several times larger than a target, so little may stick out.",
            rules="strict",
            tried=(0.7, 0.8, 1.0),
        ),
    ] = 0.9
    misfit: Annotated[
        float,
        _number(
            "A face this many expected heights (a plate: half its widths) from where it is expected, or e to this power"
            " times too large or too small, belongs to another carrier, or to none. A larger one lets people take the"
            " faces of those whom the inspection missed, a smaller one flags people who stoop.",
            rules="strict",
            tried=(0.6, 0.75, 1.25, 1.5),
        ),
    ] = 0.9
    region_covers: Annotated[
        float,
        _share(
            "A region drawn by hand hides a carrier's target when it holds this share of where the target is expected.",
            rules="strict",
            tried=(0.6, 0.95),
        ),
    ] = 0.8
    face_in_upper: Annotated[
        float,
        _share(
            "A face belongs to a person when its centre lies in this upper share of their box. The paper expects it in the"
            " upper part; two thirds keeps portraits that are cut at the chest.",
            rules="published",
            tried=(0.4, 0.5, 1.0),
        ),
    ] = 0.67
    small_area: Annotated[
        float,
        _share(
            "A carrier that fills less of the image than this is too small to be recognised. In a Full HD photograph 0.005"
            " is a person of about 62 x 167 pixels, whose face is some 24 pixels tall.",
            rules="published",
            tried=(0.001, 0.0025, 0.01),
        ),
    ] = 0.005
    overlap: Annotated[
        float,
        _share(
            "A carrier overlaps another when more than this share of its box lies in the other's box. The paper names no"
            " least overlap, so 0: any.",
            rules="published",
            tried=(0.1, 0.25, 0.5),
        ),
    ] = 0.0
    low_score: Annotated[
        float,
        _share(
            "A carrier scored below this is too uncertain to hold a recognisable target. 0.5 is where detectors are"
            " commonly cut.",
            rules="published",
            tried=(0.3, 0.4, 0.7),
        ),
    ] = 0.5


def described() -> dict[str, dict[str, Any]]:
    """Each threshold by name: `default`, `description`, `minimum`, `maximum`, `rules` (None: all) and `tried`."""
    about: dict[str, dict[str, Any]] = msgspec.json.schema(Thresholds)["$defs"]["Thresholds"]["properties"]
    return about
