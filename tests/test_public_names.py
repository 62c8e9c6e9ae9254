"""What `import aramis` offers is what it says it offers."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import aramis


def test_every_public_name_can_be_had() -> None:
    for name in aramis.__all__:
        assert getattr(aramis, name) is not None


def test_the_names_for_type_checkers_are_those_at_run_time() -> None:
    tree = ast.parse(Path(str(aramis.__file__)).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == aramis._HOME


def test_importing_aramis_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'cv2', 'openvino', 'polars', 'numba', 'scipy', 'PIL', 'rich'}"
    code = f"import sys, aramis, aramis.cli.main; sys.exit(' '.join({heavy} & set(sys.modules)) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "name", [name for name in aramis.__all__ if not isinstance(getattr(aramis, name), type)]
)
def test_every_public_function_has_an_example_that_runs(name: str) -> None:
    examples = doctest.DocTestFinder(recurse=False).find(getattr(aramis, name), name, globs={})
    assert sum(len(example.examples) for example in examples), f"aramis.{name} shows no example"
    for example in examples:
        failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
        assert not failed
