"""Text in a picture: where lines of it are, and what they say. Letters A to Z and digits: that is what plates are made of.

 pixels ─▶ lines ─corners─▶ straightened, 48 px high ─▶ reading ─▶ text, how sure

PP-OCRv6 as RapidOCR carries it. Lines: Liao, Wan, Yao, Chen, Bai, "Real-time Scene Text Detection with Differentiable
Binarization", AAAI 2020. Their letters: Graves et al., "Connectionist Temporal Classification", ICML 2006.
"""

from collections.abc import Callable, Iterator
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.network import Network, Pixels, padded
from aramis.images.records import Corners


class Text(NamedTuple):
    """What a line says, and how sure the network is of the least sure of its signs."""

    signs: str
    score: float


Lines = Callable[[Pixels], list[Corners]]
"""Where lines of text are, each by four corners, clockwise from the top left."""
Reading = Callable[[Pixels, Corners], Text]
"""What is written between four corners."""

HEIGHT = 48  # pixels that the network reads at
LONGEST = 40  # heights: nobody writes a plate longer than this
IS_TEXT, LINE_SCORE = 0.3, 0.5  # of a pixel, of a line
GROWN = 1.6  # the network marks the core of a line; this much of its area over its outline is around it
LEAST_PX = 3
SIGNS = digits + ascii_uppercase + ascii_lowercase
FIRST = 33  # the place of `0` among the network's 18,710 signs; 0 is no sign, 1 to 32 are punctuation


def lines(threads: int = 1) -> Lines:
    """What finds lines of text."""
    network = Network(cards.path("text-lines"), threads=threads, mean=(127.5,) * 3, scale=127.5)

    def find(pixels: Pixels) -> list[Corners]:
        height, width = pixels.shape[:2]
        shown = next(iter(network(padded(pixels)[None]).values()))[0, 0, :height, :width]
        return list(_lines(shown))

    return find


def reading(threads: int = 1) -> Reading:
    """What reads a line of text."""
    network = Network(cards.path("text-reading"), threads=threads, mean=(127.5,) * 3, scale=127.5)

    def read(pixels: Pixels, corners: Corners) -> Text:
        return _decoded(next(iter(network(straightened(pixels, corners)[None]).values()))[0])

    return read


def straightened(pixels: Pixels, corners: Corners) -> Pixels:
    """What lies between four corners, from the front, as high as the network reads."""
    quad = np.array(corners, np.float32)
    side = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    wide, tall = max(side[0], side[2]), max(side[1], side[3], 1.0)
    width = round(min(max(HEIGHT * wide / tall, HEIGHT), LONGEST * HEIGHT))
    ends = np.array([[0, 0], [width, 0], [width, HEIGHT], [0, HEIGHT]], np.float32)
    warp = cv2.getPerspectiveTransform(quad, ends)
    front = cv2.warpPerspective(
        pixels, warp, (width, HEIGHT), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return cast("Pixels", front)


def _lines(sure: NDArray[np.float32]) -> Iterator[Corners]:
    """The lines in a map of how sure each pixel is of being text."""
    outlines, _ = cv2.findContours((sure > IS_TEXT).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        middle, (a, b), angle = cv2.minAreaRect(outline)
        if min(a, b) < LEAST_PX:
            continue
        core = np.asarray(cv2.boxPoints((middle, (a, b), angle)), np.float32)
        if _mean_within(sure, core) >= LINE_SCORE:
            grown = GROWN * a * b / (a + b)  # on both sides together
            yield _clockwise(np.asarray(cv2.boxPoints((middle, (a + grown, b + grown), angle)), np.float32))


def _mean_within(sure: NDArray[np.float32], quad: NDArray[np.float32]) -> float:
    x, y, width, height = cv2.boundingRect(quad)
    x1, y1 = max(x, 0), max(y, 0)
    part = sure[y1 : y + height, x1 : x + width]
    mask = cv2.fillPoly(np.zeros(part.shape, np.uint8), [np.round(quad - [x1, y1]).astype(np.int32)], (1,))
    return float(cv2.mean(part, mask)[0])


def _clockwise(quad: NDArray[np.float32]) -> Corners:
    """From the top left: of the two leftmost corners the upper one comes first."""
    left, right = np.split(quad[np.argsort(quad[:, 0], kind="stable")], 2)
    (a, d), (b, c) = (sorted(side.tolist(), key=lambda corner: corner[1]) for side in (left, right))
    return tuple(a), tuple(b), tuple(c), tuple(d)


def _decoded(given: NDArray[np.float32]) -> Text:
    """The surest sign of each step among those of a plate; steps alike are one, empty ones part."""
    known = given[:, [0, *range(FIRST, FIRST + len(SIGNS))]]
    best = known.argmax(axis=1)
    new = (best > 0) & (np.diff(best, prepend=0) != 0)
    scores = known.max(axis=1)[new]
    return Text(
        "".join(SIGNS[place - 1] for place in best[new]), float(scores.min(initial=1.0)) * bool(scores.size)
    )
