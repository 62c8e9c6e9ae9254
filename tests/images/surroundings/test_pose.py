"""Points of a pose come back to where they are in the picture."""

import numpy as np
import pytest

from aramis.images.surroundings.pose import frame, points


@pytest.mark.parametrize("box", [(0, 0, 192, 256), (10, 20, 60, 220), (100, 100, 500, 150)])
def test_the_middle_of_a_crop_is_the_middle_of_its_box(box: tuple[float, ...]) -> None:
    across, down = np.zeros((26, 384), np.float32), np.zeros((26, 512), np.float32)
    across[:, 192], down[:, 256] = 0.9, 0.7
    found = points(across, down, *frame(np.array(box, float)))
    middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, 0.7]
    np.testing.assert_allclose(found, np.tile(middle, (26, 1)), atol=1e-6)
