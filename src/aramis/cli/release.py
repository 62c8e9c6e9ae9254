"""`aramis release`: the main job."""

import sys
from typing import Any

from aramis.cli import hiding
from aramis.cli.assessment import as_json_line
from aramis.cli.options import AsJson, CarrierModel, Config, FaceModel, Models, PlateModel, Quiet, Rules, Seed
from aramis.cli.thresholds import with_thresholds


@with_thresholds
def release(
    *,
    source: hiding.Source,
    out: hiding.Out,
    targets: hiding.Targets = "face,plate",
    method: hiding.Method = "blur",
    shape: hiding.Shape = None,
    margin: hiding.Margin = None,
    feather: hiding.Feather = 0.0,
    strength: hiding.Strength = 1.0,
    colour: hiding.Colour = None,
    picture: hiding.Picture = None,
    detect_every: hiding.DetectEvery = None,
    audio: hiding.Audio = "drop",
    keep: hiding.Keep = None,
    regions: hiding.Regions = None,
    ignore: hiding.Ignore = None,
    detections: hiding.Detections = None,
    only_detections: hiding.OnlyDetections = False,
    masks: hiding.Masks = False,
    rules: Rules = "strict",
    thresholds: Any,
    checks: hiding.Checks = hiding.ALL_CHECKS,
    models: Models = "default",
    face_model: FaceModel = None,
    plate_model: PlateModel = None,
    carrier_model: CarrierModel = None,
    workers: hiding.Workers = None,
    max_megapixels: hiding.MaxMegapixels = 250,
    seed: Seed = None,
    country: hiding.Country = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Anonymize photographs and videos, and say how well: hide faces and plates, look around, judge, check, report.

    SRC is left as it is. OUT/media holds the released files, OUT/report.html what somebody should read before sharing
    them. A run that was interrupted goes on where it stopped. Exit status 1 means that there is something to look at:
    a leak, or a file that could not be processed and was not released.

    \b
    aramis release photos/ out/
    aramis release photos/ out/ --method face=blur,plate=solid --workers 4
    aramis release ride.mp4 out/ --audio disguise --regions door.json --masks
    """
    import aramis

    with hiding.resumable("releasing", quiet=quiet) as show:
        done = aramis.release(
            source,
            out,
            targets=targets,
            rules=rules,
            thresholds=thresholds,
            checks=checks,
            models=models,
            face_model=face_model,
            plate_model=plate_model,
            carrier_model=carrier_model,
            workers=workers,
            max_megapixels=max_megapixels,
            progress=show,
            method=method,
            shape=shape,
            margin=margin,
            feather=feather,
            strength=strength,
            colour=hiding.rgb(colour),
            picture=picture,
            detect_every=detect_every,
            audio=audio,
            keep=hiding.listed(keep),
            regions=regions,
            ignore=ignore,
            detections=detections,
            only_detections=only_detections,
            masks=masks,
            seed=seed,
            country=country,
        )
    assert done.assessment
    if as_json:
        print(as_json_line(done.assessment))
    else:
        print(hiding.judged(done))
    sys.exit(1 if done.assessment.has_leaks or done.quarantined else 0)
