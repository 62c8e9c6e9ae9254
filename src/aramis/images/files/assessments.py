"""assessment.json ⇄ Assessment."""

from pathlib import Path

import msgspec

from aramis.errors import BadInput
from aramis.images.files.whole import whole
from aramis.images.risk.assessment import Assessment


def read_assessment(path: Path) -> Assessment:
    """The assessment of a release folder."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Assessment)
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}; `aramis assess` writes it from records.jsonl") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is not an assessment: {error}") from None


def write_assessment(path: Path, assessment: Assessment) -> None:
    """Write it so that people can read it too."""
    with whole(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(assessment), indent=2) + b"\n")
