"""The one thing that is read from EXIF before all of it is dropped: which way up the picture is shown."""

import struct


def orientation(exif: bytes | None) -> int:
    """1 to 8 (EXIF 2.32, section 4.6.4); 1 where nothing sensible is said."""
    tiff = (exif or b"").removeprefix(b"Exif\x00\x00")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, start)
        entries = (struct.unpack_from(f"{order}HHIH", tiff, start + 2 + 12 * n) for n in range(count))
        value = next((value for tag, _, _, value in entries if tag == 0x0112), 1)
    except struct.error:
        return 1
    return value if 1 <= value <= 8 else 1
