"""What holds for every test."""

from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray
from PIL import Image

from aramis.images import cards

# A law holds however busy the machine is: no test fails for being slow.
settings.register_profile("aramis", deadline=None)
settings.load_profile("aramis")


@pytest.fixture(scope="session")
def photographs() -> dict[str, NDArray[Any]]:
    """The demo's photographs, red first."""
    return {name: np.asarray(Image.open(path).convert("RGB")) for name, path in cards.photographs().items()}


@pytest.fixture(scope="session")
def street(photographs: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """A street with cars."""
    return photographs["street"]
