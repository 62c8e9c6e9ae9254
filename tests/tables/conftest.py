"""Tables on every engine: a test that asks for `engine` runs once on each."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

Engine = Callable[[pl.DataFrame], Any]


@pytest.fixture(params=["polars", "polars-lazy", "pandas", "pyarrow", "duckdb", "spark"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Brings a table to an engine."""
    found: Engine = request.getfixturevalue(f"_{request.param.replace('-', '_')}")
    return found


@pytest.fixture
def _polars() -> Engine:
    return lambda frame: frame


@pytest.fixture
def _polars_lazy() -> Engine:
    return lambda frame: frame.lazy()


@pytest.fixture
def _pandas() -> Engine:
    pytest.importorskip("pandas")
    return lambda frame: frame.to_pandas()


@pytest.fixture
def _pyarrow() -> Engine:
    pytest.importorskip("pyarrow")
    return lambda frame: frame.to_arrow()


@pytest.fixture
def _duckdb() -> Iterator[Engine]:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        yield lambda frame: connection.from_arrow(frame.to_arrow())


@pytest.fixture
def _spark(spark: Any) -> Engine:
    return lambda frame: spark.createDataFrame(frame.to_arrow())


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Spark in local mode, once for all tests."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")
    sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed: pip install 'aramis[spark]'")
    session = (
        sql.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()
