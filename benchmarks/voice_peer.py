"""Run by benchmarks/voice.py in an environment of its own: the voice of each recording in a folder as numbers, and its words."""

import json
import sys
import wave
from pathlib import Path

from pocketsphinx import Decoder
from resemblyzer import VoiceEncoder, preprocess_wav

encoder, decoder = VoiceEncoder("cpu", verbose=False), Decoder(samprate=16_000, loglevel="FATAL")
voices, words = {}, {}
for path in sorted(Path(sys.argv[1]).glob("*.wav")):
    if ".words." not in path.name:
        voices[path.stem] = encoder.embed_utterance(preprocess_wav(path)).tolist()
    elif not path.name.startswith("again"):
        with wave.open(str(path)) as file:
            decoder.start_utt()
            decoder.process_raw(file.readframes(file.getnframes()), full_utt=True)
            decoder.end_utt()
        words[path.stem] = decoder.hyp().hypstr if decoder.hyp() else ""
print(json.dumps({"voices": voices, "words": words}))
