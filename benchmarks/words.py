"""Are words still understood once a voice is disguised? `python -m benchmarks.words --speech DIR`

DIR holds Debian packages, unpacked: apt-get download flite libflite1 asterisk-core-sounds-en asterisk-core-sounds-en-g722; dpkg -x
each into DIR. Four voices of flite speak ten of the Harvard sentences (IEEE, 1969: balanced in sounds, hard to guess), and a woman
whose prompts are kept at 16 kHz says twenty of them.

A machine listens: PocketSphinx 5.1.1 with its model of American English, for the words that are said here in any order. What it gets wrong is counted in words; whoever listens better gets less wrong.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.matching import share
from benchmarks.peers import peer
from benchmarks.voice import read, save, word_errors

from aramis.images.redact.voice import COEFFICIENTS, Samples, disguise

HARVARD = """
The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It's easy to tell the depth of a well.
These days a chicken leg is a rare dish. Rice is often served in round bowls. The juice of lemons makes fine punch.
The box was thrown beside the parked truck. The hogs were fed chopped corn and garbage. Four hours of steady work faced us.
A large size in stockings is hard to sell.
"""
VOICES = ("slt", "rms", "awb", "kal16")
PROMPTS, LEAST_WORDS = 20, 6
PEER = Path(__file__).parent / "words_peer.py"
HOW = {"plain": None} | {f"{sum(pair) / 2:.2f}": sum(pair) / 2 for pair in COEFFICIENTS}


class Said(NamedTuple):
    """A recording and its words."""

    who: str
    words: list[str]
    sound: Samples


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--speech", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        said = [*spoken(given.speech, folder), *prompts(given.speech)]
        for number, one in enumerate(said):
            for how, coefficient in HOW.items():
                save(folder / f"{how}.{number}.wav", changed(one.sound, coefficient))
        known = sorted({word for one in said for word in one.words})
        heard = listened(folder, known)
    print(f"| listening for {len(known)} words | said | wrong as they are | at {' | at '.join([*HOW][1:])} |")
    print("| --- | --- | --- | --- | --- |")
    for who in [*dict.fromkeys(one.who for one in said), "all"]:
        some = [(number, one) for number, one in enumerate(said) if who in (one.who, "all")]
        count = sum(len(one.words) for _, one in some)
        wrong = [
            sum(word_errors(one.words, heard[f"{how}.{number}"].split()) for number, one in some)
            for how in HOW
        ]
        print(f"| {who} | {count} | {' | '.join(str(share(min(one, count), count)) for one in wrong)} |")


def changed(sound: Samples, coefficient: float | None) -> Samples:
    if coefficient is None:
        return sound
    voice = disguise(coefficient)
    return np.concatenate([voice(sound), voice(None)])


def spoken(speech: Path, folder: Path) -> Iterator[Said]:
    """The Harvard sentences by each voice of flite."""
    program, library = next(speech.rglob("bin/flite")), next(speech.rglob("libflite.so.1")).parent
    for voice in VOICES:
        for text in re.findall(r"[^.]+\.", " ".join(HARVARD.split())):
            command = [program, "-voice", voice, "-t", text, "-o", folder / "said.wav"]
            subprocess.run(command, check=True, env={**os.environ, "LD_LIBRARY_PATH": str(library)})
            yield Said(f"flite {voice}", re.findall(r"[a-z']+", text.lower()), read(folder / "said.wav"))


def prompts(speech: Path) -> Iterator[Said]:
    """Prompts of a telephone exchange at 16 kHz, with their words."""
    lines = gzip.decompress(next(speech.rglob("core-sounds-en.txt.gz")).read_bytes()).decode().splitlines()
    sounds = {path.stem: path for path in speech.rglob("en_US_f_Allison/*.g722")}
    count = 0
    for line in lines:
        name, _, text = line.partition(":")
        words = re.findall(r"[a-z']+", text.lower())
        if len(words) >= LEAST_WORDS and "[" not in text and name in sounds and count < PROMPTS:
            count += 1
            yield Said("a woman", words, read(sounds[name]))


def listened(folder: Path, known: list[str]) -> dict[str, str]:
    """What is heard in each recording of the folder, of these words."""
    programs = peer("words", "pocketsphinx==5.1.1")
    done = subprocess.run(
        [programs / "python", PEER, folder, *known], check=True, stdout=subprocess.PIPE, stderr=sys.stderr
    )
    answer: dict[str, str] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    main()
