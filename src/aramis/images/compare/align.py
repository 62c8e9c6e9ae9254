"""An original as it would look in somebody's release of it: cropped, turned, resized and coloured like the release.

What is left to differ is then what was redacted. None where the two do not show the same scene.
"""

import numpy as np
from numpy.typing import NDArray

from aramis.images.network import Pixels

Matrix = NDArray[np.float64]

WORKED_AT = 1000.0  # pixels of the longer side in which the two are matched
POINTS = 3000
NEAR = 3.0  # pixels by which two matched points may miss each other
ENOUGH = 20  # points that agree; fewer are chance
ALIKE = 0.8  # correlation that half of all parts of the picture reach: below, the two are different scenes


def aligned(original: Pixels, released: Pixels) -> Pixels | None:
    """The original with the release's size, view and colours; None where they are not of one scene."""
    for matrix in (_scaled(original, released), _matched(original, released)):
        if matrix is not None and likeness(view := _seen_by(original, released, matrix), released) >= ALIKE:
            return coloured(view, released)
    return None


def likeness(one: Pixels, other: Pixels, parts: int = 12) -> float:
    """The median correlation of the parts of two pictures: a redacted part or another light changes it little."""
    import cv2

    grey = [cv2.GaussianBlur(_grey(pixels).astype(np.float32), (0, 0), 2) for pixels in (one, other)]
    rows = zip(*(np.array_split(each, parts, axis=0) for each in grey), strict=True)
    cells = [
        pair for row in rows for pair in zip(*(np.array_split(r, parts, axis=1) for r in row), strict=True)
    ]
    return float(np.median([_correlation(a, b) for a, b in cells if a.size and a.std() > 1] or [0.0]))


def coloured(original: Pixels, released: Pixels, rounds: int = 3) -> Pixels:
    """The original in the release's colours: a linear map fitted to the nine tenths that it fits best."""
    step = max(1, original.shape[0] * original.shape[1] // 50_000)
    given = original.reshape(-1, 3)[::step].astype(np.float64)
    wanted = released.reshape(-1, 3)[::step].astype(np.float64)
    given = np.column_stack([given, np.ones(len(given))])
    kept = np.ones(len(given), bool)
    for _ in range(rounds):
        matrix, *_ = np.linalg.lstsq(given[kept], wanted[kept], rcond=None)
        off = np.abs(given @ matrix - wanted).sum(axis=1)
        kept = off <= np.quantile(off, 0.9)
    after = original.reshape(-1, 3) @ matrix[:3].astype(np.float32) + matrix[3].astype(np.float32)
    return np.asarray(np.clip(np.rint(after), 0, 255), np.uint8).reshape(original.shape)


def _scaled(original: Pixels, released: Pixels) -> Matrix:
    """The map for a release that shows all of the original, at whatever size."""
    x, y = released.shape[1] / original.shape[1], released.shape[0] / original.shape[0]
    return np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2]])


def _matched(original: Pixels, released: Pixels) -> Matrix | None:
    """The turn, scale and shift on which most points of both agree (ORB, RANSAC).

    Rublee et al., "ORB: an efficient alternative to SIFT or SURF", ICCV 2011.
    """
    import cv2

    finder = cv2.ORB.create(POINTS)
    scales = [min(1.0, WORKED_AT / max(pixels.shape[:2])) for pixels in (original, released)]
    seen = [
        finder.detectAndCompute(
            cv2.resize(_grey(pixels), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), None
        )
        for pixels, scale in zip((original, released), scales, strict=True)
    ]
    if any(described is None for _, described in seen):
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(seen[0][1], seen[1][1])
    if len(pairs) < ENOUGH:
        return None
    here, there = (
        np.array([seen[side][0][index].pt for index in places]) / scales[side]
        for side, places in enumerate([[p.queryIdx for p in pairs], [p.trainIdx for p in pairs]])
    )
    near = NEAR / min(scales)
    matrix, agree = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=near, maxIters=5000)
    if matrix is None or int(agree.sum()) < ENOUGH:
        return None
    return _refined(original, released, np.asarray(matrix, np.float64))


def _refined(original: Pixels, released: Pixels, matrix: Matrix) -> Matrix:
    """The same map to a fraction of a pixel (ECC), where that can be had.

    Evangelidis, Psarakis, "Parametric image alignment using enhanced correlation coefficient maximization", PAMI 2008.
    """
    import cv2

    view = _seen_by(original, released, matrix)
    scale = min(1.0, WORKED_AT / max(released.shape[:2]))
    small = [
        cv2.resize(_grey(pixels), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        for pixels in (released, view)
    ]
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 50, 1e-5)
    try:
        _, warp = cv2.findTransformECC(
            small[0], small[1], np.eye(2, 3, dtype=np.float32), cv2.MOTION_AFFINE, stop
        )
    except cv2.error:  # it does not converge: the map stays as exact as the points made it
        return matrix
    fine = np.asarray(warp, np.float64) / [1, 1, scale]
    whole = np.vstack([np.asarray(cv2.invertAffineTransform(fine)), [0, 0, 1]]) @ np.vstack(
        [matrix, [0, 0, 1]]
    )
    return np.asarray(whole[:2])


def _seen_by(original: Pixels, released: Pixels, matrix: Matrix) -> Pixels:
    """The original through a map, averaged where it is made smaller."""
    import cv2

    height, width = released.shape[:2]
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if np.allclose(matrix, np.eye(2, 3)) and original.shape == released.shape:
        return original
    softened = cv2.GaussianBlur(original, (0, 0), 0.5 / scale) if scale < 0.75 else original
    view = cv2.warpAffine(
        softened, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(view, np.uint8)


def _grey(pixels: Pixels) -> NDArray[np.uint8]:
    import cv2

    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)


def _correlation(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    spread = float(a.std() * b.std())
    return float(((a - a.mean()) * (b - b.mean())).mean() / spread) if spread > 0 else 0.0
