"""Who finds: a profile, a file, a plugin; and the assessment says so."""

from collections.abc import Callable
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest
from tests.images.fakes import one_face, one_person, photographs
from tests.images.test_yolo import answer, written

from aramis import plugins
from aramis.errors import BadInput
from aramis.images import cards
from aramis.images.models import Models, detector, identity, inspector, used
from aramis.images.pipeline import inspect, redact, release
from aramis.images.weights import sha256

Pixels = np.ndarray[Any, Any]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin `mine` at every door, beside ours."""
    find, names = plugins.find, plugins.names

    def with_mine(kind: str, name: str) -> Callable[..., Any]:
        if name != "mine":
            return find(kind, name)
        return lambda **given: one_face if kind == "detector" else one_person

    monkeypatch.setattr(plugins, "find", with_mine)
    monkeypatch.setattr(plugins, "names", lambda kind: [*names(kind), "mine"])


def test_a_plugin_takes_the_place_of_ours(installed: None) -> None:
    models = Models(face="mine", carrier="mine")
    assert [target.found_by for target in detector(["face"], models, 1)(np.zeros((9, 9, 3), np.uint8))] == [
        "fake"
    ]
    assert inspector(models, 1) is one_person


def test_a_file_of_the_users_is_used_and_named_in_records_and_assessment(tmp_path: Path) -> None:
    own, around = tmp_path / "my faces.onnx", tmp_path / "around.xml"
    copyfile(cards.path("yunet"), own)
    written(
        around, [1, 3, 640, 640], "{0: 'car', 1: 'person', 2: 'tree'}", answer((30, 40, 20, 30, 0, 0.9, 0))
    )
    source = photographs(tmp_path / "photos", 1)
    done = release(
        source, tmp_path / "out", targets="face", face_model=own, carrier_model=around, checks="none"
    )
    assert done.assessment
    assert [(one["name"], one["role"]) for one in done.assessment.models][:2] == [
        ("my faces.onnx", "face"),
        ("around.xml", "person and vehicle"),
    ]
    assert "rtmpose-s" in {one["name"] for one in done.assessment.models[2:]}
    assert done.assessment.models[0]["files"][0]["sha256"] == sha256(own)
    assert done.assessment.people.TDP == 1
    again = inspect(source, tmp_path / "seen", carrier_model=around)
    assert '"found_by":"around.xml"' in (again.folder / "records.jsonl").read_text()


def test_a_carrier_file_that_knows_neither_people_nor_vehicles_is_refused(tmp_path: Path) -> None:
    own = written(tmp_path / "trees.xml", [1, 3, 640, 640], "{0: 'tree'}", answer((30, 40, 20, 30, 0.9)))
    with pytest.raises(BadInput, match=r"knows none of person, bicycle, .*; it knows tree"):
        inspector(Models(carrier=str(own)), 1)


def test_an_assessment_has_the_card_of_every_model_in_use() -> None:
    listed = used(Models(), ["face", "plate", "carrier"])
    assert {"yunet", "centerface", "aramis-plates", "efficientdet-lite2", "rtmpose-s"} <= {
        one["name"] for one in listed
    }
    strong = {one["name"] for one in used(Models("strong"), ["face", "plate", "carrier"])}
    assert {"scrfd", "platedet", "yolo11n"} <= strong
    assert used(Models(), []) == ()


def test_every_model_of_the_strong_profile_has_a_card_that_obliges() -> None:
    for name in {one["name"] for one in used(Models("strong"), ["face", "plate", "carrier"])}:
        card = cards.card(name)
        assert card.profile == "default" or any(
            word in card.licence for word in ("AGPL", "GPL", "non-commercial")
        )


def test_a_run_with_other_models_does_not_go_on(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos", 1)
    redact(source, tmp_path / "out", detect=one_face)
    with pytest.raises(BadInput, match="was begun with models profile default, this run has strong"):
        redact(source, tmp_path / "out", detect=one_face, models="strong")
    first, second = tmp_path / "a.onnx", tmp_path / "b.onnx"
    first.write_bytes(b"one")
    second.write_bytes(b"another")
    assert identity(Models(face=str(first))) != identity(Models(face=str(second)))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"profile": "weak"}, "no profile of models is called weak; there are default, strong"),
        ({"face": "no.onnx"}, "--face-model: there is no file no.onnx, and no detector of that name among"),
    ],
)
def test_a_name_that_is_none_is_answered_with_those_there_are(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        detector(["face"], Models(**given), 1)
