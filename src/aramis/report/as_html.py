"""report.html: one self-contained page from which somebody can decide.

No script, no external address; every text is escaped, since file names come from strangers.
"""

from datetime import date
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from aramis.images.files.whole import whole
from aramis.images.rules.explained import explained
from aramis.images.rules.judge import RULE_SETS
from aramis.images.rules.scene import code
from aramis.images.rules.thresholds import described
from aramis.report.findings import Findings, findings, measure_rows
from aramis.report.overlay import overlay, taken

PICTURES = 60  # leaks that are shown; each costs about 30 kB


class About(NamedTuple):
    """A check in words."""

    title: str
    question: str


# What can be checked on the released pixels, in the order in which a reader would ask.
CHECKS = {
    "changed": About(
        "Changed", "whether the pixels of every hidden region really differ from the original's"
    ),
    "residual": About(
        "Still found", "whether detectors still find a face or a plate in the released pictures"
    ),
    "heads": About("Enlarged heads", "whether the enlarged head of somebody shows a face that nobody hid"),
    "reidentification": About(
        "Recognised again", "whether face recognition matches a hidden face to its original"
    ),
    "legibility": About(
        "Still legible", "whether text recognition reads a hidden plate, or a plate nobody hid"
    ),
    "metadata": About("Metadata", "whether place, time, camera or thumbnails are left in the released files"),
}


def write_report(release: Path | str, *, pictures: int = PICTURES, written: date | None = None) -> Path:
    """Write RELEASE/report.html from the records, the assessment and the released files; 0 pictures: words only.

    >>> import aramis, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "records.jsonl").write_text('{"image": "street.jpg", "width": 640, "height": 480}')
    >>> _ = aramis.assess(folder)
    >>> aramis.write_report(folder).name
    'report.html'
    """
    folder = Path(release)
    found = findings(folder, leaks=pictures or PICTURES)
    with whole(folder / "report.html") as file:
        file.write(as_html(found, folder / "media", written or date.today(), pictures > 0).encode())  # noqa: DTZ011
    return folder / "report.html"


def as_html(found: Findings, media: Path, written: date, with_pictures: bool = True) -> str:
    """The page."""
    shots = taken(media, ((case.record, case.thing) for case in found.cases)) if with_pictures else {}
    return page(
        "report.html.jinja",
        found=found,
        of=found.assessment,
        rows=measure_rows(found.assessment),
        checksums=_checksums,
        written=written,
        shown=lambda case: overlay(media, case.record, case.thing, shots) if with_pictures else None,
        checks=CHECKS,
        rule_sets=RULE_SETS,
        rules={code(rule): explained(rule) for rules in RULE_SETS for rule in rules.rules},
        thresholds=described(),
    )


def page(template: str, **what: Any) -> str:
    """A page from one of our templates."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    import aramis

    environment = Environment(
        loader=PackageLoader("aramis.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "share": _share,
        "address": _address,
        "number": _number,
        "capitalised": _capitalised,
        "code": code,
    }
    return environment.get_template(template).render(version=aramis.__version__, **what)


def _address(image: str) -> str:
    """The released file seen from the report: a relative address that no name can leave."""
    return f"media/{quote(image)}"


def _share(value: float | None) -> str:
    return "nothing to assess" if value is None else f"{value:.1%}".replace("%", " %")


def _number(value: float) -> str:
    """A number as people write it: 12 480, 0.053."""
    return f"{value:,}".replace(",", " ") if isinstance(value, int) else f"{value:.4g}"


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _checksums(model: dict[str, Any]) -> list[str]:
    """Of a model's file or files, as its card has them."""
    sums = [model.get("sha256"), *(file.get("sha256") for file in model.get("files", ()))]
    return [str(one)[:16] for one in sums if one]
