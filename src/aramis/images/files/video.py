"""Video files: frames in, frames out, one at a time, so that memory does not grow with length.

Kept: codec, size, pixel format, frame times (also of variable rate), rotation, shape of the pixels, colour tags,
duration. Everything else that a file carries (sound, subtitles, chapters, attachments, tags, captions inside the
frames) is left behind unless it is asked for. Pixels that were not changed reach the encoder as they were decoded.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from aramis.errors import Unreadable

if TYPE_CHECKING:
    from av import Packet, VideoFrame, VideoStream
    from av.container import InputContainer

Pixels = NDArray[np.uint8]

SUFFIXES = frozenset(
    [
        ".mp4",
        ".m4v",
        ".mov",
        ".mkv",
        ".webm",
        ".avi",
        ".ts",
        ".m2ts",
        ".mts",
        ".mpg",
        ".mpeg",
        ".vob",
        ".flv",
        ".f4v",
        ".3gp",
        ".3g2",
        ".wmv",
        ".asf",
        ".mxf",
        ".ogv",
        ".nut",
    ]
)
_MISSING_SECONDS = 0.2  # a file that ends this much before its own length was cut off


@dataclass(frozen=True, slots=True)
class Video:
    """What a file says of itself. Width and height are as displayed."""

    width: int
    height: int
    rate: Fraction  # frames a second, on average
    frames: int | None  # a hint for progress: the file's own count or an estimate
    codec: str
    rotation: int  # degrees counter-clockwise by which the player turns the picture
    left_behind: tuple[str, ...]  # what else it carries, in words


@dataclass(frozen=True)
class Frame:
    """One decoded frame. Colours are converted only for who asks, once."""

    index: int
    seconds: float
    decoded: "VideoFrame"
    matrix: tuple[int, ...] | None

    @cached_property
    def pixels(self) -> Pixels:
        """RGB as displayed; read-only."""
        pixels = turned(cast("Pixels", self.decoded.to_ndarray(format="rgb24")), self.matrix)
        pixels.flags.writeable = False
        return pixels

    def small(self, width: int, height: int) -> Pixels:
        """Grey, shrunk to this size: to compare frames with."""
        if self.matrix is not None and abs(self.matrix[1]) > abs(self.matrix[0]):  # stored lying on its side
            width, height = height, width
        shrunk = self.decoded.to_ndarray(width=width, height=height, format="gray", interpolation="AREA")
        return turned(cast("Pixels", shrunk), self.matrix)


def probe(path: Path) -> Video:
    """What a video file is, without decoding more than its first frame."""
    with opened(path) as container:
        stream = moving_picture(path, container)
        first = next(decode(path, container, stream, whole=False), None)
        if first is None:
            raise Unreadable(f"{path.name} holds no frame")
        height, width = turned(np.empty((stream.height, stream.width, 0), np.uint8), first.matrix).shape[:2]
        return Video(
            width=width,
            height=height,
            rate=frame_rate(stream),
            frames=_frame_count(container, stream),
            codec=stream.codec_context.name,
            rotation=first.decoded.rotation,
            left_behind=tuple(_cargo(container, stream)),
        )


def frames(path: Path) -> Iterator[Frame]:
    """Every frame in order of display. A file that is damaged or cut off is refused, not read in part."""
    with opened(path) as container:
        yield from decode(path, container, moving_picture(path, container))


def turned(pixels: NDArray[Any], matrix: tuple[int, ...] | None) -> NDArray[Any]:
    """Stored pixels as a player shows them: turned by quarters and mirrored as the display matrix says."""
    if matrix is None:
        return pixels
    a, b, _, c, d = matrix[:5]
    if abs(b) > abs(a):  # a quarter turn swaps rows and columns
        pixels = pixels.swapaxes(0, 1)
        a, d = c, b
    pixels = pixels[:, ::-1] if a < 0 else pixels
    pixels = pixels[::-1] if d < 0 else pixels
    return np.ascontiguousarray(pixels)


def ffmpeg() -> ModuleType:
    try:
        import av
    except ImportError:
        raise Unreadable(
            "video needs the optional part `video`: pip install 'aramis[video]' (it brings FFmpeg)"
        ) from None
    os.environ.setdefault("SVT_LOG", "0")
    av.logging.set_level(None)  # FFmpeg would talk past our own progress; what matters is raised
    return av


@contextmanager
def opened(path: Path) -> Iterator["InputContainer"]:
    av = ffmpeg()
    try:
        container = av.open(str(path), metadata_errors="replace")
    except (av.error.FFmpegError, UnicodeError) as error:
        raise Unreadable(f"{path.name} cannot be read as a video: {words(error)}") from error
    with container:
        yield container


def words(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def moving_picture(path: Path, container: "InputContainer") -> "VideoStream":
    """The moving picture: not the cover of an album."""
    av = ffmpeg()
    cover = av.stream.Disposition.attached_pic
    stream = next((s for s in container.streams.video if not s.disposition & cover), None)
    if stream is None:
        raise Unreadable(f"{path.name} holds no moving picture")
    if cast("Any", stream).codec_context is None or not (stream.width and stream.height):
        raise Unreadable(f"{path.name}: its pictures are in a format that FFmpeg does not know")
    stream.thread_type = "AUTO"
    return stream


def frame_rate(stream: "VideoStream") -> Fraction:
    return stream.average_rate or stream.guessed_rate or Fraction(25)


def _frame_count(container: "InputContainer", stream: "VideoStream") -> int | None:
    if stream.frames:
        return stream.frames
    if container.duration is not None:
        return round(container.duration / 1_000_000 * frame_rate(stream))
    return None


def _cargo(container: "InputContainer", stream: "VideoStream") -> Iterator[str]:
    """In words, all that a file carries beside its moving picture."""
    for other in container.streams:
        if other.index != stream.index:
            yield f"{other.type} track {other.index}"
    if container.chapters():
        yield f"{len(container.chapters())} chapters"
    for name in sorted({*container.metadata, *(key for s in container.streams for key in s.metadata)}):
        yield f"tag {name}"


class Track(Protocol):
    """What takes the packets of another stream as they come by."""

    def write(self, packet: "Packet[Any]") -> None: ...


def decode(
    path: Path,
    container: "InputContainer",
    stream: "VideoStream",
    others: Mapping[int, Track] | None = None,
    *,
    whole: bool = True,
) -> Iterator[Frame]:
    """Frames of one stream; packets of the `others` go to their tracks as they come by."""
    av = ffmpeg()
    index, matrix, end = 0, None, 0.0
    for packet in _packets(path, container):
        end = max(end, _end(packet))
        if packet.stream.index != stream.index:
            if others and packet.stream.index in others:
                others[packet.stream.index].write(packet)
            continue
        try:
            pictures = packet.decode()
        except av.error.FFmpegError as error:
            raise Unreadable(f"{path.name} is damaged after frame {index}: {words(error)}") from error
        for picture in pictures:
            if picture.is_corrupt:
                raise Unreadable(f"{path.name}: frame {index} is damaged")
            if index == 0:
                matrix = _matrix(picture)
            if container.format.name == "avi" and stream.codec_context.has_b_frames:
                picture.pts = None  # AVI says in which order pictures are decoded, not when they are shown
            seconds = picture.time if picture.pts is not None else index / float(frame_rate(stream))
            yield Frame(index, seconds, picture, matrix)
            index += 1
    if whole:
        _refuse_cut_off(path, container, end, index)


def _packets(path: Path, container: "InputContainer") -> Iterator["Packet[Any]"]:
    av = ffmpeg()
    try:
        yield from container.demux()
    except av.error.FFmpegError as error:
        raise Unreadable(f"{path.name} breaks off: {words(error)}") from error


def _end(packet: "Packet[Any]") -> float:
    if packet.pts is None:
        return 0.0
    return float((packet.pts + (packet.duration or 0)) * packet.time_base)


def _refuse_cut_off(path: Path, container: "InputContainer", end: float, count: int) -> None:
    if container.duration is None:
        return
    promised = (container.duration + max(container.start_time or 0, 0)) / 1_000_000
    if promised - end > _MISSING_SECONDS:
        raise Unreadable(
            f"{path.name} is cut off: it says {promised:.1f} s and ends after {end:.1f} s, frame {count}"
        )


def _matrix(picture: "VideoFrame") -> tuple[int, ...] | None:
    """The nine numbers by which a player turns the picture; None where it is shown as stored."""
    from av.sidedata.sidedata import Type

    data = next((one for one in cast("Any", picture.side_data) if one.type == Type.DISPLAYMATRIX), None)
    if data is None:
        return None
    matrix = tuple(int(number) for number in np.frombuffer(bytes(data), np.int32))
    a, b, _, c, d = matrix[:5]
    straight = (a == d == 0) != (b == c == 0)
    return matrix if straight else None  # a turn by other angles is a player's ornament
