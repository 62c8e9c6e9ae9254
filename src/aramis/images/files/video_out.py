"""Video files, the way out: every frame passed through an edit and encoded in the manner of the source.

Sound, subtitles, chapters, attachments and tags are left behind unless they are asked for; what rides along inside
frames (captions, places) always is.
"""

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput, Unreadable
from aramis.images.files.video import (
    Frame,
    Pixels,
    decode,
    ffmpeg,
    frame_rate,
    frames,
    moving_picture,
    opened,
    turned,
    words,
)

if TYPE_CHECKING:
    from av import AudioFrame, AudioResampler, AudioStream, Packet, VideoFrame, VideoStream
    from av.container import InputContainer, OutputContainer
    from av.stream import Stream
    from av.video.plane import VideoPlane

AUDIO = ("drop", "keep", "disguise")
KEEPABLE = ("subtitles", "chapters", "attachments", "metadata")

# Quality: what the eye cannot tell from the source, at a speed that keeps up with detection.
_SETTINGS = {
    # mbtree off: with it, x264's vector code gave other bytes in some runs (8 of 60 at 320x240, none of 100 without)
    "libx264": {"crf": "18", "preset": "veryfast", "a53cc": "0", "mbtree": "0"},
    "libx265": {"crf": "20", "preset": "veryfast", "a53cc": "0", "x265-params": "log-level=none"},
    "libvpx": {"crf": "8", "b": "20M", "deadline": "good", "cpu-used": "4"},
    "libvpx-vp9": {"crf": "24", "b": "0", "deadline": "good", "cpu-used": "5", "row-mt": "1"},
    "libsvtav1": {"crf": "28", "preset": "9"},
    "dnxhd": {"profile": "dnxhr_hq"},
}
_FINE_QUANTIZER = 2 * 118  # for encoders without CRF: FFmpeg's -q:v 2
# Where FFmpeg can read a codec but not write it.
_INSTEAD = {".webm": "libvpx-vp9"}
_SPOKEN = {".webm": "libopus", ".mkv": "libopus", ".avi": "libmp3lame", ".flv": "libmp3lame"}
_MUXERS = {"m4v": "mp4", "mkv": "matroska", "mpg": "mpeg", "wmv": "asf", "ogv": "ogg"} | dict.fromkeys(
    ("ts", "m2ts", "mts"), "mpegts"
)
_COARSE = {"mpeg4", "msmpeg4", "msmpeg4v2"}
_FINEST_TICK = 65535  # these count time no finer than this a second
_STEADY = {"mpeg1video", "mpeg2video"}  # know no other time than the next frame's
_EVEN = {"libx264", "libx265", "h264_nvenc"}  # take an odd size only without halved colour
_GAP = 1600  # a silence shorter than this (0.1 s) is rounding, not a gap
_DISGUISED_RATE = 16_000  # a voice has little above 8 kHz

Edit = Callable[[Frame], Pixels | None]
"""New pixels for a frame, as displayed; None: it stays as it is."""


@dataclass(frozen=True, slots=True)
class Sound:
    """How the tracks of sound are treated: dropped, kept as they are, or passed through `disguise`.

    `disguise` begins a track: it gives a function that takes 16 kHz samples and gives as many back,
    late by what it must look ahead; called with None it gives the rest.
    """

    mode: str = "drop"
    disguise: "Callable[[], Callable[[NDArray[np.float32] | None], NDArray[np.float32]]] | None" = None


def rewrite(
    source: Path, target: Path, edit: Edit, sound: Sound = Sound("drop"), keep: Collection[str] = ()
) -> int:
    """Write `source` again with every frame passed through `edit`; return how many frames there were.

    `target` is written as it grows: give a temporary name and rename. Its suffix does not matter; the
    container is that of the source.
    """
    first = next(frames(source), None)  # what it must hold, before the first packet of sound comes by
    if first is None:
        raise Unreadable(f"{source.name} holds no frame")
    try:
        with opened(source) as old, _created(target, _muxer(source)) as new:
            stream = moving_picture(source, old)
            encoder = _Encoder(new, stream, _begun(source, new, stream, first))
            tracks = _tracks(source, old, new, sound, keep)
            for frame in decode(source, old, stream, others={track.source.index: track for track in tracks}):
                encoder.write(frame, edit(frame))
            encoder.close()
            for track in tracks:
                track.close()
    except ffmpeg().error.FFmpegError as error:
        raise Unreadable(f"{source.name} can be read but not written again: {words(error)}") from error
    return encoder.count


@contextmanager
def mask_writer(target: Path, width: int, height: int, rate: Fraction) -> Iterator[Callable[[Pixels], None]]:
    """Write grey frames to a lossless video (FFV1 in Matroska), one call each."""
    import av

    with _created(target, "matroska") as new:
        stream = new.add_stream("ffv1", rate=rate, width=width, height=height, pix_fmt="gray")

        def write(mask: Pixels) -> None:
            new.mux(stream.encode(av.VideoFrame.from_ndarray(mask, format="gray")))

        yield write
        new.mux(stream.encode())


def _turned_back(pixels: NDArray[Any], matrix: tuple[int, ...] | None) -> NDArray[Any]:
    """The inverse of `turned`: for quarter turns the transposed matrix."""
    if matrix is None:
        return pixels
    a, b, u, c, d, *rest = matrix
    return turned(pixels, (a, c, u, b, d, *rest))


@contextmanager
def _created(path: Path, muxer: str) -> Iterator["OutputContainer"]:
    # bitexact: no time of day, no random number, no version in the file; the same run gives the same bytes
    with ffmpeg().open(str(path), "w", format=muxer, container_options={"fflags": "+bitexact"}) as container:
        yield container


def _muxer(path: Path) -> str:
    """FFmpeg's name for the container, by the suffix."""
    av = ffmpeg()
    suffix = path.suffix.lower().removeprefix(".")
    name = _MUXERS.get(suffix, suffix)
    if name not in av.formats_available:
        raise Unreadable(f"{path.name}: a video ending in .{suffix} cannot be written")
    return name


@dataclass
class _Encoder:
    """Writes one moving picture in the manner of another."""

    out: "OutputContainer"
    like: "VideoStream"
    stream: "VideoStream"
    count: int = 0
    last: int | None = None  # when the frame before is shown
    durations: dict[int, int] = field(default_factory=dict)

    def write(self, frame: Frame, edited: Pixels | None) -> None:
        context = self.stream.codec_context
        picture = _bare(frame.decoded, str(context.pix_fmt))
        if edited is not None:
            _put(picture, frame, edited)
        picture.time_base = context.time_base
        picture.pts = self._tick(frame, context.time_base)
        self._mux(self.stream.encode(picture))
        self.count += 1

    def close(self) -> None:
        self._mux(self.stream.encode())

    def _tick(self, frame: Frame, tick: Fraction) -> int:
        """When the frame is shown, in the encoder's ticks; always later than the one before."""
        decoded = frame.decoded
        if decoded.pts is None or decoded.time_base is None:
            exact = Fraction(frame.index) / frame_rate(self.like)
        else:
            exact = decoded.pts * decoded.time_base
        self.last = round(exact / tick) if self.last is None else max(self.last + 1, round(exact / tick))
        if decoded.duration and decoded.time_base:
            self.durations[self.last] = round(decoded.duration * decoded.time_base / tick)
        return self.last

    def _mux(self, packets: "list[Packet[Any]]") -> None:
        for packet in packets:
            if packet.pts is not None and not packet.duration:
                packet.duration = self.durations.pop(packet.pts, 0)
            self.out.mux(packet)


def _begun(path: Path, out: "OutputContainer", like: "VideoStream", first: Frame) -> "VideoStream":
    """The stream to write: codec, size, time and colours of the one that is read."""
    name, picture = _encoder_name(path, like, out), first.decoded
    stream = cast("VideoStream", out.add_stream(name, rate=frame_rate(like), time_base=_ticks(name, like)))
    stream.width, stream.height, stream.pix_fmt = picture.width, picture.height, _pixel_format(name, picture)
    context = stream.codec_context
    context.options = dict(_SETTINGS.get(name, {}))
    if name not in _SETTINGS:
        context.qscale = True
        context.global_quality = _FINE_QUANTIZER
    if like.sample_aspect_ratio:
        context.sample_aspect_ratio = like.sample_aspect_ratio
    _copy_colours(picture, context)
    if first.matrix is not None:
        stream.set_display_matrix(first.matrix)
    return stream


def _ticks(encoder: str, like: "VideoStream") -> Fraction:
    """The unit of time: the source's own, or for MPEG-4 part 2 the finest that holds its frame rate."""
    rate = frame_rate(like)
    tick = like.time_base or 1 / rate
    if encoder in _STEADY:
        return 1 / rate
    if tick.denominator <= _FINEST_TICK or encoder not in _COARSE:
        return tick
    return Fraction(1, rate.numerator * max(1, _FINEST_TICK // rate.numerator))


def _encoder_name(path: Path, like: "VideoStream", out: "OutputContainer") -> str:
    """The encoder of the source's own codec, else one that its container holds."""
    av = ffmpeg()
    wanted = like.codec_context.codec.canonical_name
    try:
        return str(av.Codec(wanted, "w").name)
    except ValueError:
        instead = _INSTEAD.get(path.suffix.lower(), "libx264")
    if instead.removeprefix("lib") not in out.supported_codecs and "h264" not in out.supported_codecs:
        raise Unreadable(f"{path.name}: its codec {wanted} can be read but not written")
    return instead


def _pixel_format(encoder: str, decoded: "VideoFrame") -> str:
    """The frame's own pixel format where the encoder takes it, else the nearest that it takes."""
    import av

    here = decoded.format
    known = [other.name for other in av.Codec(encoder, "w").video_formats or []]
    halved = decoded.width % 2 or decoded.height % 2
    if (
        here.name in known
        and not here.has_palette
        and not (halved and encoder in _EVEN and "420" in here.name)
    ):
        return here.name
    deep = any(part.bits > 8 for part in here.components)
    wishes = ["yuv444p10le", "yuv422p10le", "yuv420p10le"] if deep else []
    wishes += ["yuv444p"] if halved or here.is_rgb else []
    wishes += ["yuv420p", "yuvj420p", "bgr0", "rgb24", "gray"]
    return next((wish for wish in wishes if wish in known), known[0] if known else "yuv420p")


def _bare(decoded: "VideoFrame", pixel_format: str) -> "VideoFrame":
    """A copy without what rides along in a frame: captions, places, the kind of frame that it was."""
    import av

    same = decoded if decoded.format.name == pixel_format else decoded.reformat(format=pixel_format)
    bare = av.VideoFrame(same.width, same.height, pixel_format)
    for new, old in zip(bare.planes, same.planes, strict=True):
        wide = min(new.line_size, old.line_size)
        _rows(new)[:, :wide] = _rows(old)[:, :wide]
    _copy_colours(decoded, bare)
    return bare


def _copy_colours(source: Any, to: Any) -> None:
    for tag in ("color_range", "color_primaries", "color_trc", "colorspace"):
        setattr(to, tag, getattr(source, tag))


def _rows(plane: "VideoPlane") -> NDArray[np.uint8]:
    """The bytes of a plane, a row per line; writing into it writes into the frame."""
    return np.frombuffer(cast("Any", plane), np.uint8).reshape(plane.height, plane.line_size)


def _put(picture: "VideoFrame", frame: Frame, edited: Pixels) -> None:
    """Write into `picture` what `edited` changed, and nothing else."""
    import av

    changed = _turned_back((frame.pixels != edited).any(axis=2), frame.matrix)
    stored = av.VideoFrame.from_ndarray(_turned_back(edited, frame.matrix), format="rgb24")
    redacted = stored.reformat(
        format=picture.format.name,
        dst_colorspace=picture.colorspace,
        dst_color_range=picture.color_range,
        interpolation="BICUBIC",
    )
    apart = picture.format.is_planar and len(picture.format.components) == len(picture.planes)
    for index, (plane, new) in enumerate(zip(picture.planes, redacted.planes, strict=True)):
        if apart:
            pooled = _pooled(changed, plane.width, plane.height)
            here = np.repeat(pooled, math.ceil(picture.format.components[index].bits / 8), axis=1)
            wide = here.shape[1]
            np.copyto(_rows(plane)[:, :wide], _rows(new)[:, :wide], where=here)
        else:  # colours share a plane: all of it is converted
            wide = min(plane.line_size, new.line_size)
            _rows(plane)[:, :wide] = _rows(new)[:, :wide]


def _pooled(mask: NDArray[np.bool_], width: int, height: int) -> NDArray[np.bool_]:
    """A mask at the size of a plane: a sample is changed where any pixel under it is."""
    down, across = math.ceil(mask.shape[0] / height), math.ceil(mask.shape[1] / width)
    padded = np.pad(mask, ((0, height * down - mask.shape[0]), (0, width * across - mask.shape[1])))
    return cast("NDArray[np.bool_]", padded.reshape(height, down, width, across).any(axis=(1, 3)))


@dataclass
class _Copied:
    """A track written as it is, packet by packet, without its tags."""

    source: "Stream"
    out: "OutputContainer"
    stream: "Stream"

    def write(self, packet: "Packet[Any]") -> None:
        if not packet.size:  # the end of the track
            return
        packet.stream = self.stream
        self.out.mux(packet)

    def close(self) -> None:
        pass


@dataclass
class _Spoken:
    """A track of sound passed through a disguise: one channel of 16 kHz, whatever it was."""

    source: "Stream"
    out: "OutputContainer"
    stream: "AudioStream"
    disguise: Callable[[NDArray[np.float32] | None], NDArray[np.float32]]
    resampler: "AudioResampler"
    begun: int | None = None  # when the first sample is heard, in samples
    heard: int = 0
    said: int = 0

    def write(self, packet: "Packet[Any]") -> None:
        for heard in cast("list[AudioFrame]", packet.decode()):
            start = round((heard.time or 0.0) * _DISGUISED_RATE)
            if self.begun is None:
                self.begun = start
            for frame in self.resampler.resample(heard):
                samples = frame.to_ndarray()[0].astype(np.float32)
                self._hear(np.zeros(max(0, start - self.begun - self.heard - _GAP), np.float32))
                self._hear(samples)

    def close(self) -> None:
        for frame in self.resampler.resample(None):
            self._hear(frame.to_ndarray()[0].astype(np.float32))
        self._say(self.disguise(None))
        self.out.mux(self.stream.encode())

    def _hear(self, samples: NDArray[np.float32]) -> None:
        self.heard += len(samples)
        if len(samples):
            self._say(self.disguise(samples))

    def _say(self, samples: NDArray[np.float32]) -> None:
        import av

        if not len(samples):
            return
        frame = av.AudioFrame.from_ndarray(samples[None], format="fltp", layout="mono")
        frame.sample_rate = _DISGUISED_RATE
        frame.time_base = Fraction(1, _DISGUISED_RATE)
        frame.pts = (self.begun or 0) + self.said
        self.said += len(samples)
        self.out.mux(self.stream.encode(frame))


def _tracks(
    path: Path, old: "InputContainer", new: "OutputContainer", sound: Sound, keep: Collection[str]
) -> "list[_Copied | _Spoken]":
    """What goes on beside the picture: nothing, unless asked for."""
    tracks: list[_Copied | _Spoken] = []
    if sound.mode == "keep":
        tracks += [_copied(path, stream, new) for stream in old.streams.audio]
    if sound.mode == "disguise":
        tracks += [_spoken(path, stream, new, sound) for stream in old.streams.audio]
    if "subtitles" in keep:
        tracks += [_copied(path, stream, new) for stream in old.streams.subtitles]
    if "attachments" in keep:
        for attached in old.streams.attachments:
            new.add_attachment(str(attached.name), str(attached.mimetype), attached.data)
    if "chapters" in keep:
        new.set_chapters(old.chapters())
    if "metadata" in keep:
        new.metadata.update(old.metadata)
    return tracks


def _copied(path: Path, stream: "Stream", new: "OutputContainer") -> _Copied:
    try:
        return _Copied(stream, new, new.add_stream_from_template(stream))
    except ValueError as error:
        raise Unreadable(f"{path.name}: its {stream.type} cannot be kept ({error}); drop it") from error


def _spoken(path: Path, stream: "AudioStream", new: "OutputContainer", sound: Sound) -> _Spoken:
    import av

    if sound.disguise is None:
        raise BadInput("a voice can be disguised only by a function that is given")
    codec = _SPOKEN.get(path.suffix.lower(), "aac")
    out = cast("AudioStream", new.add_stream(codec, rate=_DISGUISED_RATE, layout="mono"))
    resampler = av.AudioResampler("fltp", "mono", _DISGUISED_RATE)
    return _Spoken(stream, new, out, sound.disguise(), resampler)
