"""Aramis tells nobody that it is used."""

import os
import subprocess
import sys
from pathlib import Path


def test_starting_openvino_sends_no_telemetry(tmp_path: Path) -> None:
    code = (
        "import sys, aramis.images.network, openvino; openvino.Core();"
        "sys.exit(' '.join(name for name in sys.modules if name.startswith('openvino_telemetry.')) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.rglob("*")), "it left a file in the user's home"
