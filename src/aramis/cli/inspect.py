"""`aramis inspect`: look around, and hide nothing."""

import sys

from aramis.cli import hiding
from aramis.cli.options import AsJson, CarrierModel, Config, Models, Quiet


def inspect(
    *,
    source: hiding.Source,
    out: hiding.Out,
    models: Models = "default",
    carrier_model: CarrierModel = None,
    workers: hiding.Workers = None,
    max_megapixels: hiding.MaxMegapixels = 250,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Look around only: records of the people and vehicles in photographs, the second pass of `aramis release` alone.

    No pixel is written: OUT/records.jsonl is all that comes out.

    \b
    aramis inspect photos/ out/
    """
    import aramis

    with hiding.resumable("inspecting", quiet=quiet) as show:
        done = aramis.inspect(
            source,
            out,
            models=models,
            carrier_model=carrier_model,
            workers=workers,
            max_megapixels=max_megapixels,
            progress=show,
        )
    print(hiding.as_json(done) if as_json else hiding.as_text(done))
    sys.exit(1 if done.quarantined else 0)
