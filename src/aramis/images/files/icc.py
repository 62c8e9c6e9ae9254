"""Colour profiles, kept for their colours and stripped of what they tell: descriptions, copyright, device, date.

A profile written by a calibration tool names the maker, the display, sometimes its owner. Only the tags that turn
numbers into colours are carried over (ICC.1:2022, section 9).
"""

import struct

_COLOUR_TAGS = {
    tag.encode()
    for tag in [
        "rXYZ",
        "gXYZ",
        "bXYZ",
        "rTRC",
        "gTRC",
        "bTRC",
        "kTRC",
        "wtpt",
        "bkpt",
        "chad",
        "lumi",
        "gamt",
        "cicp",
        "A2B0",
        "A2B1",
        "A2B2",
        "A2B3",
        "B2A0",
        "B2A1",
        "B2A2",
        "B2A3",
        "D2B0",
        "D2B1",
        "D2B2",
        "D2B3",
        "B2D0",
        "B2D1",
        "B2D2",
        "B2D3",
    ]
}
_HEADER = 128
_DATE = struct.pack(">6H", 2000, 1, 1, 0, 0, 0)


def nameless(profile: bytes | None) -> bytes | None:
    """The same colours without any text; None where the profile cannot be understood."""
    if not profile:
        return None
    try:
        (count,) = struct.unpack_from(">I", profile, _HEADER)
        table = [struct.unpack_from(">4sII", profile, _HEADER + 4 + 12 * n) for n in range(min(count, 200))]
    except struct.error:
        return None
    kept = {
        tag: profile[start : start + size]
        for tag, start, size in table
        if tag in _COLOUR_TAGS and start + size <= len(profile)
    }
    return _assembled(profile, {**_texts(profile[8]), **kept}) if kept else None


def _assembled(profile: bytes, tags: dict[bytes, bytes]) -> bytes:
    start = _HEADER + 4 + 12 * len(tags)
    places: dict[bytes, int] = {}  # curves that were shared stay shared
    body = b""
    for data in tags.values():
        if data not in places:
            places[data] = start + len(body)
            body += data + bytes(-len(data) % 4)
    table = b"".join(struct.pack(">4sII", tag, places[data], len(data)) for tag, data in tags.items())
    # what stays of the header: version, class, spaces, flags, intent, illuminant; gone: CMM, date, platform,
    # maker, model, attributes' device, creator, identifier
    header = (
        struct.pack(">I4x", start + len(body))
        + profile[8:24]
        + _DATE
        + b"acsp"
        + bytes(4)
        + profile[44:48]
        + bytes(8)
        + profile[56:80]
        + bytes(48)
    )
    return header + struct.pack(">I", len(tags)) + table + body


def _texts(version: int) -> dict[bytes, bytes]:
    """The two tags of text that a profile must have, as its version writes them; all they say is 'colour'."""
    word = "colour"
    if version >= 4:
        text = (
            b"mluc" + struct.pack(">4xII4sII", 1, 12, b"enUS", 2 * len(word), 28) + word.encode("utf-16-be")
        )
        return {b"desc": text, b"cprt": text}
    described = struct.pack(">4xI", len(word) + 1) + word.encode() + bytes(1 + 4 + 4 + 2 + 1 + 67)
    return {b"desc": b"desc" + described, b"cprt": b"text" + bytes(4) + word.encode() + bytes(1)}
