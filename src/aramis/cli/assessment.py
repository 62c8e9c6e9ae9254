"""An assessment on the terminal."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aramis.images.risk.assessment import Assessment, Leak

SHOWN = 10


def as_json_line(found: "Assessment") -> str:
    import msgspec

    return msgspec.json.encode(found).decode()


def as_table(found: "Assessment") -> str:
    """The measures under both rule sets, what excused carriers, and the worst leaks."""
    return "\n".join([_what(found), "", *_measures(found), "", *_excuses(found), *_leaks(found)])


def plain(text: str) -> str:
    """A name as it may be printed: control characters of a hostile file name move no cursor."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _what(found: "Assessment") -> str:
    frames = f", {found.frames} video frames" if found.frames else ""
    quarantined = f"; {len(found.quarantined)} quarantined, not released" if found.quarantined else ""
    return f"{found.images} images{frames}{quarantined}"


def _measures(found: "Assessment") -> list[str]:
    lines = [f"{'rules':12}{'':10}{'carriers':>10}{'anonymized':>12}{'unrecognisable':>16}{'leaks':>8}  risk"]
    for name in sorted(found.by_rules, key=lambda name: name != found.rules):
        of = found.by_rules[name]
        rows = (
            ("people", of.people.TDP, of.people.PAP, of.people.PNRF, "PARAM", of.people.PARAM),
            ("vehicles", of.vehicles.TDV, of.vehicles.PAV, of.vehicles.VNRLP, "VARAM", of.vehicles.VARAM),
            ("all", of.overall.ASA, of.overall.PA, of.overall.SANP, "ARAM", of.overall.ARAM),
        )
        for who, total, hidden, excused, measure, value in rows:
            risk = "nothing to assess" if value is None else f"{measure} {value:.3f}"
            counts = f"{total:10}{hidden:12}{excused:16}{total - hidden - excused:8}"
            lines.append(f"{name:12}{who:10}{counts}  {risk}")
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


def _leak(leak: "Leak") -> str:
    frame = "" if leak.frame is None else f" frame {leak.frame}"
    x1, y1, x2, y2 = (round(side) for side in leak.box)
    return f"{plain(leak.image)}{frame}: {leak.kind} {leak.carrier} at {x1},{y1} to {x2},{y2}, scored {leak.score:.2f}"
