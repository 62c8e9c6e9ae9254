"""Aramis: can I share these photos, videos and tables, and how do I know?

The public names, nothing else. Each is imported when it is first used, so that `import aramis` costs nothing
and checking a table starts no neural network.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aramis.errors import AramisError as AramisError
    from aramis.errors import BadInput as BadInput
    from aramis.errors import Unreachable as Unreachable
    from aramis.images.assess import assess as assess
    from aramis.images.assess import export_coco as export_coco
    from aramis.images.audit import audit as audit
    from aramis.images.demo import demo as demo
    from aramis.images.files.jsonl import read_records as read_records
    from aramis.images.files.jsonl import write_records as write_records
    from aramis.images.pipeline import Release as Release
    from aramis.images.pipeline import inspect as inspect
    from aramis.images.pipeline import redact as redact
    from aramis.images.pipeline import release as release
    from aramis.images.records import Carrier as Carrier
    from aramis.images.records import ImageRecord as ImageRecord
    from aramis.images.records import Target as Target
    from aramis.images.risk.assessment import Assessment as Assessment
    from aramis.images.rules.thresholds import Thresholds as Thresholds
    from aramis.images.sampling import sample as sample
    from aramis.report.anonymized_as_html import write_release_report as write_release_report
    from aramis.report.as_html import write_report as write_report
    from aramis.report.frontier_as_html import write_frontier as write_frontier
    from aramis.report.table_as_html import write_table_report as write_table_report
    from aramis.tables.pipeline import Table as Table
    from aramis.tables.pipeline import table as table
    from aramis.tables.suggest import suggest as suggest

_HOME = {
    "AramisError": "aramis.errors",
    "BadInput": "aramis.errors",
    "Unreachable": "aramis.errors",
    "assess": "aramis.images.assess",
    "export_coco": "aramis.images.assess",
    "audit": "aramis.images.audit",
    "demo": "aramis.images.demo",
    "read_records": "aramis.images.files.jsonl",
    "write_records": "aramis.images.files.jsonl",
    "ImageRecord": "aramis.images.records",
    "Assessment": "aramis.images.risk.assessment",
    "Thresholds": "aramis.images.rules.thresholds",
    "sample": "aramis.images.sampling",
    "Release": "aramis.images.pipeline",
    "inspect": "aramis.images.pipeline",
    "redact": "aramis.images.pipeline",
    "release": "aramis.images.pipeline",
    "Carrier": "aramis.images.records",
    "Target": "aramis.images.records",
    "write_report": "aramis.report.as_html",
    "write_release_report": "aramis.report.anonymized_as_html",
    "write_frontier": "aramis.report.frontier_as_html",
    "write_table_report": "aramis.report.table_as_html",
    "Table": "aramis.tables.pipeline",
    "table": "aramis.tables.pipeline",
    "suggest": "aramis.tables.suggest",
}

__all__ = list(_HOME)
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'aramis' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
