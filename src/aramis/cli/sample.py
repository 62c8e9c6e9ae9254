"""`aramis sample`: draw what a person should look at."""

from typing import Annotated

import typer

from aramis.cli.options import AsJson, Config, Release

LeakRate = Annotated[
    float,
    typer.Option(
        "--leak-rate",
        help="The share of leaks that is to be excluded with 95 % confidence: 0.01, one in a hundred.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Another number draws others.")]


def sample(
    release: Release,
    leak_rate: LeakRate = 0.01,
    seed: Seed = 0,
    as_json: AsJson = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Draw at random what a person must look at to certify a leak rate: images, and of videos people and vehicles.

    Writes RELEASE/private/review.csv. Look at each in RELEASE/media, write yes or no into the column leak, from the top;
    then let `aramis assess` say what that certifies. Answers that are there already are kept.

    \b
    aramis sample out/ --leak-rate 0.01
    aramis assess out/ --review out/private/review.csv
    """
    import msgspec

    import aramis

    drawn = aramis.sample(release, leak_rate=leak_rate, seed=seed)
    if as_json:
        print(msgspec.json.encode({**msgspec.structs.asdict(drawn), "sheet": str(drawn.sheet)}).decode())
        return
    print(
        f"{drawn.images} images and {drawn.tracks} people and vehicles in videos to look at, {drawn.answered} answered already"
    )
    print(f"free of leaks, they certify that fewer than {leak_rate:.2%} leak, with 95 % confidence")
    print(f"sheet: {drawn.sheet}")
