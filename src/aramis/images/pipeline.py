"""The picture wing on one screen: read this file first.

 files ─pixels─▶ detect ─targets─▶ redact ─pixels─▶ files
   └────pixels─▶ look ─carriers─▶ unify ─record─▶ rules, risk ─▶ assessment ─▶ report

Several files are on their way at once, each through both passes (passes.py). The release folder (release.py) sees to it
that what comes out is complete, and that nothing else does.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, TypedDict, Unpack

import msgspec
import numpy as np
from numpy.typing import NDArray

import aramis
from aramis import plugins
from aramis.errors import BadInput, Unreadable
from aramis.images.assess import Tally, before
from aramis.images.by_hand import NOTHING_SAID, ByHand, Ignored
from aramis.images.checks.check import NAMES, NO_CHECKS, Checks
from aramis.images.checks.residual import FLOORS
from aramis.images.checks.suite import models_of, suite
from aramis.images.files.assessments import write_assessment
from aramis.images.files.frame import plain, seen
from aramis.images.files.jsonl import write_records
from aramis.images.files.regions import read_detections, read_ignored, read_regions
from aramis.images.files.still import MEGAPIXELS, decode
from aramis.images.files.walk import read, walk
from aramis.images.filming import Filming
from aramis.images.flow import Progress, cores, flow
from aramis.images.models import CARRIER, Models, detector, identity, inspector, used
from aramis.images.passes import Detect, Look, Passes, nothing
from aramis.images.redact.regions import Method, Way
from aramis.images.redact.ways import ways
from aramis.images.release import Folder, Order, open_release
from aramis.images.risk.assessment import Assessment, Quarantined
from aramis.images.risk.checks import with_more
from aramis.images.rules.judge import DEFAULT
from aramis.images.rules.thresholds import Thresholds
from aramis.images.spared import embedder, examples
from aramis.images.whole_numbers import arithmetic

TARGETS = ("face", "plate")


class Release(msgspec.Struct, frozen=True):
    """What came of a run: where it lies, what it comes to, and what was left out, with the reason."""

    folder: Path
    images: int  # files that went through; their frames and pages are not counted
    quarantined: tuple[Quarantined, ...] = ()
    assessment: Assessment | None = None  # of `release`; the two passes alone judge nothing


class Hiding(TypedDict, total=False):
    """How targets are hidden. The defaults stand in `ways`."""

    method: str | Mapping[str, str | Method]
    shape: str | None
    margin: float | None
    feather: float
    strength: float
    colour: tuple[int, int, int] | None
    picture: str | Path | None
    seed: int | None
    country: str | None


class OwnModels(TypedDict, total=False):
    """Files of weights, or plugins, of the user's own, in place of those of the profile."""

    face_model: str | Path | None
    plate_model: str | Path | None
    carrier_model: str | Path | None  # of people and vehicles


class Options(Hiding, OwnModels, total=False):
    """What else a run can be asked for. The defaults stand in `Filming` and `ByHand`."""

    detect_every: int | None  # of a video, look at every so manieth frame
    audio: str  # drop, keep, disguise
    keep: Sequence[str]  # of a video's subtitles, chapters, attachments, metadata
    regions: str | Path | None  # a file of what to hide in any case
    ignore: str | Path | None  # a file of zones and faces to spare
    detections: str | Path | None  # a file of what another tool found
    only_detections: bool  # and our own detectors are left out
    masks: bool  # write where was hidden


def release(
    source: str | Path,
    out: str | Path,
    *,
    targets: str | Sequence[str] = TARGETS,
    rules: str = DEFAULT,
    thresholds: Thresholds | None = None,
    detect: Detect | None = None,
    look: Look | None = None,
    checks: str | Sequence[str] = NAMES,
    models: str = "default",
    workers: int | None = None,
    max_megapixels: float = MEGAPIXELS,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> Release:
    """Anonymize photographs and videos and say how well: hide faces and plates, look around independently, judge, check,
    report.

    `detect` and `look` are passes of your own, from pixels to targets or carriers, in place of ours. `checks` are those of the
    released pixels that run: some of their names, or none.

    >>> import aramis, pathlib, tempfile
    >>> from PIL import Image
    >>> place = pathlib.Path(tempfile.mkdtemp())
    >>> (place / "photos").mkdir()
    >>> Image.new("RGB", (64, 48), "white").save(place / "photos" / "street.jpg")
    >>> def detect(pixels):
    ...     return [aramis.Target(kind="face", box=(10, 10, 30, 30))]
    >>> def look(pixels):
    ...     return [aramis.Carrier(kind="person", box=(5, 5, 35, 48), score=0.9)]
    >>> done = aramis.release(place / "photos", place / "out", detect=detect, look=look, method="solid")
    >>> done.assessment.people.PAQ  # one person, whose face is hidden
    1.0
    """
    tally = Tally(rules, thresholds)
    kinds, chosen = kinds_of(targets), _models(models, options)
    passes = _passes(
        kinds,
        options,
        lambda: detect or detector(kinds, chosen, workers),
        lambda: look or inspector(chosen, workers),
        megapixels=max_megapixels,
        workers=workers,
        checks=lambda: suite(
            checks,
            lambda: detect or detector(kinds, chosen, workers, FLOORS),
            threads=cores(workers),
            meant=_meant(options),
        ),
    )
    with _run("release", source, out, passes, chosen, workers=workers, progress=progress) as folder:
        write_records(folder.path / "records.jsonl", map(tally.judged, folder.records()))
        summary = folder.summary()
        told = tally.assessment(before(folder.path))
        assessment = msgspec.structs.replace(
            told,
            checks=with_more(told.checks, passes.checks.told),
            quarantined=summary.quarantined,
            models=used(
                chosen,
                [*(kinds if detect is None else []), *([CARRIER] if look is None else [])],
                models_of(passes.checks),
            ),
            versions={"aramis": aramis.__version__, "arithmetic": arithmetic()},
            seconds=summary.seconds,
        )
        write_assessment(folder.path / "assessment.json", assessment)
        plugins.find("report", "html")(folder.path)
        return Release(folder.path, summary.images, summary.quarantined, assessment)


def redact(
    source: str | Path,
    out: str | Path,
    *,
    targets: str | Sequence[str] = TARGETS,
    detect: Detect | None = None,
    models: str = "default",
    workers: int | None = None,
    max_megapixels: float = MEGAPIXELS,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> Release:
    """Hide faces and plates, without judging the result: files and records.

    >>> import aramis, pathlib, tempfile
    >>> from PIL import Image
    >>> place = pathlib.Path(tempfile.mkdtemp())
    >>> Image.new("RGB", (64, 48), "white").save(place / "street.png")
    >>> def detect(pixels):
    ...     return [aramis.Target(kind="face", box=(10, 10, 30, 30))]
    >>> done = aramis.redact(place / "street.png", place / "out", detect=detect, method="solid")
    >>> Image.open(done.folder / "media" / "street.png").getpixel((20, 20))
    (0, 0, 0)
    """
    kinds, chosen = kinds_of(targets), _models(models, options)
    ours = partial(detector, kinds, chosen, workers)
    passes = _passes(
        kinds,
        options,
        lambda: detect or ours(),
        lambda: nothing,
        megapixels=max_megapixels,
        workers=workers,
    )
    with _run("redact", source, out, passes, chosen, workers=workers, progress=progress) as folder:
        write_records(folder.path / "records.jsonl", folder.records())
        summary = folder.summary()
        return Release(folder.path, summary.images, summary.quarantined)


def inspect(
    source: str | Path,
    out: str | Path,
    *,
    look: Look | None = None,
    models: str = "default",
    carrier_model: str | Path | None = None,
    workers: int | None = None,
    max_megapixels: float = MEGAPIXELS,
    progress: Progress | None = None,
) -> Release:
    """Look around only: records of the people and vehicles in photographs; no pixel is written.

    >>> import aramis, pathlib, tempfile
    >>> from PIL import Image
    >>> place = pathlib.Path(tempfile.mkdtemp())
    >>> Image.new("RGB", (64, 48), "white").save(place / "street.png")
    >>> def look(pixels):
    ...     return [aramis.Carrier(kind="person", box=(5, 5, 35, 48), score=0.9)]
    >>> done = aramis.inspect(place / "street.png", place / "out", look=look)
    >>> [len(record.carriers) for record in aramis.read_records(done.folder / "records.jsonl")]
    [1]
    """
    chosen = _models(models, {"carrier_model": carrier_model})
    passes = Passes(look=look or inspector(chosen, workers), releases=False, megapixels=max_megapixels)
    with _run("inspect", source, out, passes, chosen, workers=workers, progress=progress) as folder:
        write_records(folder.path / "records.jsonl", folder.records())
        summary = folder.summary()
        return Release(folder.path, summary.images, summary.quarantined)


@contextmanager
def _run(
    command: str,
    source: str | Path,
    out: str | Path,
    passes: Passes,
    models: Models,
    *,
    workers: int | None,
    progress: Progress | None,
) -> Iterator[Folder]:
    """A release folder in which every file of the source is done or quarantined."""
    found = walk(source)
    said = {**_described(passes), "models": identity(models)}
    order = Order(aramis.__version__, command, str(Path(source).absolute()), said)
    with open_release(Path(out), found, order) as folder:
        flow(found.root, folder, passes, workers, progress)
        yield folder


def _passes(
    kinds: Sequence[str],
    options: Options,
    detect: Callable[[], Detect],
    look: Callable[[], Look],
    *,
    megapixels: float,
    workers: int | None,
    checks: Callable[[], Checks] = lambda: NO_CHECKS,
) -> Passes:
    """What was asked for, checked before any network is loaded."""
    ignored = _ignored(options, kinds)
    by_hand = _by_hand(options, ignored)
    how = {key: value for key, value in options.items() if key in Hiding.__annotations__}
    hidden = _ways([*kinds, "region"] if by_hand.regions else kinds, how)
    filming = Filming(
        detect_every=options.get("detect_every"),
        audio=options.get("audio", "drop"),
        keep=tuple(options.get("keep", ())),
    )
    # what writes JPEG is a third of a second's loading, for which the networks leave a core idle
    Thread(target=import_module, args=["aramis.images.files.formats.jpeg"]).start()
    ours = nothing if by_hand.only_elsewhere and not ignored.faces else detect()
    return Passes(
        detect=ours,
        look=look(),
        ways=hidden,
        masks=options.get("masks", False),
        by_hand=_knowing(by_hand, ignored.faces, ours, cores(workers)),
        checks=checks(),
        filming=filming,
        megapixels=megapixels,
    )


def _models(profile: str, own: OwnModels) -> Models:
    named = {kind: own.get(f"{kind}_model") for kind in ("face", "plate", CARRIER)}
    return Models(profile, **{kind: str(model) for kind, model in named.items() if model is not None})


def _ignored(options: Options, kinds: Sequence[str]) -> Ignored:
    file = options.get("ignore")
    ignored = read_ignored(Path(str(file))) if file else Ignored()
    if ignored.faces and "face" not in kinds:
        raise BadInput(
            f"{file} names faces to spare, and faces are not hidden: targets are {', '.join(kinds)}"
        )
    return ignored


def _knowing(by_hand: ByHand, photographs: Sequence[str], detect: Detect, threads: int) -> ByHand:
    """With the faces to spare, each found in a photograph of its own."""
    if not photographs:
        return by_hand
    embed = embedder(threads)
    return replace(by_hand, known=examples(photographs, detect, embed), embed=embed)


def _by_hand(options: Options, ignored: Ignored) -> ByHand:
    regions, theirs = options.get("regions"), options.get("detections")
    if options.get("only_detections") and not theirs:
        raise BadInput("only detections of another tool are wanted, and no file of detections is given")
    return ByHand(
        regions=read_regions(Path(str(regions))) if regions else (),
        zones=ignored.zones,
        elsewhere=read_detections(Path(str(theirs))) if theirs else {},
        only_elsewhere=options.get("only_detections", False),
    )


def _meant(options: Options) -> set[str]:
    """What videos are to carry besides their picture."""
    return {*options.get("keep", ()), *(["audio"] if options.get("audio", "drop") != "drop" else [])}


def kinds_of(targets: str | Sequence[str]) -> list[str]:
    return [kind.strip() for kind in (targets.split(",") if isinstance(targets, str) else targets)]


def _ways(kinds: Sequence[str], options: dict[str, Any]) -> dict[str, Way]:
    if options.get("picture") is not None:
        options["picture"] = _picture(Path(options["picture"]))
    return ways(kinds, **options)


def _picture(path: Path) -> NDArray[np.uint8]:
    """The picture that is to be shown, RGB or RGBA."""
    try:
        frame = decode(read(path)).frames[0]
    except Unreadable as error:
        raise BadInput(f"the picture {path} cannot be shown: {error}") from None
    pixels = plain(frame)
    if pixels.ndim == 2 or pixels.shape[2] == 3:
        return seen(frame)
    alpha = pixels[..., -1:] >> (8 if pixels.dtype == np.uint16 else 0)
    return np.concatenate([seen(frame), alpha.astype(np.uint8)], axis=2)


def _described(passes: Passes) -> dict[str, Any]:
    """All that decides what comes out, so that a later run goes on with the same or not at all."""
    ways_taken = {
        kind: {"method": way.name, **_settings(way.method), **_plain(way)}
        for kind, way in passes.ways.items()
    }
    said = {
        "by hand": sha256(repr(passes.by_hand).encode()).hexdigest()
        if passes.by_hand != NOTHING_SAID
        else None,
        "masks": passes.masks,
        "checks": passes.checks.names,
        **asdict(passes.filming),
    }
    return {"targets": list(passes.ways), **ways_taken, **said}


def _plain(way: Way) -> dict[str, Any]:
    return {name: value for name, value in asdict(way).items() if name not in {"name", "method"}}


def _settings(method: Method) -> dict[str, Any]:
    given = method.keywords if isinstance(method, partial) else {}
    return {
        name: sha256(value.tobytes()).hexdigest() if isinstance(value, np.ndarray) else value
        for name, value in given.items()
    }
