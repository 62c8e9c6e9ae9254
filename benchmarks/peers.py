"""Other tools, each in an environment of its own that is made when it is first asked for; and what a program takes."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

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


class Used(NamedTuple):
    """What a program took from its start to its end, and what it said."""

    seconds: float
    cpu: float  # seconds of all cores
    peak_mb: float
    said: bytes


def measured(command: list[str]) -> Used:
    """Run a program and measure it; one that fails ends the benchmark with its own words."""
    started = perf_counter()
    with (
        tempfile.TemporaryFile() as talk,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=talk, stdin=subprocess.DEVNULL) as running,
    ):
        said = running.stdout.read() if running.stdout else b""
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode:
            talk.seek(0)
            sys.exit(f"{' '.join(command[:4])} failed:\n{talk.read().decode()[-2000:]}")
    return Used(perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said)
