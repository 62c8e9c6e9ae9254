"""The bits of a JPEG's scans ⇄ its coefficients, compiled: sequential and progressive in, sequential out.

ITU-T T.81: sections F.1 and F.2 (sequential), G.1 and G.2 (progressive), K.2 (the best codes for what is written). Bytes
come from strangers: every index is checked here, and a stream that is not as the standard says gives False, not pixels.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

ZIGZAG = np.array(
    [
        *(0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5),
        *(12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28),
        *(35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51),
        *(58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63),
    ]
)
LONGEST_CODE = 16
LARGEST_DC, LARGEST_AC = 2047, 1023  # of 8-bit pictures: 11 and 10 bits
PADDING = 512  # zero bytes after a scan, more than a block can take: its end is looked for once a block

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


def _inlined(function: Callable[..., Any]) -> Any:
    return njit(inline="always")(function)


def _compiled(function: Callable[..., Any]) -> Any:
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # there is no folder where compiled code could be kept
        return njit(nogil=True)(function)


def lookup(counts: bytes, symbols: bytes) -> NDArray[np.uint16]:
    """A table of codes as 65536 answers to "what do the next 16 bits begin with": length << 8 | symbol, 0 for nothing."""
    table = np.zeros(1 << LONGEST_CODE, np.uint16)
    place = number = 0
    for length, count in enumerate(counts, start=1):
        width = 1 << (LONGEST_CODE - length)
        for symbol in symbols[number : number + count]:
            table[place : place + width] = length << 8 | symbol
            place += width
        number += count
    return table


@_compiled
def unstuffed(scan: Bytes) -> tuple[Bytes, Numbers]:
    """The bits of a scan without the zeros after 0xFF and without restart markers, and the bit at which each part begins."""
    bits = np.zeros(len(scan) + PADDING, np.uint8)
    begins = [0]
    at = place = 0
    while place < len(scan):
        byte, after = scan[place], scan[min(place + 1, len(scan) - 1)]
        if byte == 0xFF and after & 0xF8 == 0xD0:
            begins.append(8 * at)
            place += 2
            continue
        bits[at] = byte
        at += 1
        place += 2 if byte == 0xFF and after == 0 else 1
    return bits[: at + PADDING], np.array(begins)


@_compiled
def read_scan(
    data: Bytes,
    begins: Numbers,
    coefficients: NDArray[np.int16],
    layout: Numbers,
    grid: Numbers,
    band: Numbers,
    restart: int,
    codes: NDArray[np.uint16],
) -> bool:
    """Read one scan into the coefficients, 64 a block, in zigzag order; False where it is not as it should be.

    `layout` has a row for each component of the scan: first block, blocks in a row, columns and rows of blocks in a unit,
    its DC table, its AC table. `grid` is how many units there are across and down; `band` is whether the file is
    progressive, the first and last coefficient, and the bits that came before and that are left (Ss, Se, Ah, Al).
    """
    limit = 8 * (len(data) - PADDING)
    before = np.zeros(len(layout), np.int64)
    at = run = part = 0
    for unit in range(grid[0] * grid[1]):
        if restart and unit and unit % restart == 0:
            part += 1
            if part >= len(begins) or at > begins[part]:
                return False
            at, run = begins[part], 0
            before[:] = 0
        across, down = unit % grid[0], unit // grid[0]
        for plane in range(len(layout)):
            start, columns, wide, high, dc, ac = layout[plane]
            for block in range(wide * high):
                base = start + (down * high + block // wide) * columns + across * wide + block % wide
                base *= 64
                if at > limit or base + 64 > len(coefficients):
                    return False
                at, run, before[plane] = _block(
                    data, at, run, coefficients, base, band, before[plane], codes[dc], codes[ac]
                )
                if at < 0:
                    return False
    return bool(at <= limit)


@_compiled
def _block(
    data: Any, at: Any, run: Any, coefficients: Any, base: Any, band: Any, before: Any, dc: Any, ac: Any
) -> Any:
    """Where reading goes on (below 0: nowhere), how many of the next blocks have nothing here, and the DC for the next."""
    progressive, first, last, high, low = band
    if first == 0 and high == 0:
        at, change = _dc(data, at, dc)
        before += change
        if at < 0 or abs(before << low) > LARGEST_DC:
            return -1, 0, 0
        coefficients[base] = before << low
    elif first == 0:
        coefficients[base] |= (_peek(data, at) >> 15) << low
        at += 1
    if last and high == 0 and run:
        run -= 1
    elif last and high == 0:
        at, run = _ac(data, at, coefficients, base, max(first, 1), last, low, progressive, ac)
    elif last:
        at, run = _ac_again(data, at, coefficients, base, first, last, 1 << low, run, ac)
    return at, run, before


@_inlined
def _peek(data: Any, at: Any) -> Any:
    """The 16 bits at a place."""
    byte = at >> 3
    three = np.int64(data[byte]) << 16 | np.int64(data[byte + 1]) << 8 | np.int64(data[byte + 2])
    return (three >> (8 - (at & 7))) & 0xFFFF


@_inlined
def _signed(value: Any, size: Any) -> Any:
    return value if size == 0 or value >= 1 << (size - 1) else value - (1 << size) + 1


@_compiled
def _dc(data: Any, at: Any, codes: Any) -> Any:
    """Where reading goes on (below 0: nowhere), and by how much the mean of a block differs from that before."""
    answer = np.int64(codes[_peek(data, at)])
    size = answer & 0xFF
    if answer == 0 or size > 11:
        return -1, 0
    at += answer >> 8
    return at + size, _signed(_peek(data, at) >> (16 - size), size)


@_compiled
def _ac(
    data: Any,
    at: Any,
    coefficients: Any,
    base: Any,
    first: Any,
    last: Any,
    low: Any,
    progressive: Any,
    codes: Any,
) -> Any:
    """Where reading goes on, and how many of the next blocks have nothing in this band."""
    place = first
    while place <= last:
        answer = np.int64(codes[_peek(data, at)])
        if answer == 0:
            return -1, 0
        at += answer >> 8
        zeros, size = (answer >> 4) & 15, answer & 15
        if size == 0:
            if zeros == 15:
                place += 16
                continue
            if zeros and not progressive:
                return -1, 0
            return at + zeros, (1 << zeros) - 1 + (_peek(data, at) >> (16 - zeros))
        place += zeros
        if place > last or size + low > 10:
            return -1, 0
        coefficients[base + place] = _signed(_peek(data, at) >> (16 - size), size) << low
        at += size
        place += 1
    return at, 0


@_compiled
def _ac_again(
    data: Any, at: Any, coefficients: Any, base: Any, first: Any, last: Any, bit: Any, run: Any, codes: Any
) -> Any:
    """One bit more for what is there already, and what becomes visible with it."""
    place = first
    while place <= last and run == 0:
        answer = np.int64(codes[_peek(data, at)])
        if answer == 0 or answer & 15 > 1:
            return -1, 0
        at += answer >> 8
        zeros, value = (answer >> 4) & 15, 0
        if answer & 15:
            value = bit if _peek(data, at) >> 15 else -bit
            at += 1
        elif zeros < 15:
            run = (1 << zeros) + (_peek(data, at) >> (16 - zeros))
            at += zeros
            break
        while place <= last:  # past zeros that stay zero, and the others
            index = base + place
            if coefficients[index] != 0:
                at = _one_more(data, at, coefficients, index, bit)
            else:
                if zeros == 0:
                    break
                zeros -= 1
            place += 1
        if value != 0:
            if place > last:
                return -1, 0
            coefficients[base + place] = value
        place += 1
    if run == 0:
        return at, 0
    for rest in range(place, last + 1):
        if coefficients[base + rest] != 0:
            at = _one_more(data, at, coefficients, base + rest, bit)
    return at, run - 1


@_inlined
def _one_more(data: Any, at: Any, coefficients: Any, index: Any, bit: Any) -> Any:
    value = coefficients[index]
    if _peek(data, at) >> 15 and not abs(value) & bit:
        coefficients[index] = value + bit if value > 0 else value - bit
    return at + 1


@_compiled
def words(
    coefficients: NDArray[np.int16], fours: Numbers, layout: Numbers, grid: Numbers
) -> NDArray[np.uint32]:
    """What one sequential scan of all components says: table << 24 | symbol << 16 | the bits that follow its code.

    `fours` is the same memory, four coefficients at once: most are zero. Empty where a coefficient is too large.
    """
    said = np.empty(np.count_nonzero(coefficients) + 5 * (len(coefficients) >> 6), np.uint32)
    before = np.zeros(len(layout), np.int64)
    count = 0
    for unit in range(grid[0] * grid[1]):
        across, down = unit % grid[0], unit // grid[0]
        for plane in range(len(layout)):
            start, columns, wide, high, dc, ac = layout[plane]
            for block in range(wide * high):
                base = start + (down * high + block // wide) * columns + across * wide + block % wide
                base *= 64
                change = np.int64(coefficients[base]) - before[plane]
                before[plane] += change
                if abs(change) > LARGEST_DC:
                    return said[:0]
                said[count] = _word(dc, 0, change)
                count += 1
                last, place = 0, 1
                while place < 64:
                    if place & 3 == 0 and fours[(base + place) >> 2] == 0:
                        place += 4
                        continue
                    value = np.int64(coefficients[base + place])
                    if value != 0:
                        if abs(value) > LARGEST_AC:
                            return said[:0]
                        zeros = place - last - 1
                        while zeros > 15:
                            said[count] = ac << 24 | 0xF0 << 16
                            count, zeros = count + 1, zeros - 16
                        said[count] = _word(ac, zeros, value)
                        count += 1
                        last = place
                    place += 1
                if last < 63:
                    said[count] = ac << 24
                    count += 1
    return said[:count]


@_inlined
def _word(table: Any, zeros: Any, value: Any) -> Any:
    size, rest = 0, abs(value)
    while rest:
        size += 1
        rest >>= 1
    bits = value if value >= 0 else value + (1 << size) - 1
    return table << 24 | zeros << 20 | size << 16 | bits


@_compiled
def written(said: NDArray[np.uint32], lengths: Numbers, codes: Numbers) -> Bytes:
    """The bytes of a scan, for codes by table << 8 | symbol."""
    total = 0
    for word in said:
        total += lengths[word >> 16] + ((word >> 16) & 15)
    out = np.empty(total // 4 + 16, np.uint8)  # twice the bits: each byte may need a zero after it
    at = bits = count = 0
    for word in said:
        symbol = word >> 16
        size = symbol & 15
        bits = ((bits << (lengths[symbol] + size)) | (codes[symbol] << size) | (word & 0xFFFF)) & 0xFFFFFFFFFF
        count += lengths[symbol] + size
        while count >= 8:
            count -= 8
            byte = (bits >> count) & 0xFF
            out[at] = byte
            at += 1
            if byte == 0xFF:
                out[at] = 0
                at += 1
    if count:
        out[at] = ((bits << (8 - count)) | (0xFF >> count)) & 0xFF
        at += 1
        if out[at - 1] == 0xFF:
            out[at] = 0
            at += 1
    return out[:at]


def best_codes(counts: Numbers) -> tuple[bytes, bytes]:
    """How many codes there are of each length, and the symbols in their order (T.81, K.2), for these 256 counts."""
    lengths = _lengths(np.append(counts, 1))  # one more, so that no code is all ones
    per_length = np.bincount(lengths[lengths > 0], minlength=LONGEST_CODE + 1)
    for length in range(len(per_length) - 1, LONGEST_CODE, -1):
        while per_length[length]:
            shorter = length - 2
            while not per_length[shorter]:
                shorter -= 1
            per_length[length] -= 2
            per_length[length - 1] += 1
            per_length[shorter + 1] += 2
            per_length[shorter] -= 1
    per_length[np.flatnonzero(per_length)[-1]] -= 1  # the one that was added
    order = np.argsort(lengths[:256], kind="stable")
    used = order[lengths[order] > 0]
    return bytes(per_length[1 : LONGEST_CODE + 1].astype(np.uint8)), bytes(used.astype(np.uint8))


@_compiled
def _lengths(counts: Any) -> Any:
    """The length of each symbol's code in a Huffman tree."""
    weights = counts.copy()
    lengths = np.zeros(len(counts), np.int64)
    others = np.full(len(counts), -1, np.int64)
    while True:
        least = second = -1
        for symbol in range(len(weights)):
            if weights[symbol] > 0:
                if least < 0 or weights[symbol] <= weights[least]:
                    second, least = least, symbol
                elif second < 0 or weights[symbol] <= weights[second]:
                    second = symbol
        if second < 0:
            return lengths
        weights[least] += weights[second]
        weights[second] = 0
        lengths[least] += 1
        while others[least] >= 0:
            least = others[least]
            lengths[least] += 1
        others[least] = second
        lengths[second] += 1
        while others[second] >= 0:
            second = others[second]
            lengths[second] += 1
