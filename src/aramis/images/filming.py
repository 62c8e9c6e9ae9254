"""What is to be done with videos beyond what is done with photographs."""

from dataclasses import dataclass
from math import ceil

from aramis.errors import BadInput
from aramis.images.files.video_out import AUDIO, KEEPABLE
from aramis.images.tracking import USUAL, Habits


@dataclass(frozen=True, slots=True)
class Filming:
    """How videos are watched and what of them goes on."""

    detect_every: int | None = None  # frames; None: as many as `EVERY_SECONDS` hold
    inspect_every: float = 1.0  # seconds: people and vehicles stay longer
    audio: str = "drop"
    keep: tuple[str, ...] = ()  # of subtitles, chapters, attachments, metadata
    habits: Habits = USUAL

    def __post_init__(self) -> None:
        if self.audio not in AUDIO:
            raise BadInput(f"audio cannot be {self.audio!r}; choose one of {', '.join(AUDIO)}")
        unknown = sorted(set(self.keep) - set(KEEPABLE))
        if unknown:
            raise BadInput(f"{unknown[0]} is nothing to keep in a video; there are {', '.join(KEEPABLE)}")
        if self.detect_every is not None and self.detect_every < 1:
            raise BadInput(f"every {self.detect_every}th frame cannot be looked at; 1 is every frame")

    def every(self, rate: float) -> int:
        """How many frames from one that is looked at to the next."""
        return self.detect_every or max(1, round(EVERY_SECONDS * rate))

    def sampled(self, rate: float) -> int:
        """How many frames from one whose carriers are looked for to the next."""
        return max(1, ceil(self.inspect_every * rate))


EVERY_SECONDS = (
    0.15  # see docs/measurements.md: looking more often covers hardly more and costs twice as much
)
USUAL_FILMING = Filming()
