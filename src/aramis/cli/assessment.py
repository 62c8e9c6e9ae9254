"""An assessment on the terminal."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aramis.images.risk.assessment import Assessment, Leak
    from aramis.images.risk.checks import CheckLeak
    from aramis.images.risk.review import Certified, SampleSize

SHOWN = 10
SHOWN_OF_A_CHECK = 3


def as_json_line(found: "Assessment") -> str:
    import msgspec

    return msgspec.json.encode(found).decode()


def as_table(found: "Assessment") -> str:
    """The measures under both rule sets, what excused carriers, and the worst leaks."""
    return "\n".join(
        [
            _what(found),
            "",
            *_measures(found),
            "",
            *_excuses(found),
            *_leaks(found),
            *_checks(found),
            *_estimates(found),
        ]
    )


def sensitivity(found: "Assessment") -> str:
    """A line for each threshold that moves the risk at all."""
    lines = [
        f"  {name:18}" + "  ".join(_at(one.value, one.ARAM, found.thresholds[name]) for one in moves)
        for name, moves in found.sensitivity.items()
        if len({one.ARAM for one in moves}) > 1
    ]
    title = "ARAM if one threshold were another (in brackets: as it is)"
    return "\n".join(["\n", title, *lines]) if lines else ""


def plain(text: str) -> str:
    """A name as it may be printed: control characters of a hostile file name move no cursor."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _what(found: "Assessment") -> str:
    frames = f", {found.frames} frames" if found.frames else ""
    quarantined = f"; {len(found.quarantined)} quarantined, not released" if found.quarantined else ""
    return f"{found.images} images{frames}{_tracks(found)}{quarantined}"


def _tracks(found: "Assessment") -> str:
    """Who and what the videos show, each counted once."""
    tracks = found.tracks
    seen = [
        (tracks.people, "people", tracks.people_leaking),
        (tracks.vehicles, "vehicles", tracks.vehicles_leaking),
    ]
    shown = [f"{count} {what}, {leaking} of them leaking" for count, what, leaking in seen if count]
    return f" of {' and '.join(shown)}" if shown else ""


def _measures(found: "Assessment") -> list[str]:
    from aramis.report.findings import measure_rows

    lines = [f"{'rules':12}{'':10}{'carriers':>10}{'anonymized':>12}{'unrecognisable':>16}{'leaks':>8}  risk"]
    for row in measure_rows(found):
        counts = f"{row.total:10}{row.anonymized:12}{row.unrecognisable:16}{row.leaks:8}"
        risk = "nothing to assess" if row.risk is None else f"{row.risk_name} {row.risk:.3f}"
        lines.append(f"{row.rules:12}{row.who:10}{counts}  {risk}")
    return lines


def _excuses(found: "Assessment") -> list[str]:
    if not found.reasons:
        return []
    return ["unrecognisable because: " + ", ".join(f"{code} {n}" for code, n in found.reasons.items())]


def _leaks(found: "Assessment") -> list[str]:
    if not found.leaks:
        return ["no leaks by these rules: no evidence of one, not proof that there is none"]
    more = len(found.leaks) + found.leaks_not_listed - SHOWN
    return [
        "look at these first:",
        *(f"  {_leak(leak)}" for leak in found.leaks[:SHOWN]),
        *([f"  and {more} more in assessment.json and records.jsonl"] if more > 0 else []),
    ]


def _checks(found: "Assessment") -> list[str]:
    """A line for each check of the released pixels, and what it says of its worst leaks."""
    ran = {name: check for name, check in found.checks.items() if check.images}
    if not ran:
        return []
    lines = ["", f"{'checks of the released pixels':30}{'images':>8}{'looked at':>11}{'leaks':>8}"]
    for name, check in ran.items():
        lines.append(f"  {name:28}{check.images:8}{check.cases:11}{check.leaks:8}")
        lines += [f"    {_place(leak)}: {plain(leak.why)}" for leak in check.listed[:SHOWN_OF_A_CHECK]]
        if (more := check.leaks - SHOWN_OF_A_CHECK) > 0:
            lines.append(f"    and {more} more")
    return lines


def _estimates(found: "Assessment") -> list[str]:
    """What nobody saw, and what looking at pictures drawn at random proves."""
    told = found.estimates
    lines = [
        f"  {kind}s open in all, seen or not: {one.estimate:g} (95 %: {one.low:g} to {one.high:g}); {one.hidden:g} are hidden"
        for kind, one in told.missed_targets.items()
    ]
    lines += [f"  {one.caution}" for one in told.missed_targets.values() if one.caution]
    if told.sample_size_for:
        sizes = ", ".join(f"{_looks(one)} for {one.leak_rate:.1%}" for one in told.sample_size_for)
        lines.append(
            f"  drawn at random and free of leaks, these certify fewer leaks at 95 % (`aramis sample`): {sizes}"
        )
    for review, what in ((told.reviewed, "images"), (told.reviewed_tracks, "people and vehicles in videos")):
        if review:
            lines.append(f"  {reviewed(review, what)}")
    return ["", "estimates", *lines] if lines else []


def reviewed(review: "Certified", what: str) -> str:
    return (
        f"{review.with_leaks} of {review.reviewed} {what} that were looked at leak: with {review.confidence:.0%} confidence"
        f" no more than {review.leak_rate_at_most:.2%} of all do"
    )


def _looks(size: "SampleSize") -> str:
    """How many images, and tracks in videos."""
    return " and ".join(
        f"{many} {what}" for many, what in ((size.images, "images"), (size.tracks, "tracks")) if many
    )


def _leak(leak: "Leak") -> str:
    return f"{_place(leak, f'{leak.kind} {leak.carrier} ')}, scored {leak.score:.2f}"


def _place(leak: "Leak | CheckLeak", what: str = "") -> str:
    """Where a leak is: image, frame, box."""
    frame = "" if leak.frame is None else f" frame {leak.frame}"
    if leak.box is None:
        return f"{plain(leak.image)}{frame}"
    x1, y1, x2, y2 = (round(side) for side in leak.box)
    return f"{plain(leak.image)}{frame}: {what}at {x1},{y1} to {x2},{y2}"


def _at(value: float, risk: float | None, used: float) -> str:
    said = f"{value:g}: {'-' if risk is None else f'{risk:.3f}'}"
    return f"[{said}]" if value == used else said
