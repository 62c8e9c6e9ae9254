"""Small videos made on the spot, each with one property that a tool may lose."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray


def scene(width: int, height: int, index: int) -> NDArray[np.uint8]:
    """A smooth picture that moves, with a bright square whose place tells the frame's number."""
    y, x = np.mgrid[0:height, 0:width]
    picture = np.stack([(x + 3 * index) % 256, y * 255 // height, np.full_like(x, 90)], axis=2).astype(
        np.uint8
    )
    left = (index * 4) % max(1, width - 16)
    picture[8:24, left : left + 16] = 230
    return picture


def tone(seconds: float, rate: int, hertz: float) -> NDArray[np.float32]:
    return np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate).astype(np.float32) * 0.3


def make_clip(
    path: Path,
    *,
    size: tuple[int, int] = (64, 48),
    frames: int = 12,
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    rate: int | Fraction = 25,
    times: Sequence[int] | None = None,
    rotation: int = 0,
    voices: Sequence[float] = (),
    tags: dict[str, str] | None = None,
    options: dict[str, str] | None = None,
) -> Path:
    """Write a clip. `times` are milliseconds of each frame; `voices` are the pitches of its tracks of sound."""
    with av.open(str(path), "w") as out:
        stream: Any = out.add_stream(codec, rate=rate, options=options or {})
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        if times:
            stream.codec_context.time_base = Fraction(1, 1000)
        if rotation:
            stream.set_display_rotation(rotation)
        out.metadata.update(tags or {})
        heard: list[Any] = [out.add_stream("aac", rate=16_000, layout="mono") for _ in voices]
        for index in range(frames):
            frame = av.VideoFrame.from_ndarray(scene(*size, index), format="rgb24")
            if times:
                frame.pts, frame.time_base = times[index], Fraction(1, 1000)
            out.mux(stream.encode(frame))
        out.start_encoding()  # where there is no frame, a header all the same
        out.mux(stream.encode())
        for sound, hertz in zip(heard, voices, strict=True):
            samples = av.AudioFrame.from_ndarray(
                tone(frames / float(rate), 16_000, hertz)[None], "fltp", "mono"
            )
            samples.sample_rate = 16_000
            out.mux(sound.encode(samples))
            out.mux(sound.encode())
    return path


@pytest.fixture
def clip() -> Callable[..., Path]:
    """Writes a small video: `clip(path, frames=3, rotation=90)`."""
    return make_clip
