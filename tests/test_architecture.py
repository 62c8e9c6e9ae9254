"""Which room may import which: the table of ARCHITECTURE.md, held against every import in the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "aramis"

MAY_IMPORT = {
    "__main__": {"cli"},
    "errors": set(),
    "plugins": {"errors"},
    "images": {"errors", "plugins"},
    "tables": {"errors", "plugins"},
    "report": {"errors", "images", "tables"},
    "review": {"errors", "images", "report"},
    "cli": {"errors", "plugins", "images", "tables", "report", "review"},
}
# What a folder must never import: rules see records, models see counts, detectors see pixels.
NEVER = {
    "images/rules": {"numpy", "cv2", "pathlib", "os", "time", "datetime"},
    "images/risk": {"cv2", "pathlib", "os", "time", "datetime"},
    "tables/models": {"polars", "narwhals", "pathlib", "os", "time", "datetime"},
    "images/surroundings": {"aramis.images.files", "aramis.images.redact"},
    "images/redact": {"aramis.images.files", "aramis.images.detect"},
}
# What only a function may import: `import aramis` and `aramis --help` start nothing heavy.
HEAVY = {"openvino", "cv2", "polars", "numba", "scipy", "jinja2", "PIL", "narwhals", "rich"}
LIGHT = ("__init__.py", "errors.py", "plugins.py", "cli")


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the room they come from"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files() -> list[str]:
    return sorted(str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py"))


@pytest.mark.parametrize("file", files())
def test_a_room_imports_only_what_it_may(file: str) -> None:
    room = file.split("/", maxsplit=1)[0].removesuffix(".py")
    found = set(imports(ast.parse((SOURCE / file).read_text())))
    ours = {name.split(".")[1] for name in found if name.startswith("aramis.")} - {room}
    if room != "__init__":
        assert ours <= MAY_IMPORT[room], f"{file} imports {ours - MAY_IMPORT[room]}"
    for folder, absent in NEVER.items():
        if file.startswith(folder):
            assert not {name for name in found if any((name + ".").startswith(a + ".") for a in absent)}


@pytest.mark.parametrize("file", [file for file in files() if file.startswith(LIGHT)])
def test_what_is_imported_first_is_light(file: str) -> None:
    top_level = [
        node
        for node in ast.parse((SOURCE / file).read_text()).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    found = {name.split(".")[0] for node in top_level for name in imports(node)}
    assert not found & HEAVY
    if file.startswith("cli"):
        assert not {
            name
            for node in top_level
            for name in imports(node)
            if name.startswith(("aramis.images", "aramis.tables"))
        }
