"""Compiled loops are kept where they can be, and work where they cannot."""

from typing import Any

import pytest
from numba.core import caching

from aramis.tables.compiler import compiled


def twice(number: int) -> int:
    return 2 * number


def test_a_loop_is_kept_on_disk() -> None:
    loop: Any = compiled()(twice)
    assert loop(21) == 42
    assert loop.stats.cache_path


def test_an_installation_that_nobody_may_write_to_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])  # as numba finds it there
    assert compiled("int64(int64)")(twice)(21) == 42
