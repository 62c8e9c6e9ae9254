"""A network takes pixels of any size, from several threads, and prepares them itself."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import utime
from pathlib import Path

import numpy as np
import openvino
import pytest
from openvino import opset13 as ops

from aramis.errors import BadInput
from aramis.images.network import Network, inside_seconds, padded

ROOT = Path(__file__).parents[2]


def mirror() -> openvino.Model:
    """A network that gives back what it was given."""
    given = ops.parameter([1, 3, 32, 32], np.float32, "pixels")
    same = ops.abs(ops.negative(ops.negative(given)))
    same.output(0).set_names({"same"})
    return openvino.Model([same], [given], "mirror")


def picture(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (1, height, width, 3), dtype=np.uint8)


@pytest.mark.parametrize("size", [(32, 32), (64, 96), (1, 1), (33, 7)])
def test_any_size_goes_in(size: tuple[int, int]) -> None:
    pixels = picture(*size)
    assert np.array_equal(Network(mirror())(pixels)["same"], pixels.transpose(0, 3, 1, 2))


def test_the_network_prepares_the_pixels_itself() -> None:
    pixels = picture(8, 8)
    given = Network(mirror(), mean=(1, 2, 3), scale=4, bgr=True)(pixels)["same"]
    wanted = np.abs(pixels[..., ::-1] - np.array([1.0, 2.0, 3.0])) / 4
    np.testing.assert_allclose(given, wanted.transpose(0, 3, 1, 2), atol=1e-6)


def test_raw_numbers_go_in_as_they_are() -> None:
    numbers = np.linspace(0, 1, 3 * 32 * 32, dtype=np.float32).reshape(1, 3, 32, 32)
    assert np.array_equal(Network(mirror(), raw=True)(numbers)["same"], numbers)


def test_several_threads_get_their_own_answers() -> None:
    network = Network(mirror(), threads=2)
    pictures = [picture(32, 32 + n) for n in range(40)]
    with ThreadPoolExecutor(4) as pool:
        given = list(pool.map(lambda pixels: network(pixels)["same"], pictures))
    assert all(np.array_equal(a, b.transpose(0, 3, 1, 2)) for a, b in zip(given, pictures, strict=True))


def test_an_answer_stays_when_the_next_one_comes() -> None:
    network = Network(mirror())
    first = network(picture(4, 4))["same"]
    kept = first.copy()
    network(np.zeros((1, 4, 4, 3), np.uint8))
    assert np.array_equal(first, kept)


def test_the_time_inside_is_counted() -> None:
    before = inside_seconds()
    Network(mirror())(picture(64, 64))
    assert inside_seconds() > before


def test_what_is_compiled_is_shared_by_all_who_look_with_one_file_in_one_way(tmp_path: Path) -> None:
    file = tmp_path / "mirror.xml"
    openvino.save_model(mirror(), file)
    first = Network(file, bgr=True)
    assert Network(file, bgr=True).compiled is first.compiled
    assert Network(file).compiled is not first.compiled
    assert np.array_equal(Network(file)(picture(4, 4))["same"], picture(4, 4).transpose(0, 3, 1, 2))


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mirror.xml"
    openvino.save_model(mirror(), file)
    first = Network(file)
    utime(file, ns=(0, 0))
    assert Network(file).compiled is not first.compiled


def test_a_file_that_is_no_network_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "face.onnx").write_bytes(b"not a network")
    with pytest.raises(BadInput, match=r"face\.onnx is not a network"):
        Network(tmp_path / "face.onnx")


def test_padding_adds_black_on_the_right_and_at_the_bottom() -> None:
    pixels = picture(30, 64)[0]
    wider = padded(pixels)
    assert wider.shape == (32, 64, 3)
    assert np.array_equal(wider[:30], pixels)
    assert not wider[30:].any()
    assert padded(wider) is wider


TOGETHER = """
import sys, threading
import numpy as np
from aramis.images.network import Network
from tests.images.test_network import mirror, picture

sys.setswitchinterval(1e-6)
network, start = Network(mirror()), threading.Barrier(24)
def first():
    start.wait()
    network(picture(8, 8))
threads = [threading.Thread(target=first) for _ in range(24)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_the_first_calls_of_many_threads_do_not_wait_for_each_other_for_ever() -> None:
    # one start in eight hung: several starts, so that it would be seen
    starts = [subprocess.Popen([sys.executable, "-c", TOGETHER], cwd=ROOT) for _ in range(4)]
    assert [start.wait(timeout=60) for start in starts] == [0] * 4
