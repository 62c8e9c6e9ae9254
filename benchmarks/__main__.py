"""`make bench`: speed beside the peers, section after section. `python -m benchmarks [--data DIR] [SECTION ...]`

Every section is a program of its own: `python -m benchmarks.photographs --help` tells what it measures.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

SECTIONS = {
    "photographs": ["benchmarks.photographs"],
    "around": ["benchmarks.around", "--speed"],
    "video": ["benchmarks.video", "speed"],
    "full_domain": ["benchmarks.full_domain"],
    "local_recoding": ["benchmarks.local_recoding"],
    "table_check": ["benchmarks.table_check"],
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"), help="the annotated sets")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}")
    given = parser.parse_args()
    unknown = sorted(set(given.sections) - set(SECTIONS))
    if unknown or given.data is None or not given.data.is_dir():
        parser.error(
            f"there is no section {unknown[0]}; there are {', '.join(SECTIONS)}"
            if unknown
            else f"the annotated sets are not in {given.data}; name their folder by --data or ARAMIS_DATA"
        )
    failed = []
    for section in given.sections or SECTIONS:
        print(f"\n== {section}", flush=True)
        module, *arguments = SECTIONS[section]
        command = [sys.executable, "-m", module, "--data", str(given.data), *arguments]
        failed += [section] * bool(subprocess.run(command, check=False).returncode)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
