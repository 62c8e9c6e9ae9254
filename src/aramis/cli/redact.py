"""`aramis redact`: hide, and judge nothing."""

import sys

from aramis.cli import hiding
from aramis.cli.options import AsJson, Config, FaceModel, Models, PlateModel, Quiet, Seed


def redact(
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
    models: Models = "default",
    face_model: FaceModel = None,
    plate_model: PlateModel = None,
    workers: hiding.Workers = None,
    max_megapixels: hiding.MaxMegapixels = 250,
    seed: Seed = None,
    country: hiding.Country = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Hide faces and plates without judging the result: the first pass of `aramis release` alone.

    OUT/media holds the released files, OUT/records.jsonl what was found in them. Exit status 1 means that a file could not
    be processed and was not released.

    \b
    aramis redact photos/ out/ --targets face --method pixelate
    """
    import aramis

    with hiding.resumable("redacting", quiet=quiet) as show:
        done = aramis.redact(
            source,
            out,
            targets=targets,
            models=models,
            face_model=face_model,
            plate_model=plate_model,
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
    print(hiding.as_json(done) if as_json else hiding.as_text(done))
    sys.exit(1 if done.quarantined else 0)
