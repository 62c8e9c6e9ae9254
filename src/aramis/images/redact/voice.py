"""A voice made another's: the McAdams coefficient, which moves the formants by bending the angles of the poles of speech.

Speech is cut into overlapping frames; each is split by linear prediction into a source (the buzz of the voice, kept) and a
filter (the shape of throat and mouth). The angle of every pole of the filter is raised to a power, which moves the
resonances that make a voice somebody's, and the frame is put together again. Patino, Tomashenko, Todisco, Nautsch, Evans,
"Speaker anonymisation using the McAdams coefficient", Interspeech 2021.

What it does not hide: what is said, how it is said (words, accent, rhythm, pauses) and the pitch. Who knows the speaker
may still know them, and a program that is trained on voices so changed recognises more than one that is not.
"""

import secrets
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

RATE = 16_000
FRAME = 400  # 25 ms, over which speech stands still
HOP = FRAME // 2
ORDER = 20  # poles: one pair for each kilohertz and two to spare
COEFFICIENTS = (
    (0.70, 0.82),
    (1.16, 1.26),
)  # nearer to 1 a voice stays its own, farther it is hard to understand
QUIET = 1e-9  # energy below which there is no voice to change


def disguise(coefficient: float | None = None) -> Callable[[Samples | None], Samples]:
    """Begin a voice: the function it gives takes 16 kHz samples and gives as many, late by a frame; None asks for the rest.

    Without a coefficient one is drawn at random, for each voice anew, and told to nobody: who knew it could undo the change.

    >>> import numpy as np
    >>> voice = disguise(0.8)
    >>> heard = np.sin(np.arange(16_000) / 20, dtype=np.float32)
    >>> len(voice(heard)) + len(voice(None))
    16000
    """
    chosen = drawn() if coefficient is None else coefficient
    # half a frame of silence stands before the first sample, so that it too lies under two frames
    waiting, spoken, ahead = np.zeros(HOP, np.float32), np.zeros(HOP, np.float32), HOP
    owed = 0

    def speak(samples: Samples | None) -> Samples:
        nonlocal waiting, spoken, ahead, owed
        owed += 0 if samples is None else len(samples)
        waiting = np.concatenate([waiting, np.zeros(FRAME + HOP, np.float32) if samples is None else samples])
        count = (len(waiting) - FRAME) // HOP + 1
        if count < 1:
            return np.zeros(0, np.float32)
        frames = np.lib.stride_tricks.sliding_window_view(waiting, FRAME)[: count * HOP : HOP]
        said, spoken = _overlapped(_bent(frames, chosen), spoken)
        waiting = waiting[count * HOP :]
        said, ahead = said[ahead:], max(0, ahead - len(said))
        said = said[:owed]
        owed -= len(said)
        return said

    return speak


def drawn() -> float:
    """A coefficient at random, so that a low voice is as likely as a high one."""
    low, high = secrets.choice(COEFFICIENTS)
    return low + (high - low) * secrets.randbelow(10_001) / 10_000


def _overlapped(frames: NDArray[np.float64], before: Samples) -> tuple[Samples, Samples]:
    """Add each frame's first half to the second half of the one before; give what is whole, and the last half."""
    halves = frames.reshape(-1, 2, HOP).astype(np.float32)
    said = halves[:, 0].copy()
    said[0] += before
    said[1:] += halves[:-1, 1]
    return said.ravel(), halves[-1, 1]


def _bent(frames: NDArray[np.float32], coefficient: float) -> NDArray[np.float64]:
    """Each frame with the angles of its poles raised to a power, under a window whose halves add up to one."""
    window = np.sqrt(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME))
    return (
        np.stack([_bent_frame(frame * window, coefficient) for frame in frames.astype(np.float64)]) * window
    )


def _bent_frame(frame: NDArray[np.float64], coefficient: float) -> NDArray[np.float64]:
    from scipy.linalg import solve_toeplitz  # type: ignore[import-untyped]
    from scipy.signal import lfilter  # type: ignore[import-untyped]

    echoes = np.correlate(frame, frame, "full")[FRAME - 1 : FRAME + ORDER]
    if echoes[0] < QUIET * FRAME:
        return frame
    echoes[0] *= 1 + 1e-6  # keeps the poles inside the circle
    filters = np.concatenate([[1.0], -solve_toeplitz(echoes[:-1], echoes[1:])])
    source = lfilter(filters, [1.0], frame)
    bent = lfilter([1.0], _with_bent_poles(filters, coefficient), source)
    loudness: float = np.sqrt(echoes[0] / max(float(bent @ bent), 1e-12))
    return np.asarray(bent * min(loudness, 4.0))


def _with_bent_poles(filters: NDArray[np.float64], coefficient: float) -> NDArray[np.float64]:
    poles = np.roots(filters)
    angles, radii = np.angle(poles), np.minimum(np.abs(poles), 0.995)
    rings = np.abs(poles.imag) > 1e-9  # real poles are no resonance
    bent = np.sign(angles) * np.minimum(np.abs(angles) ** coefficient, np.pi - 0.01)
    return np.real(np.poly(np.where(rings, radii * np.exp(1j * bent), poles)))
