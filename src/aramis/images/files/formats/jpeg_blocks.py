"""A JPEG as its blocks: those that were redacted are written anew, all others are carried over to the last coefficient.

Decoding and encoding again costs quality everywhere. Blocks that nobody touched are therefore copied as numbers: the
released picture decodes to the very pixels of its source there. Turning by EXIF orientation works on blocks too,
where the sides are whole units. What is out of the ordinary (CMYK, 12 bits, arithmetic codes, odd sampling, broken
streams) gives None, and the picture is encoded again in the usual way. Markers and segments: ITU-T T.81, annex B.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aramis.images.files.formats.jpeg_bits import (
    ZIGZAG,
    best_codes,
    lookup,
    read_scan,
    unstuffed,
    words,
    written,
)

Numbers = NDArray[np.int64]

_SEQUENTIAL, _PROGRESSIVE, _CODES, _STEPS, _SCAN, _END = (0xC0, 0xC1), 0xC2, 0xC4, 0xDB, 0xDA, 0xD9
_RESTART, _JFIF, _PROFILE, _ADOBE = 0xDD, 0xE0, 0xE2, 0xEE
_SAMPLINGS = ((1, 1), (2, 1), (2, 2), (1, 2))  # of brightness, where each colour is coded once a unit
_MOST_IN_SEGMENT = 65_519
_TRANSPOSED = np.argsort(ZIGZAG)[(ZIGZAG % 8) * 8 + ZIGZAG // 8]  # where a frequency's other direction stands


@dataclass(frozen=True, slots=True)
class Plane:
    """Brightness, or one of the colours."""

    id: int
    across: int  # blocks in a unit
    down: int
    steps: Numbers  # 8 x 8, of quantisation
    blocks: NDArray[np.int16]  # rows x columns x 64, in zigzag order


@dataclass(frozen=True, slots=True)
class Jpeg:
    """A picture in blocks."""

    width: int
    height: int
    planes: tuple[Plane, ...]
    is_rgb: bool  # not brightness and colours

    @property
    def unit(self) -> tuple[int, int]:
        """Width and height in pixels of what is coded together."""
        return 8 * self.planes[0].across, 8 * self.planes[0].down


class _NotOurs(Exception):
    """A kind of file that is not handled in blocks."""


def parsed(data: bytes) -> Jpeg | None:
    """The blocks of a file; None where it is of a kind that is not handled here."""
    try:
        return _parsed(data)
    except (_NotOurs, struct.error, IndexError, KeyError, ValueError):
        return None


def turned(jpeg: Jpeg, orientation: int) -> Jpeg | None:
    """The picture upright; None where a side that would come first is not made of whole units."""
    if orientation >= 5:
        planes = [
            replace(
                plane,
                across=plane.down,
                down=plane.across,
                steps=plane.steps.T,
                blocks=plane.blocks.transpose(1, 0, 2)[..., _TRANSPOSED],
            )
            for plane in jpeg.planes
        ]
        jpeg = replace(jpeg, width=jpeg.height, height=jpeg.width, planes=tuple(planes))
    mirrored, upside_down = orientation in {2, 3, 6, 7}, orientation in {3, 4, 7, 8}
    if (mirrored and jpeg.width % jpeg.unit[0]) or (upside_down and jpeg.height % jpeg.unit[1]):
        return None
    across, down = (
        np.where(frequency % 2, -1, 1).astype(np.int16) for frequency in (ZIGZAG % 8, ZIGZAG // 8)
    )
    planes = []
    for plane in jpeg.planes:
        blocks = plane.blocks
        if mirrored:
            blocks = blocks[:, ::-1] * across
        if upside_down:
            blocks = blocks[::-1] * down
        planes.append(replace(plane, blocks=np.ascontiguousarray(blocks)))
    return replace(jpeg, planes=tuple(planes))


def patched(jpeg: Jpeg, patch: Jpeg, column: int, row: int, where: NDArray[np.bool_]) -> bool:
    """Put units of `patch`, whose first is at (column, row), in place of the picture's; say whether they fit.

    `where` tells which; the picture's blocks, which must be ours to change, are changed.
    """
    if [(p.across, p.down, p.steps.tolist()) for p in jpeg.planes] != [
        (p.across, p.down, p.steps.tolist()) for p in patch.planes
    ]:
        return False
    for own, new in zip(jpeg.planes, patch.planes, strict=True):
        mask = where.repeat(own.down, axis=0).repeat(own.across, axis=1)
        rows, columns = mask.shape
        top, left = row * own.down, column * own.across
        if new.blocks.shape[:2] != mask.shape:
            return False
        own.blocks[top : top + rows, left : left + columns][mask] = new.blocks[mask]
    return True


def assembled(jpeg: Jpeg, profile: bytes | None) -> bytes | None:
    """The bytes of a file: the blocks, what it takes to decode them, a colour profile, and nothing else.

    None where a coefficient is larger than a JPEG of 8 bits can have.
    """
    coefficients = _flat(jpeg.planes).reshape(-1)
    said = words(
        coefficients, coefficients.view(np.int64), _layout(jpeg, jpeg.planes, interleaved=True), _grid(jpeg)
    )
    if not said.size:
        return None
    counts = np.bincount(said >> 16, minlength=1024).reshape(4, 256)
    tables = {number: best_codes(counts[number]) for number in range(4) if counts[number].any()}
    codes = np.zeros((4, 256, 2), np.int64)
    for number, table in tables.items():
        codes[number] = _as_codes(*table)
    scan = written(said, codes[..., 0].reshape(-1), codes[..., 1].reshape(-1))
    return b"".join(
        [
            b"\xff\xd8",
            *_head(jpeg, profile),
            *(_segment(_CODES, _numbered(number, *table)) for number, table in tables.items()),
            _segment(_SCAN, _scan_header(jpeg)),
            scan.tobytes(),
            b"\xff\xd9",
        ]
    )


def _parsed(data: bytes) -> Jpeg:
    tables, scans = _Tables(), list[_Scan]()
    jpeg, coefficients = None, np.zeros((0, 64), np.int16)
    for marker, body, at, end in _segments(data):
        if marker != _SCAN:
            tables.add(marker, body, is_late=jpeg is not None)
            continue
        if jpeg is None:
            jpeg = _frame(tables.frame, tables.steps)
            coefficients = _flat(jpeg.planes)
        scans.append(_scan(jpeg, body, progressive=tables.progressive))
        _read(data[at:end], coefficients, jpeg, scans[-1], tables)
    if jpeg is None or not _is_complete(jpeg, scans, progressive=tables.progressive):
        raise _NotOurs
    return replace(jpeg, planes=_unflat(coefficients, jpeg.planes), is_rgb=_is_rgb(jpeg, tables.marks))


class _Tables:
    """What the segments before a scan say."""

    def __init__(self) -> None:
        self.frame = b""
        self.progressive = False
        self.restart = 0
        self.steps: dict[int, Numbers] = {}
        self.codes = np.zeros((8, 1 << 16), np.uint16)  # four DC, then four AC
        self.marks: dict[int, bytes] = {}

    def add(self, marker: int, body: bytes, *, is_late: bool) -> None:
        if marker == _CODES:
            _add_codes(self.codes, body)
        elif marker == _RESTART:
            (self.restart,) = struct.unpack(">H", body)
        elif marker in (_JFIF, _ADOBE):
            self.marks.setdefault(marker, body)
        elif marker == _STEPS and not is_late:
            self.steps.update(_steps(body))
        elif marker in (*_SEQUENTIAL, _PROGRESSIVE) and not self.frame:
            self.frame, self.progressive = body, marker == _PROGRESSIVE
        elif (
            marker == _STEPS or marker & 0xF0 == 0xC0
        ):  # tables that change between scans, and rare ways of coding
            raise _NotOurs


@dataclass(frozen=True, slots=True)
class _Scan:
    """Which planes a scan is about, their tables of codes, and which part of the coefficients it brings."""

    planes: list[int]
    codes: list[tuple[int, int]]
    band: Numbers  # progressive, first and last coefficient, bits before, bits left


def _segments(data: bytes) -> Iterator[tuple[int, bytes, int, int]]:
    """Each marker with its body; of a scan also where its bits begin and end."""
    array = np.frombuffer(data, np.uint8)
    after = np.append(array[1:], array[-1:])
    markers = np.flatnonzero((array == 0xFF) & (after != 0) & (after != 0xFF) & (after & 0xF8 != 0xD0))
    place = 2
    while True:
        while data[place] == 0xFF and data[place + 1] == 0xFF:
            place += 1
        if data[place] != 0xFF:
            raise _NotOurs
        marker = data[place + 1]
        if marker == _END:
            return
        (length,) = struct.unpack_from(">H", data, place + 2)
        at = place + 2 + length
        end = int(markers[np.searchsorted(markers, at)]) if marker == _SCAN else at
        yield marker, data[place + 4 : at], at, end
        place = end
        if marker == _SCAN and end == len(data) - 1:
            return


def _steps(body: bytes) -> Iterator[tuple[int, Numbers]]:
    while body:
        deep, number = body[0] >> 4, body[0] & 15
        size = 64 * (deep + 1)
        table = np.zeros(64, np.int64)
        table[ZIGZAG] = np.frombuffer(body[1 : 1 + size], ">u2" if deep else np.uint8)
        yield number, table.reshape(8, 8)
        body = body[1 + size :]


def _add_codes(codes: NDArray[np.uint16], body: bytes) -> None:
    while body:
        kind, number = body[0] >> 4, body[0] & 15
        count = sum(body[1:17])
        codes[(0, 4)[kind] + (0, 1, 2, 3)[number]] = lookup(body[1:17], body[17 : 17 + count])
        body = body[17 + count :]


def _frame(body: bytes, steps: dict[int, Numbers]) -> Jpeg:
    depth, height, width, count = struct.unpack_from(">BHHB", body)
    parts = [struct.unpack_from(">BBB", body, 6 + 3 * number) for number in range(count)]
    sampling = [(part[1] >> 4, part[1] & 15) for part in parts]
    if count == 1:
        sampling = [(1, 1)]
    if depth != 8 or count not in {1, 3} or sampling[0] not in _SAMPLINGS or set(sampling[1:]) - {(1, 1)}:
        raise _NotOurs
    across, down = -(-width // (8 * sampling[0][0])), -(-height // (8 * sampling[0][1]))
    planes = tuple(
        Plane(id_, x, y, steps[table], np.zeros((down * y, across * x, 64), np.int16))
        for (id_, _, table), (x, y) in zip(parts, sampling, strict=True)
    )
    return Jpeg(width, height, planes, is_rgb=False)


def _scan(jpeg: Jpeg, body: bytes, *, progressive: bool) -> _Scan:
    ids = [plane.id for plane in jpeg.planes]
    parts = [struct.unpack_from(">BB", body, 1 + 2 * number) for number in range(body[0])]
    chosen = [ids.index(id_) for id_, _ in parts]
    first, last, bits = struct.unpack_from(">BBB", body, 1 + 2 * body[0])
    high, low = bits >> 4, bits & 15
    if progressive:
        is_sound = (first == last == 0) or (0 < first <= last <= 63 and len(chosen) == 1)
        is_sound = is_sound and low <= 13 and high in {0, low + 1}
    else:
        is_sound = (first, last, bits) == (0, 63, 0)
    if not is_sound or len(set(chosen)) != len(chosen):
        raise _NotOurs
    tables = [((0, 1, 2, 3)[number >> 4], 4 + (0, 1, 2, 3)[number & 15]) for _, number in parts]
    return _Scan(chosen, tables, np.array([progressive, first, last, high, low]))


def _read(data: bytes, coefficients: NDArray[np.int16], jpeg: Jpeg, scan: "_Scan", tables: "_Tables") -> None:
    planes = [jpeg.planes[number] for number in scan.planes]
    interleaved = len(planes) > 1
    layout = _layout(jpeg, planes, interleaved=interleaved)
    layout[:, 4:] = scan.codes
    grid = _grid(jpeg) if interleaved else _grid_alone(jpeg, planes[0])
    bits, begins = unstuffed(np.frombuffer(data, np.uint8))
    flat = coefficients.reshape(-1)
    if not read_scan(bits, begins, flat, layout, grid, scan.band, tables.restart, tables.codes):
        raise _NotOurs


def _is_complete(jpeg: Jpeg, scans: list[_Scan], *, progressive: bool) -> bool:
    beginnings = [plane for scan in scans if scan.band[1] == 0 for plane in scan.planes]
    if not progressive:
        return sorted(beginnings) == list(range(len(jpeg.planes)))
    return set(beginnings) == set(range(len(jpeg.planes)))


def _is_rgb(jpeg: Jpeg, marks: dict[int, bytes]) -> bool:
    """As libjpeg decides it: JFIF has brightness and colours; Adobe says what it has; else the numbers tell."""
    if len(jpeg.planes) == 1 or marks.get(_JFIF, b"").startswith(b"JFIF\0"):
        return False
    adobe = marks.get(_ADOBE, b"")
    if adobe.startswith(b"Adobe") and len(adobe) >= 12:
        if adobe[11] > 1:
            raise _NotOurs
        return adobe[11] == 0
    if [plane.id for plane in jpeg.planes] != [1, 2, 3]:
        raise _NotOurs
    return False


def _layout(jpeg: Jpeg, planes: "tuple[Plane, ...] | list[Plane]", *, interleaved: bool) -> Numbers:
    """For each plane of a scan: its first block, blocks in a row, blocks of a unit across and down, DC and AC table."""
    sizes = [plane.blocks.shape[0] * plane.blocks.shape[1] for plane in jpeg.planes]
    starts = dict(zip((plane.id for plane in jpeg.planes), np.cumsum([0, *sizes[:-1]]), strict=True))
    rows = []
    for plane in planes:
        wide, high = (plane.across, plane.down) if interleaved else (1, 1)
        own = plane.id != jpeg.planes[0].id
        rows.append((starts[plane.id], plane.blocks.shape[1], wide, high, own, 2 + own))
    return np.array(rows, np.int64)


def _grid(jpeg: Jpeg) -> Numbers:
    return np.array([-(-jpeg.width // jpeg.unit[0]), -(-jpeg.height // jpeg.unit[1])])


def _grid_alone(jpeg: Jpeg, plane: Plane) -> Numbers:
    """A plane that is coded by itself has no more blocks than it needs."""
    most_across, most_down = jpeg.planes[0].across, jpeg.planes[0].down
    width, height = -(-jpeg.width * plane.across // most_across), -(-jpeg.height * plane.down // most_down)
    return np.array([-(-width // 8), -(-height // 8)])


def _flat(planes: tuple[Plane, ...]) -> NDArray[np.int16]:
    return np.concatenate([plane.blocks.reshape(-1, 64) for plane in planes])


def _unflat(coefficients: NDArray[np.int16], planes: tuple[Plane, ...]) -> tuple[Plane, ...]:
    start, filled = 0, []
    for plane in planes:
        rows, columns = plane.blocks.shape[:2]
        blocks = coefficients[start : start + rows * columns].reshape(rows, columns, 64)
        filled.append(replace(plane, blocks=blocks))
        start += rows * columns
    return tuple(filled)


def _head(jpeg: Jpeg, profile: bytes | None) -> Iterator[bytes]:
    if jpeg.is_rgb:
        yield _segment(_ADOBE, b"Adobe\0\x64\0\0\0\0\0")
    else:
        yield _segment(_JFIF, b"JFIF\0\1\1\0\0\1\0\1\0\0")
    parts = [
        (profile or b"")[at : at + _MOST_IN_SEGMENT] for at in range(0, len(profile or b""), _MOST_IN_SEGMENT)
    ]
    for number, part in enumerate(parts, start=1):
        yield _segment(_PROFILE, b"ICC_PROFILE\0" + bytes([number, len(parts)]) + part)
    tables = _distinct([plane.steps for plane in jpeg.planes])
    deep = max(int(table.max()) for table in tables) > 255
    for number, table in enumerate(tables):
        values = table.reshape(64)[ZIGZAG].astype(">u2" if deep else np.uint8)
        yield _segment(_STEPS, bytes([deep << 4 | number]) + values.tobytes())
    frame = struct.pack(">BHHB", 8, jpeg.height, jpeg.width, len(jpeg.planes))
    for number, plane in enumerate(jpeg.planes, start=1):
        table_at = next(at for at, table in enumerate(tables) if np.array_equal(table, plane.steps))
        frame += bytes([_id(jpeg, number), plane.across << 4 | plane.down, table_at])
    yield _segment(_SEQUENTIAL[deep], frame)


def _id(jpeg: Jpeg, number: int) -> int:
    return b"\0RGB"[number] if jpeg.is_rgb else number


def _distinct(tables: list[Numbers]) -> list[Numbers]:
    kept: list[Numbers] = []
    for table in tables:
        if not any(np.array_equal(table, other) for other in kept):
            kept.append(table)
    return kept


def _numbered(number: int, counts: bytes, symbols: bytes) -> bytes:
    """A table of codes as the file holds it; of our four, two are for DC and two for AC."""
    return bytes([(number // 2) << 4 | number % 2]) + counts + symbols


def _as_codes(counts: bytes, symbols: bytes) -> Numbers:
    """For each symbol the length of its code, and the code (T.81, C.2)."""
    codes = np.zeros((256, 2), np.int64)
    code = number = 0
    for length, count in enumerate(counts, start=1):
        for symbol in symbols[number : number + count]:
            codes[symbol] = length, code
            code += 1
        number += count
        code <<= 1
    return codes


def _scan_header(jpeg: Jpeg) -> bytes:
    own = [bytes([_id(jpeg, number), 0x11 if number > 1 else 0]) for number in range(1, len(jpeg.planes) + 1)]
    return bytes([len(own)]) + b"".join(own) + b"\0\x3f\0"


def _segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body
