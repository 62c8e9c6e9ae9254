"""What else than pixels is in a released file: EXIF, GPS, XMP, IPTC, thumbnails, makers' notes, comments, the text of colour
profiles, bytes after the end; of a video tags, sound and other tracks.

Nothing of it is ever written but what was asked for; this reads the file back and lists what is there all the same.
"""

from collections.abc import Collection
from pathlib import Path

from aramis.images.checks.check import FileCheck
from aramis.images.files.carried import carried, carried_by_film
from aramis.images.records import Finding


def metadata(meant: Collection[str] = ()) -> FileCheck:
    """The check; what is `meant` to be in a video (audio, subtitles, chapters, attachments, metadata) is listed as no leak."""

    def check(file: bytes | Path) -> list[Finding]:
        found = carried_by_film(file) if isinstance(file, Path) else carried(file)
        return [
            Finding(
                kind=one.kind,
                leak=one.tells and not _is_meant(one.kind, one.name, meant),
                why=f"the file carries {one.name}",
            )
            for one in found
        ]

    return check


def _is_meant(kind: str, name: str, meant: Collection[str]) -> bool:
    asked = {"audio": "audio", "subtitle": "subtitles", "attachment": "attachments", "tag": "metadata"}
    return "chapters" in meant if name.endswith("chapters") else asked.get(kind, "") in meant
