"""Faces to spare by example: the one in the photograph stays visible and says so; anybody else, and in doubt she too, is hidden."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from aramis.errors import BadInput
from aramis.images.by_hand import SAME_PERSON, Embed, is_spared, spare_faces
from aramis.images.detect.faces import faces
from aramis.images.files import video
from aramis.images.files.jsonl import read_records
from aramis.images.geometry import area
from aramis.images.passes import Detect
from aramis.images.pipeline import redact
from aramis.images.spared import embedder, examples

if TYPE_CHECKING:
    from aramis.images.embedding import Vector
    from aramis.images.records import Target

DATA = Path(os.environ.get("ARAMIS_DATA", Path(__file__).parents[3] / "shared" / "data"))
Pixels = NDArray[np.uint8]


@pytest.fixture(scope="module")
def detect() -> Detect:
    return faces()


@pytest.fixture(scope="module")
def embed() -> Embed:
    return embedder()


@pytest.fixture
def astronaut(photographs: dict[str, NDArray[Any]], tmp_path: Path) -> Path:
    """The folder that holds her photograph, and one of nobody."""
    Image.fromarray(photographs["astronaut"]).save(tmp_path / "eileen.png")
    Image.fromarray(np.full((200, 200, 3), 120, np.uint8)).save(tmp_path / "nobody.png")
    Image.fromarray(np.hstack([photographs["astronaut"]] * 2)).save(tmp_path / "two.png")
    small = cv2.resize(photographs["astronaut"], (160, 160), interpolation=cv2.INTER_AREA)
    Image.fromarray(np.asarray(small)).save(tmp_path / "small.png")
    (tmp_path / "text.png").write_text("no picture")
    return tmp_path


def ignoring(folder: Path, *names: str) -> Path:
    path = folder / "ignore.json"
    path.write_text(json.dumps({"faces": names}))
    return path


@pytest.mark.parametrize(
    ("what", "change", "stays"),
    [
        ("mirrored, darker and smaller", lambda p: cv2.resize(p[:, ::-1] // 2, (400, 400)), True),
        ("too small to tell", lambda p: cv2.resize(p, (160, 160), interpolation=cv2.INTER_AREA), False),
    ],
)
def test_who_is_in_the_photograph_stays_visible_where_she_can_be_told(
    what: str, change: Callable[[Any], Any], stays: bool, astronaut: Path, photographs: dict[str, Any]
) -> None:
    picture = np.asarray(change(photographs["astronaut"]), np.uint8)
    (astronaut / "in").mkdir()
    Image.fromarray(picture).save(astronaut / "in" / "a.png")
    for _ in range(2):  # the second goes on with the first
        done = redact(astronaut / "in", astronaut / "out", ignore=ignoring(astronaut, "eileen.png"))
    assert done.images == 1
    (record,) = read_records(astronaut / "out" / "records.jsonl")
    face = max((t for t in record.targets if t.kind == "face"), key=lambda t: area(t.box))
    released = np.asarray(Image.open(astronaut / "out" / "media" / "a.png"))
    x1, y1, x2, y2 = (round(side) for side in face.box)
    assert (released[y1:y2, x1:x2] == picture[y1:y2, x1:x2]).all() == stays, what
    assert (face.method is None, face.extra.get("spared")) == (
        (True, "the face in eileen.png") if stays else (False, None)
    )


def test_in_a_video_she_is_spared_all_along_her_way(astronaut: Path, photographs: dict[str, Any]) -> None:
    av = pytest.importorskip("av")
    with av.open(str(astronaut / "a.mp4"), "w") as out:
        stream: Any = out.add_stream("libx264", rate=10, width=400, height=360, options={"crf": "10"})
        for index in range(8):
            part = np.ascontiguousarray(photographs["astronaut"][:360, 4 * index : 400 + 4 * index])
            out.mux(stream.encode(av.VideoFrame.from_ndarray(part, format="rgb24")))
        out.mux(stream.encode())
    redact(
        astronaut / "a.mp4",
        astronaut / "out",
        targets="face",
        method="solid",
        detect_every=3,
        ignore=ignoring(astronaut, "eileen.png"),
    )
    records = list(read_records(astronaut / "out" / "records.jsonl"))
    assert [[is_spared(t) for t in record.targets] for record in records] == [[True]] * 8
    for before, after in zip(
        video.frames(astronaut / "a.mp4"), video.frames(astronaut / "out" / "media" / "a.mp4"), strict=True
    ):
        assert np.abs(before.pixels.astype(int) - after.pixels).mean() < 4


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobody.png", r"nobody\.png shows no face"),
        ("two.png", r"two\.png shows 2 faces"),
        ("small.png", "too small or turned away; give one from the front, 48 pixels"),
        ("text.png", r"text\.png of a face to spare cannot be read"),
    ],
)
def test_a_photograph_that_is_no_example_is_refused_by_name(
    name: str, sentence: str, astronaut: Path, detect: Detect, embed: Embed
) -> None:
    with pytest.raises(BadInput, match=sentence):
        examples([str(astronaut / name)], detect, embed)


def test_faces_cannot_be_spared_where_none_are_hidden(astronaut: Path) -> None:
    with pytest.raises(BadInput, match="faces are not hidden: targets are plate"):
        redact(astronaut, astronaut / "out", targets="plate", ignore=ignoring(astronaut, "eileen.png"))


@pytest.mark.skipif(not DATA.is_dir(), reason="annotated photographs: ARAMIS_DATA")
def test_no_stranger_in_a_crowd_is_taken_for_another(detect: Detect, embed: Embed) -> None:
    photographs = sorted((DATA / "faces_dlib" / "faces").glob("*.jpg"))[:6]
    people: list[tuple[str, Pixels, Target, Vector]] = []
    for path in photographs:
        pixels = np.asarray(Image.open(path).convert("RGB"))
        known = [(face, embed(pixels, face)) for face in detect(pixels)]
        people += [(path.name, pixels, face, vector) for face, vector in known if vector is not None]
    assert len(people) > 15
    for name, pixels, face, vector in people:
        (itself,) = spare_faces([face], {"itself": vector}, embed, pixels)
        assert is_spared(itself)
        others = {str(i): v for i, (n, _, f, v) in enumerate(people) if n == name and f is not face}
        (among_strangers,) = spare_faces([face], others, lambda *_, v=vector: v, pixels)
        assert not is_spared(among_strangers)
    assert SAME_PERSON > 0.5
