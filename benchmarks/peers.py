"""Other tools, each in an environment of its own that is made when it is first asked for."""

import subprocess
import sys
from pathlib import Path

PLACE = Path(__file__).parents[1] / ".benchmarks"


def peer(name: str, *packages: str) -> Path:
    """The folder of programs of an environment that holds these packages, pinned by whoever asks."""
    programs = PLACE / name / "bin"
    ready = PLACE / name / "ready"
    wanted = "\n".join(packages)
    if not ready.is_file() or ready.read_text() != wanted:
        print(f"installing {', '.join(packages)} to compare with", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(PLACE / name)], check=True)
        pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *packages], check=True)
        ready.write_text(wanted)
    return programs


def deface() -> Path:
    """deface 1.5.0 with the faster of its two backends for photographs of every size, OpenCV's."""
    return peer("deface", "deface==1.5.0") / "deface"
