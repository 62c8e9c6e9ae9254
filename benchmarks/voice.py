"""Does `--audio disguise` hide who speaks? `python -m benchmarks.voice --speech DIR`

DIR holds a folder of recordings for each speaker, as asterisk's prompts do: apt-get download asterisk-core-sounds-en-wav
asterisk-core-sounds-fr-wav asterisk-core-sounds-it-wav asterisk-core-sounds-ru-wav
asterisk-prompt-it-menardi-wav; dpkg -x each into DIR. Its sounds/NAME are the speakers.

Who speaks is told by GE2E (Wan et al. 2018, as Resemblyzer 0.1.4 carries it), in an environment of its own. What is still understood
is measured by benchmarks.words. The equal error rate is that of telling whether two recordings are of one speaker: 0.5 is chance.
"""

import argparse
import json
import subprocess
import tempfile
import wave
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import av
import numpy as np
from benchmarks.peers import peer
from numpy.typing import NDArray

from aramis.images.redact.voice import RATE, disguise

SPEAKERS = ("en_US_f_Allison", "fr_CA_f_June", "it_IT_f_Menardi", "it_IT_m_Carlo", "ru_RU_f_IvrvoiceRU")
RECORDINGS, SECONDS = 12, 5.0  # of each speaker; each as many prompts as fill these
PEER = Path(__file__).parent / "voice_peer.py"

Samples = NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--speech", type=Path, required=True)
    given = parser.parse_args()
    sounds = next(given.speech.rglob("sounds"))
    with tempfile.TemporaryDirectory() as temporary:
        for speaker in SPEAKERS:
            for number, sound in enumerate(recordings(sounds / speaker)):
                write(Path(temporary), f"{speaker}.{number}", sound)
        report(asked(Path(temporary)))


def write(folder: Path, name: str, sound: Samples) -> None:
    """A recording as it is, and twice disguised, as in two videos."""
    save(folder / f"plain.{name}.wav", sound)
    for time in ("once", "again"):
        voice = disguise()
        save(folder / f"{time}.{name}.wav", np.concatenate([voice(sound), voice(None)]))


def recordings(folder: Path) -> Iterator[Samples]:
    """Recordings of some seconds, each of several prompts."""
    parts: list[Samples] = []
    count = 0
    for path in sorted(folder.glob("*.wav")):
        parts.append(read(path))
        if sum(map(len, parts)) >= SECONDS * RATE:
            yield np.concatenate(parts)
            parts, count = [], count + 1
        if count == RECORDINGS:
            return


def read(path: Path) -> Samples:
    with av.open(str(path)) as container:
        resampler = av.AudioResampler("fltp", "mono", RATE)
        heard = [*container.decode(audio=0), None]
        frames = [frame for one in heard for frame in resampler.resample(one)]
    return np.concatenate([frame.to_ndarray()[0] for frame in frames]).astype(np.float32)


def save(path: Path, sound: Samples) -> None:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, len(sound), "NONE", ""))
        file.writeframes((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())


def asked(folder: Path) -> dict[str, list[float]]:
    programs = peer("voice", "torch==2.13.0", "Resemblyzer==0.1.4", "setuptools<81")
    done = subprocess.run(
        [programs / "python", PEER, folder], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    answer: dict[str, list[float]] = json.loads(done.stdout)
    return answer


def report(voices: dict[str, list[float]]) -> None:
    print(
        "| compared | equal error rate | likeness of one speaker | of two | the right speaker is the likest |"
    )
    print("| --- | --- | --- | --- | --- |")
    for first, second in (("plain", "plain"), ("plain", "once"), ("once", "again")):
        same, other, right = compared(voices, first, second)
        print(
            f"| {first}, {second} | {equal_error_rate(same, other):.3f} | {same.mean():.2f} | {other.mean():.2f} | {right:.2f} |"
        )


def compared(voices: dict[str, list[float]], first: str, second: str) -> tuple[Samples, Samples, float]:
    """Likeness of recordings of one speaker and of two; how often the likest other recording is of the same."""
    names = [(speaker, number) for speaker in SPEAKERS for number in range(RECORDINGS)]
    a, b = (
        np.array([voices[f"{how}.{speaker}.{number}"] for speaker, number in names])
        for how in (first, second)
    )
    alike = a @ b.T
    who = np.array([SPEAKERS.index(speaker) for speaker, _ in names])
    one, two = np.array(list(combinations(range(len(names)), 2))).T
    pairs = np.concatenate([alike[one, two], alike[two, one]])
    same = np.tile(who[one] == who[two], 2)
    np.fill_diagonal(alike, -1)
    return pairs[same], pairs[~same], float((who[alike.argmax(axis=1)] == who).mean())


def equal_error_rate(same: Samples, other: Samples) -> float:
    """Where as many of one speaker are told apart as of two are taken for one."""
    levels = np.sort(np.concatenate([same, other]))
    missed = np.searchsorted(np.sort(same), levels) / len(same)
    false = 1 - np.searchsorted(np.sort(other), levels) / len(other)
    at = np.abs(missed - false).argmin()
    return float(missed[at] + false[at]) / 2


def word_errors(true: list[str], heard: list[str]) -> int:
    """Levenshtein's distance in words."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(true, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


if __name__ == "__main__":
    main()
