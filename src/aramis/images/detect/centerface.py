"""CenterFace: a heat map of face centres at stride 4, with sizes, offsets and five landmarks beside it.

Xu, Yan, Cai, Chen, "CenterFace: Joint Face Detection and Alignment Using Face as Point", arXiv:1911.03599.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aramis.images.candidates import Candidates, Look, suppressed
from aramis.images.network import Network, Pixels, padded
from aramis.images.whole_numbers import recorded

STRIDE = 4
OVERLAP = 0.3  # of two faces that overlap more, the better one stays (the authors' value)


def centerface(weights: Path, threads: int = 1) -> Look:
    """A look with CenterFace."""
    network = Network(weights, threads=threads, ranges=recorded(weights))

    def look(pixels: Pixels, floor: float) -> Candidates:
        # the outputs bear numbers for names; their order is the authors'
        given = [array[0] for array in network(padded(pixels)[None]).values()]
        return suppressed(decoded(*given, floor=floor), OVERLAP)

    return look


def decoded(
    heat: NDArray[np.float32],
    size: NDArray[np.float32],
    offset: NDArray[np.float32],
    points: NDArray[np.float32],
    *,
    floor: float,
) -> Candidates:
    """Boxes and landmarks where the heat map reaches `floor`. All maps are (channels, height, width), y before x."""
    rows, columns = np.nonzero(heat[0] >= floor)
    at = (slice(None), rows, columns)
    sizes = np.exp(size[at].astype(np.float64)) * STRIDE
    centres = (np.stack([rows, columns]) + offset[at] + 0.5) * STRIDE
    corner = centres - sizes / 2
    landmarks = points[at].reshape(5, 2, -1) * sizes + corner
    return Candidates(
        np.concatenate([corner[::-1], (corner + sizes)[::-1]]).T,
        heat[0][rows, columns].astype(np.float64),
        landmarks[:, ::-1].transpose(2, 0, 1),
    )
