"""Run by benchmarks/voice.py in an environment of its own: the voice of each recording in a folder as numbers."""

import json
import sys
from pathlib import Path

from resemblyzer import VoiceEncoder, preprocess_wav

encoder = VoiceEncoder("cpu", verbose=False)
voices = {
    path.stem: encoder.embed_utterance(preprocess_wav(path)).tolist()
    for path in sorted(Path(sys.argv[1]).glob("*.wav"))
}
print(json.dumps(voices))
