"""The picture wing: what is hidden, what was missed, how much risk is left."""

import sys

# Importing OpenVINO reports the import to its vendor through this package. A privacy tool must not: where the package
# cannot be imported, OpenVINO takes a stub of its own.
sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
