"""Another tool's releases, audited: `python -m benchmarks.audit --data DIR`.

One street photograph and what deface 1.5.0 made of it at three thresholds and with three methods. A higher threshold hides
less, so ARAM has to rise with it.
"""

import argparse
import tempfile
from pathlib import Path

from aramis.images.audit import audit
from aramis.images.detect.faces import faces
from aramis.images.surroundings.look import look_around

RELEASES = {
    "blur, threshold 0.02": "city_anonymized_thresh0.02.jpg",
    "blur, threshold 0.2": "city_anonymized.jpg",
    "blur, threshold 0.7": "city_anonymized_thresh0.7.jpg",
    "mosaic, threshold 0.2": "city_anonymized_mosaic.jpg",
    "boxes, threshold 0.2": "city_anonymized_boxes.jpg",
}


def main() -> None:
    """Print a line for each release."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args().data / "anonymized_pairs" / "deface"
    detect, look = faces(), look_around()
    print("| deface | people | anonymized | leaks | ARAM strict | ARAM published | faces found open |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, file in RELEASES.items():
        with tempfile.TemporaryDirectory() as out:
            done = audit(
                folder / "city.jpg", folder / file, Path(out), detect=detect, look=look, checks="none"
            )
        assert done.assessment
        people, rules = done.assessment.people, done.assessment.by_rules
        opened = done.assessment.checks["originals"].more
        print(
            f"| {name} | {people.TDP} | {people.PAP} | {people.TDP - people.PAP - people.PNRF} |"
            f" {rules['strict'].overall.ARAM:.3f} | {rules['published'].overall.ARAM:.3f} |"
            f" {opened['targets still open']} of {opened['targets found']} |"
        )


if __name__ == "__main__":
    main()
