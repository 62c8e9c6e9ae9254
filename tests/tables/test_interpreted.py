"""Loops run as Python where there is little to do, unless they were compiled before."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from aramis.tables.interpreted import COMPILED_FROM, is_kept, when_it_pays

TWICE = """from aramis.tables.compiler import compiled

@compiled()
def twice(number):
    return 2 * number
"""


def loop_in(path: Path) -> Any:
    """The loop as a new process finds it."""
    spec = spec_from_file_location("loops", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.twice


def test_what_this_process_or_another_has_compiled_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "loops.py"
    path.write_text(TWICE)
    first = loop_in(path)
    assert not is_kept(first)
    assert first(21) == 42
    assert is_kept(first)
    assert is_kept(loop_in(path))


def test_few_steps_are_python_s(tmp_path: Path) -> None:
    path = tmp_path / "loops.py"
    path.write_text(TWICE)
    loop = loop_in(path)
    assert when_it_pays(loop, COMPILED_FROM) is loop.py_func
    assert when_it_pays(loop, COMPILED_FROM + 1) is loop
