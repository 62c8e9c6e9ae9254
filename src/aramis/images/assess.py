"""Records → judged records and what they come to. Judging streams; what is kept are sums and the worst cases."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from aramis.errors import BadInput
from aramis.images.files.assessments import read_assessment, write_assessment
from aramis.images.files.coco import read_coco, write_coco
from aramis.images.files.jsonl import read_records, write_records
from aramis.images.files.review_sheet import Row, read_sheet
from aramis.images.geometry import area, centre, is_inside
from aramis.images.kept import Drawn, Worst
from aramis.images.records import Carrier, ImageRecord, Target, Verdict
from aramis.images.risk.assessment import Assessment, Leak, LooseTarget, measures
from aramis.images.risk.checks import CheckTally
from aramis.images.risk.estimates import Estimates, EstimateTally
from aramis.images.risk.quality import Counts, counts
from aramis.images.risk.review import certified, sample_sizes, units
from aramis.images.risk.sensitivity import SAMPLE, sensitivity
from aramis.images.risk.tracks import TrackTally
from aramis.images.rules.assignment import BORNE
from aramis.images.rules.expected import place
from aramis.images.rules.judge import DEFAULT, RULE_SETS, judge, rule_set
from aramis.images.rules.thresholds import Thresholds
from aramis.images.sampling import reviewed as told_by

LISTED = (
    10_000  # leaks, and targets without a carrier: as many as a report can use; the records hold them all
)


def assess(
    release: Path | str,
    *,
    rules: str = DEFAULT,
    thresholds: Thresholds | None = None,
    from_coco: Path | str | None = None,
    reviewed: tuple[int, int] | None = None,
    review: Path | str | None = None,
) -> Assessment:
    """Judge the records of a release again, without touching a pixel, and rewrite its verdicts and measures.

    `from_coco` takes the records from a COCO file instead; the folder is made where there is none. `reviewed` says how many
    images, drawn at random, somebody has looked at, and in how many of them there was a leak; `review` is a sheet that `sample`
    drew and somebody filled in: the assessment says what that certifies.

    >>> import aramis, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> record = '{"image": "street.jpg", "width": 1920, "height": 1080, "carriers": [' \\
    ...     '{"kind": "person", "box": [100, 100, 300, 700], "score": 0.9, "orientation": "front"}]}'
    >>> _ = (folder / "records.jsonl").write_text(record)
    >>> aramis.assess(folder).people.PARAM  # one person, facing us, whose face nobody hid
    1.0
    """
    folder = Path(release)
    tally = Tally(rules, thresholds)
    records = _imported(folder, Path(from_coco)) if from_coco else read_records(folder / "records.jsonl")
    sheet = read_sheet(Path(review)) if review else []
    write_records(folder / "records.jsonl", map(tally.judged, _showing(records, sheet)))
    assessment = tally.assessment(before(folder))
    if reviewed:
        assessment = _with_review(assessment, *reviewed)
    if sheet:
        assessment = _with_sheet(assessment, sheet)
    write_assessment(folder / "assessment.json", assessment)
    return assessment


def export_coco(release: Path | str, path: Path | str | None = None) -> Path:
    """Write the targets, carriers and verdicts of a release as COCO JSON; into the release where no path is given.

    >>> import aramis, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "records.jsonl").write_text('{"image": "street.jpg", "width": 640, "height": 480}')
    >>> aramis.export_coco(folder).name
    'coco.json'
    """
    coco = Path(path or Path(release) / "coco.json")
    write_coco(Path(release) / "records.jsonl", coco)
    return coco


def _with_review(assessment: Assessment, images: int, with_leaks: int) -> Assessment:
    if not 0 <= with_leaks <= images <= assessment.images:
        raise BadInput(
            f"{images} images reviewed, {with_leaks} of them with a leak: of {assessment.images} images that cannot be"
        )
    told = certified(images, with_leaks, assessment.images)
    estimates = msgspec.structs.replace(assessment.estimates, reviewed=told)
    return msgspec.structs.replace(assessment, estimates=estimates)


def _with_sheet(assessment: Assessment, sheet: list[Row]) -> Assessment:
    tracks = assessment.tracks.people + assessment.tracks.vehicles
    of_images, of_tracks = told_by(sheet, assessment.images, tracks)
    estimates = msgspec.structs.replace(assessment.estimates, reviewed=of_images, reviewed_tracks=of_tracks)
    return msgspec.structs.replace(assessment, estimates=estimates)


def _showing(records: Iterable[ImageRecord], sheet: list[Row]) -> Iterator[ImageRecord]:
    """The records; an error at their end if they do not show all that stands in a sheet."""
    lost = {row.unit for row in sheet}
    for record in records:
        lost.difference_update(units(record) if lost else ())
        yield record
    if lost:
        one = min(lost, key=repr)
        of = one.image if one.track is None else f"{one.what} {one.track} of {one.image}"
        raise BadInput(f"{of} stands in the review, but not in the records: it is of another release")


def before(release: Path) -> Assessment | None:
    """The assessment that a folder has so far."""
    path = release / "assessment.json"
    return read_assessment(path) if path.exists() else None


class Tally:
    """Judges records one at a time and keeps what they add up to."""

    def __init__(self, rules: str = DEFAULT, thresholds: Thresholds | None = None) -> None:
        self.rules = rule_set(rules)
        self.thresholds = thresholds or Thresholds()
        self.images = self.frames = 0
        self.tracks = TrackTally()
        self.checks = CheckTally()
        self.sightings = EstimateTally()
        self.reasons: Counter[str] = Counter()
        self.leaks = Worst[Leak](LISTED)
        self.loose = Worst[LooseTarget](LISTED)
        self.sample = Drawn[ImageRecord](SAMPLE)
        self._counts = {(one.name, kind): Counts() for one in RULE_SETS for kind in BORNE}

    def judged(self, record: ImageRecord) -> ImageRecord:
        """The record with its verdicts, counted under every rule set."""
        chosen = record
        for rules in RULE_SETS:
            verdicts = judge(record, rules, self.thresholds)
            for kind in BORNE:
                self._counts[rules.name, kind] += counts(c for c in verdicts.carriers if c.kind == kind)
            chosen = verdicts if rules is self.rules else chosen
        self._keep(chosen)
        return chosen

    def assessment(self, earlier: Assessment | None = None) -> Assessment:
        """What the records so far come to; what they do not tell (models, times) is that of an `earlier` one."""
        earlier = earlier or Assessment()
        by_rules = {
            rules.name: measures(self._counts[rules.name, "person"], self._counts[rules.name, "vehicle"])
            for rules in RULE_SETS
        }
        mine, tracks = by_rules[self.rules.name], self.tracks.total()
        same = (earlier.images, earlier.tracks) == (self.images, tracks)  # what was looked at is of these
        return msgspec.structs.replace(
            earlier,
            images=self.images,
            frames=self.frames,
            tracks=tracks,
            rules=self.rules.name,
            people=mine.people,
            vehicles=mine.vehicles,
            overall=mine.overall,
            by_rules=by_rules,
            reasons=dict(self.reasons.most_common()),
            leaks=self.leaks.first(),
            leaks_not_listed=self.leaks.dropped,
            targets_without_carrier=self.loose.first(),
            targets_without_carrier_not_listed=self.loose.dropped,
            checks=self.checks.total(earlier.checks),
            thresholds=msgspec.structs.asdict(self.thresholds),
            estimates=Estimates(
                missed_targets=self.sightings.total(),
                sample_size_for=sample_sizes(self.images, tracks.people + tracks.vehicles),
                reviewed=earlier.estimates.reviewed if same else None,
                reviewed_tracks=earlier.estimates.reviewed_tracks if same else None,
            ),
            sensitivity=sensitivity(self.sample.drawn, self.rules, self.thresholds),
        )

    def _keep(self, record: ImageRecord) -> None:
        self.sample.offer(record)
        self.images += record.frame is None
        self.frames += record.frame is not None
        self.tracks.add(record)
        self.checks.add(record)
        self.sightings.add(record)
        for carrier in record.carriers:
            self.reasons.update(carrier.reasons)
            if carrier.verdict is Verdict.LEAK:
                self.leaks.add(_legibility(carrier, self.thresholds), _leak(record, carrier))
        for target in without_carrier(record):
            self.loose.add(area(target.box), _loose(record, target))


def without_carrier(record: ImageRecord) -> Iterator[Target]:
    """Targets that lie in no carrier that could bear them: a face on a poster, a plate on a stand."""
    if record.inspected is False:  # a frame of a video in between, whose carriers nobody looked for
        return
    for target in record.targets:
        bearers = (carrier for carrier in record.carriers if BORNE[carrier.kind] == target.kind)
        if not any(is_inside(centre(target.box), carrier.box) for carrier in bearers):
            yield target


def _legibility(carrier: Carrier, thresholds: Thresholds) -> float:
    """How bad a leak would be: how many times larger than legible its target is, as far as the carrier is certain."""
    floor = thresholds.face_floor_px if carrier.kind == "person" else thresholds.plate_floor_px
    return carrier.score * place(carrier).size / max(floor, 1.0)


def _leak(record: ImageRecord, carrier: Carrier) -> Leak:
    return Leak(
        image=record.image,
        frame=record.frame,
        carrier=carrier.id,
        kind=carrier.kind,
        box=carrier.box,
        score=carrier.score,
    )


def _loose(record: ImageRecord, target: Target) -> LooseTarget:
    return LooseTarget(
        image=record.image, frame=record.frame, target=target.id, kind=target.kind, box=target.box
    )


def _imported(folder: Path, coco: Path) -> Iterator[ImageRecord]:
    if (folder / "records.jsonl").exists():
        raise BadInput(
            f"{folder} has records already; name a new folder, or judge them again without a COCO file"
        )
    records = read_coco(coco)
    folder.mkdir(parents=True, exist_ok=True)
    return records
